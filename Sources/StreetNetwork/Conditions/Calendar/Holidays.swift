/// The public holidays that a job names; without them no day is one.
package struct Holidays: Hashable, Sendable {
  /// By number, ascending.
  private let days: [Int]

  package static let none = Holidays([])

  package init(_ days: [CalendarDay]) { self.days = Set(days.map(\.number)).sorted() }

  func contains(_ day: CalendarDay) -> Bool { days.contains(day.number) }
}
