import Geography
import OpeningHours

/// Time-dependent speeds of a street, as text in network files:
///
///     11.806 22:00-06:00      metres per second driven at these times; the last applicable line decides
///     - Su                    the usual speed
///
/// Streets on which bicycles must be pushed at certain hours also have such speeds. They apply to queries with a time
/// (`LimitSlowness`).
package struct ConditionalLimits: Sendable {
  package struct Entry: Sendable, BitwiseCopyable {
    package var street: DirectedStreet
    /// The index of the text among the names.
    package var limits: UInt32
  }

  private var lines: [(metresPerSecond: Double?, condition: Condition)] = []

  /// Returns nil if the text cannot be parsed.
  package init?(_ text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let condition = Condition(String(parts[1])) else { return nil }
      let speed = Double(parts[0])
      guard speed != nil || parts[0] == "-" else { return nil }
      lines.append((speed, condition))
    }
  }

  /// Returns the text for time-dependent speeds; empty if they are always `usual`.
  static func text(_ clauses: [(metresPerSecond: Double, condition: Condition)], usual: Double) -> String {
    guard clauses.contains(where: { $0.metresPerSecond != usual }) else { return "" }
    return clauses.map { clause in
      let speed = (clause.metresPerSecond * 1000).rounded() / 1000
      return "\(clause.metresPerSecond == usual ? "-" : "\(speed)") \(clause.condition.text)"
    }.joined(separator: "\n")
  }

  /// Whether all weeks are the same except for holidays.
  var isWeekly: Bool { lines.allSatisfy { $0.condition.isWeekly } }
  /// Whether it depends on the location.
  var usesSun: Bool { lines.contains { $0.condition.usesSun } }

  /// Returns the speed at a time near a place; nil for the usual speed.
  package func metresPerSecond(at time: LocalTime, near place: Coordinate) -> Double? {
    lines.last { $0.condition.holds(at: time, near: place) }?.metresPerSecond ?? nil
  }
}
