import OpeningHours

/// The times at which a turn, a street in one direction, or a gate is closed, as text in network files:
///
///     o                       open without a date
///     -Mo-Fr 07:00-19:00      closed at these times
///     +PH                     but not at these; the last applicable line decides
///
///     c                       closed without a date
///     +Sa 20:00-24:00         open at these times
///
/// Blank lines separate independent reasons; it is closed if any of them applies. If sunrise or sunset matters, the
/// first line is the location, such as `@411,-86` for 41.1 N, 8.6 W. A line with only a sign applies whenever a date is
/// given.
package struct Closing: Sendable {
  private var reasons: [Reason] = []
  private var place = SunPlace(tenthsNorth: 0, tenthsEast: 0)

  private struct Reason {
    var isClosedWithoutDate: Bool
    var lines: [(closes: Bool, condition: Condition?)] = []
  }

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
      var reason = Reason(isClosedWithoutDate: first == "c")
      for line in lines.dropFirst() {
        guard line.hasPrefix("-") || line.hasPrefix("+") else { return nil }
        let condition = Condition(String(line.dropFirst()))
        guard condition != nil || line.count == 1 else { return nil }
        reason.lines.append((line.hasPrefix("-"), condition))
      }
      reasons.append(reason)
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

  /// Whether it depends on public or school holidays.
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
