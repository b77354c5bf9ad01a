import Geography
import OpeningHours

/// A condition on times and vehicle properties.
///
///     Condition("Mo-Fr 07:00-19:00 AND weight<7.5")
package struct Condition: Sendable {
  /// The part of the condition that remains for a known vehicle: hours, joined by AND; empty if there are none.
  let text: String
  private let hours: [OpeningHours]
  /// Whether the condition never holds for the vehicle.
  let isNever: Bool
  /// Whether the condition holds only for trips that start or end there.
  var isForEnds = false

  var isAlways: Bool { hours.isEmpty && !isNever }

  /// Returns nil if the text is empty, or if a part of it (such as `wet` or `winter`) is not a comparison of a vehicle
  /// property, opening hours, or one of `users`: words such as `delivery`, for trips that start or end there.
  package init?(_ text: String, for vehicle: Vehicle = .none, by users: Set<String> = []) {
    var hours: [(text: String, read: OpeningHours)] = []
    var isNever = false
    let parts = Condition.parts(of: text)
    guard !parts.isEmpty else { return nil }
    for part in parts {
      if users.contains(part.lowercased()) {
        isForEnds = true
      } else if part.contains(where: { "<>=".contains($0) }) {
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
  /// Whether the condition depends on the location.
  var usesSun: Bool { hours.contains(where: \.usesSun) }
  /// Whether the condition depends on public holidays.
  var usesHolidays: Bool { hours.contains(where: \.usesHolidays) }
  /// Whether the condition depends on school holidays, which are unknown.
  var usesSchoolHolidays: Bool { hours.contains(where: \.usesSchoolHolidays) }

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
      // These parentheses do not enclose the whole text: (sunrise-00:30)-(sunset+00:30).
      if depth == 0, index != text.index(before: text.endIndex) { return text }
    }
    return String(text.dropFirst().dropLast()).trimmingSpaces
  }
}

extension String {
  var trimmingSpaces: String { self[...].trimmingSpaces }
}

/// The times at which a turn, a street in one direction, or a gate is closed, as text in network files:
///
///     o                       open without a date
///     -Mo-Fr 07:00-19:00      closed at these times
///     +PH                     but not at these; the last applicable line decides
///
///     c                       closed without a date
///     +Sa 20:00-24:00         open at these times
///
/// Blank lines separate independent reasons; one that applies is enough to close. If sunrise or sunset matters, the
/// first line is the location, such as `@411,-86` for 41.1 N, 8.6 W. A line with only a sign applies whenever a date is
/// given.
package struct Closing: Sendable {
  private var reasons: [(isClosedWithoutDate: Bool, lines: [(closes: Bool, condition: Condition?)])] = []
  private var place = SunPlace(tenthsNorth: 0, tenthsEast: 0)

  /// Returns nil if the text cannot be parsed.
  package init?(_ text: String) {
    for part in text.split(separator: "\n\n") {
      var lines = part.split(separator: "\n")
      if let first = lines.first, first.hasPrefix("@") {
        let numbers = lines.removeFirst().dropFirst().split(separator: ",").map { Int($0) }
        guard numbers.count == 2, let north = numbers[0], let east = numbers[1] else { return nil }
        place = SunPlace(tenthsNorth: north, tenthsEast: east)
      }
      guard let first = lines.first, first == "o" || first == "c" else { return nil }
      let clauses = lines.dropFirst().compactMap { line -> (closes: Bool, condition: Condition?)? in
        let condition = Condition(String(line.dropFirst()))
        guard line.hasPrefix("-") || line.hasPrefix("+"), condition != nil || line.count == 1 else { return nil }
        return (line.hasPrefix("-"), condition)
      }
      guard clauses.count == lines.count - 1 else { return nil }
      reasons.append((first == "c", clauses))
    }
    guard !reasons.isEmpty else { return nil }
  }

  package func isClosed(at time: LocalTime?) -> Bool {
    reasons.contains { reason in
      guard let time else { return reason.isClosedWithoutDate }
      let line = reason.lines.last { $0.condition?.holds(at: time, place) ?? true }
      return line?.closes ?? reason.isClosedWithoutDate
    }
  }

  private var conditions: some Sequence<Condition> { reasons.lazy.flatMap(\.lines).compactMap(\.condition) }

  /// Whether the closing depends on public holidays.
  var usesHolidays: Bool { conditions.contains(where: \.usesHolidays) }

  // MARK: Writing

  /// Returns the text for an object that is usually closed, or usually open, with exceptions.
  static func text(isUsuallyClosed: Bool, _ clauses: [(closes: Bool, condition: Condition)]) -> String {
    ([isUsuallyClosed ? "c" : "o"] + clauses.map { ($0.closes ? "-" : "+") + $0.condition.text }).joined(
      separator: "\n")
  }

  /// Returns the text for an object with opening hours: closed outside them, open without a date.
  static func text(openAt hours: Condition) -> String { "o\n-\n+" + hours.text }

  /// Returns the text for an object that is closed for any of several reasons.
  static func text(anyOf reasons: [String]) -> String { reasons.joined(separator: "\n\n") }

  /// Returns the text, preceded by the location if sunrise or sunset matters.
  static func text(_ text: String, at place: SunPlace) -> String {
    guard !text.isEmpty, Closing(text)?.conditions.contains(where: \.usesSun) == true else { return text }
    return "@\(place.tenthsNorth),\(place.tenthsEast)\n" + text
  }
}

/// A value with exceptions at certain times: the last matching clause decides.
struct Timed<Value: Equatable & Sendable>: Sendable {
  private(set) var usual: Value
  private(set) var clauses: [Clause] = []

  struct Clause: Sendable {
    var value: Value
    var condition: Condition
  }

  /// Creates a value from `clauses`, which are sorted from general to specific.
  init(_ usual: Value, _ clauses: [Clause] = []) {
    self.usual = usual
    for clause in clauses where !clause.condition.isNever {
      if clause.condition.isAlways {
        // The condition matches this vehicle at all times.
        self.usual = clause.value
        self.clauses = []
      } else {
        self.clauses.append(clause)
      }
    }
  }

  /// Combines two timed values: the last pair of clauses that both match decides.
  func combined<Other, Result: Equatable & Sendable>(
    _ other: Timed<Other>, _ combine: (Value, Other) -> Result
  ) -> Timed<Result> {
    var results: [Timed<Result>.Clause] = other.clauses.map {
      .init(value: combine(usual, $0.value), condition: $0.condition)
    }
    for clause in clauses {
      results.append(.init(value: combine(clause.value, other.usual), condition: clause.condition))
      results += other.clauses.map {
        .init(value: combine(clause.value, $0.value), condition: Condition(both: clause.condition, and: $0.condition))
      }
    }
    return Timed<Result>(combine(usual, other.usual), results)
  }

  /// Transforms each value and keeps the times.
  func map<Result: Equatable & Sendable>(_ change: (Value) -> Result) -> Timed<Result> {
    Timed<Result>(change(usual), clauses.map { .init(value: change($0.value), condition: $0.condition) })
  }

  /// All possible values.
  var values: [Value] { [usual] + clauses.map(\.value) }

  /// Returns the closing, as text, of an object that is open for values that satisfy `isOpen`; nil if the object never
  /// opens or closes.
  func closing(_ isOpen: (Value) -> Bool) -> String? {
    let usually = isOpen(usual)
    guard clauses.contains(where: { isOpen($0.value) != usually }) else { return nil }
    return Closing.text(isUsuallyClosed: !usually, clauses.map { (!isOpen($0.value), $0.condition) })
  }
}
