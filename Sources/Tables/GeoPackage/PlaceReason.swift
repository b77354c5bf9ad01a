/// What is the matter with a place: why it has no street, or one that a person should look at.
package enum PlaceReason: String, Sendable, CaseIterable, ColumnValue {
  /// It lies outside of the map's streets, and none of them is near enough.
  case offMap = "off_map"
  /// On the map, but no street is near enough.
  case noStreet = "no_street"
  /// The only streets near enough are an island, from which or to which nearly no trip leads.
  case island
  /// It lies outside of the job's coverage.
  case coverage
  /// Its street is more than `PlaceReason.farMetres` away.
  case far

  package static let farMetres = 100.0
}
