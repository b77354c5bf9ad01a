import Geography

/// Speed limits that hold at certain times, as the text that network files hold:
///
///     13.889 22:00-06:00      50 km/h, in metres per second, at these times; the last line that holds decides
///
/// They are kept for departure hours, next to the street; no answer uses them yet.
package struct ConditionalLimits: Sendable {
  package struct Entry: Sendable, BitwiseCopyable {
    package var street: DirectedStreet
    /// The text, as a name.
    package var limits: UInt32
  }

  private var lines: [(metresPerSecond: Double, condition: Condition)] = []

  /// Nil where the text is not understood.
  package init?(_ text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let speed = Double(parts[0]), let condition = Condition(String(parts[1])) else {
        return nil
      }
      lines.append((speed, condition))
    }
  }

  /// The limit at a time, near a place; nil where the usual one holds.
  package func metresPerSecond(at time: LocalTime, near place: Coordinate) -> Double? {
    lines.last { $0.condition.holds(at: time, near: place) }?.metresPerSecond
  }
}

extension WaySpeeds {
  /// The text of the clauses of `maxspeed:conditional` and `maxspeed:DIRECTION:conditional`; empty where there is none.
  func limits(at conditional: inout ConditionalTags, _ direction: Direction) -> String {
    let clauses = ["maxspeed", "maxspeed:\(direction.rawValue)"].flatMap { key in
      conditional.clauses(key) { limits?.metresPerSecond($0) }
    }
    return clauses.filter { !$0.condition.isNever && !$0.condition.isAlways }.map { clause in
      "\((clause.value * 1000).rounded() / 1000) \(clause.condition.text)"
    }.joined(separator: "\n")
  }
}
