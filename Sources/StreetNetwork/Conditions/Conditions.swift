import Hierarchy
import OpeningHours

/// The conditions of a network, which determine the turns and streets that are closed at an instant.
///
/// States and arcs include everything that is ever open; the hierarchy includes only what is open without a time.
/// Time-dependent queries use the street clock, which applies closures at the time when each street is reached.
package struct Conditions: Sendable {
  /// The conditional arcs in ascending order, each with its closing; an arc may occur several times.
  package let arcs: Column<Entry>
  /// The conditional directed streets by use (`StreetUse.item`).
  package let streets: Column<Entry>
  let closings: [Closing]
  /// Whether each closing applies to trips without a time.
  let closedWithoutDate: [Bool]

  package struct Entry: Sendable, BitwiseCopyable {
    package var item: UInt32
    package var closing: UInt32
  }

  /// Creates the conditions from `strings`, one per closing, which the build has validated.
  init(arcs: Column<Entry>, streets: Column<Entry>, strings: [String]) throws {
    self.arcs = arcs
    self.streets = streets
    closings = try strings.map { text in
      guard let closing = Closing(text) else { throw InvalidColumnFile.corrupt }
      return closing
    }
    closedWithoutDate = closings.map { $0.isClosed(at: nil) }
  }

  /// Whether the network has no conditions.
  package var isEmpty: Bool { arcs.isEmpty && streets.isEmpty }

  /// The number of closings that depend on holidays.
  package var holidayCount: Int { closings.count(where: \.usesHolidays) }

  /// Returns whether each closing applies at `time`; nil if none applies, neither at that time nor without a time.
  package func key(at time: LocalTime?) -> [Bool]? {
    guard !closings.isEmpty else { return nil }
    let key = closings.map { $0.isClosed(at: time) }
    return key.contains(true) || closedWithoutDate.contains(true) ? key : nil
  }
}
