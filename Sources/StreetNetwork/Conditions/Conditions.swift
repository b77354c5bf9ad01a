import OpeningHours
import Hierarchy

/// The conditions of a network: which of its turns and streets are closed at a moment.
///
/// The states and arcs are those of all times. The hierarchy holds what is open where no time is given. Trips at a time
/// are searched on the clock, where they meet what is closed when they come there.
package struct Conditions: Sendable {
  /// The arcs that may be closed, ascending, and the closing of each; an arc may occur twice.
  package let arcs: Column<Entry>
  /// The same of streets in a direction, by their use (`StreetUse.item`).
  package let streets: Column<Entry>
  let closings: [Closing]
  /// Which of the closings close where no time is given.
  let closedWithoutDate: [Bool]

  package struct Entry: Sendable, BitwiseCopyable {
    package var item: UInt32
    package var closing: UInt32
  }

  /// `texts`: one per closing, validated when the network was built.
  init(arcs: Column<Entry>, streets: Column<Entry>, texts: [String]) throws {
    self.arcs = arcs
    self.streets = streets
    closings = try texts.map { text in
      guard let closing = Closing(text) else {
        throw InvalidColumnFile.corrupt
      }
      return closing
    }
    closedWithoutDate = closings.map { $0.isClosed(at: nil) }
  }

  /// Whether there are none: all hours are alike.
  package var isEmpty: Bool { arcs.isEmpty && streets.isEmpty }

  /// How many depend on holidays.
  package var holidayCount: Int { closings.count(where: \.usesHolidays) }

  /// Which of the closings close at `time`; nil where none does, neither then nor without a time.
  package func key(at time: LocalTime?) -> [Bool]? {
    guard !closings.isEmpty else { return nil }
    let key = closings.map { $0.isClosed(at: time) }
    return key.contains(true) || closedWithoutDate.contains(true) ? key : nil
  }
}
