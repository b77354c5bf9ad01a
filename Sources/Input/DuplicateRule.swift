/// Handling of a row with a duplicate id.
package enum DuplicateRule: String, Hashable, Sendable, CaseIterable {
  /// The row is rejected.
  case reject
  /// The row is kept as `id#2`, `id#3` and so on.
  case number
}
