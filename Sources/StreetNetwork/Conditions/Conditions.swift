import Hierarchy

/// The conditions of a network: which of its turns and streets are closed at a moment.
///
/// The hierarchy holds every turn that is open at some time. An answer that uses an arc that is
/// closed at its time is searched again without it.
package struct Conditions: Sendable {
  /// The arcs that may be closed, ascending, and the closing of each; an arc may occur twice.
  package let arcs: Column<Entry>
  private let closings: [Closing]

  package struct Entry: Sendable, BitwiseCopyable {
    package var arc: UInt32
    package var closing: UInt32
  }

  /// `texts`: one per closing, validated when the network was built.
  init(arcs: Column<Entry>, texts: [String]) {
    self.arcs = arcs
    closings = texts.map { Closing($0)! }
  }

  /// Which of the conditions close their arcs at `time`; nil where none does. Without a time conditions do not count.
  package func closed(at time: LocalTime?) -> [Bool]? {
    guard !closings.isEmpty else { return nil }
    let isClosed = closings.map { $0.isClosed(at: time) }
    return isClosed.contains(true) ? isClosed : nil
  }

  /// The arcs that are closed, ascending.
  package func closedArcs(_ isClosed: [Bool]) -> [UInt32] {
    var closed: [UInt32] = []
    for entry in arcs where isClosed[Int(entry.closing)] && closed.last != entry.arc { closed.append(entry.arc) }
    return closed
  }
}

/// When a turn or a street is closed, as the text that network files hold:
///
///     Mo-Fr 07:00-19:00     closed at these times
///     !Mo-Fr 07:00-19:00    closed at all others, and if no time is given
///     ~Apr-Oct 08:00-20:00  closed at all others, open if no time is given (hours of service)
struct Closing: Sendable {
  private let condition: Condition
  private let isClosedOtherwise: Bool
  private let isClosedAlways: Bool

  /// Nil where the text is not understood.
  init?(_ text: String) {
    isClosedAlways = text.hasPrefix("!")
    isClosedOtherwise = isClosedAlways || text.hasPrefix("~")
    // Where it is, is not known here.
    guard let condition = Condition(isClosedOtherwise ? String(text.dropFirst()) : text), !condition.usesSun else {
      return nil
    }
    self.condition = condition
  }

  func isClosed(at time: LocalTime?) -> Bool {
    guard let time else { return isClosedAlways }
    return condition.holds(at: time, SunPlace(tenthsNorth: 0, tenthsEast: 0)) != isClosedOtherwise
  }
}
