/// A weekday in OpenStreetMap's notation.
package enum Weekday: String, CaseIterable, Sendable {
  case monday = "Mo"
  case tuesday = "Tu"
  case wednesday = "We"
  case thursday = "Th"
  case friday = "Fr"
  case saturday = "Sa"
  case sunday = "Su"

  /// `Mo` to `Su`.
  package static let names = allCases.map(\.rawValue)

  /// Monday is 0.
  package var index: Int { Weekday.allCases.firstIndex(of: self) ?? 0 }

  /// Creates a weekday from its index, modulo 7.
  package init(index: Int) { self = Weekday.allCases[((index % 7) + 7) % 7] }
}
