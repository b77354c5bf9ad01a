import Geography
import OpeningHours

/// A condition on times and vehicle properties.
///
///     Condition("Mo-Fr 07:00-19:00 AND weight<7.5")
package struct Condition: Sendable {
  /// The part of the condition that remains for a known vehicle: hours, joined by AND; empty if it always holds.
  let text: String
  private let hours: [OpeningHours]
  /// Whether it applies only to other vehicles.
  let isNever: Bool

  var isAlways: Bool { hours.isEmpty && !isNever }

  /// Returns nil if the text is empty, or if part of it is neither a vehicle property nor opening hours (`wet`,
  /// `residents`).
  package init?(_ text: String, for vehicle: Vehicle = .none) {
    var hours: [(text: String, read: OpeningHours)] = []
    var isNever = false
    let parts = Condition.parts(of: text)
    guard !parts.isEmpty else { return nil }
    for part in parts {
      if part.contains(where: { "<>=".contains($0) }) {
        guard let holds = vehicle.satisfies(part) else { return nil }
        if !holds { isNever = true }
      } else if let read = OpeningHours(part), read.definesOpenPeriods {
        hours.append((part, read))
      } else {
        return nil
      }
    }
    self.text = hours.map(\.text).joined(separator: " AND ")
    self.hours = hours.map(\.read)
    self.isNever = isNever
  }

  /// Creates the conjunction of two conditions.
  init(both first: Condition, and second: Condition) {
    hours = first.hours + second.hours
    text = [first.text, second.text].filter { !$0.isEmpty }.joined(separator: " AND ")
    isNever = first.isNever || second.isNever
  }

  package func holds(at time: LocalTime, near place: Coordinate) -> Bool { holds(at: time, SunPlace(place)) }

  func holds(at time: LocalTime, _ place: SunPlace) -> Bool {
    !isNever && hours.allSatisfy { $0.state(at: time, place) == .open }
  }

  /// Whether all weeks are the same except for holidays.
  var isWeekly: Bool { hours.allSatisfy(\.isWeekly) }
  /// Whether it depends on the location.
  var usesSun: Bool { hours.contains(where: \.usesSun) }
  /// Whether it depends on holidays.
  var usesHolidays: Bool { hours.contains(where: \.usesHolidays) }

  private static func parts(of text: String) -> [String] {
    // Network files store one condition per line.
    let line = text.replacing("\n", with: " ")
    let marked = line.replacing(" AND ", with: "\n").replacing(" and ", with: "\n").replacing(" And ", with: "\n")
    return marked.split(separator: "\n").map { $0.withoutParentheses }.filter { !$0.isEmpty }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text within enclosing parentheses, trimmed.
  var withoutParentheses: String {
    let text = self[...].trimmingSpaces
    guard text.hasPrefix("("), text.hasSuffix(")") else { return text }
    var depth = 0
    for (index, character) in zip(text.indices, text) {
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      // (sunrise-00:30)-(sunset+00:30)
      if depth == 0, index != text.index(before: text.endIndex) { return text }
    }
    return String(text.dropFirst().dropLast()).trimmingSpaces
  }
}

extension String {
  var trimmingSpaces: String { self[...].trimmingSpaces }
}
