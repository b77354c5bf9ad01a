/// The public holidays of a job; none by default.
package struct Holidays: Hashable, Sendable {
  /// Day numbers, ascending.
  private let days: [Int]

  package static let none = Holidays([])

  package init(_ days: [CalendarDay]) { self.days = Set(days.map(\.number)).sorted() }

  /// Parses the format of `text`; nil for anything else.
  package init?(text: String) {
    let parts = text.split(separator: ",")
    let days = parts.compactMap { CalendarDay(String($0)) }
    guard days.count == parts.count else { return nil }
    self.init(days)
  }

  /// The dates as text: `2026-12-25,2026-12-26`.
  package var text: String { days.map { CalendarDay(number: $0).text }.joined(separator: ",") }

  func contains(_ day: CalendarDay) -> Bool { days.contains(day.number) }
}
