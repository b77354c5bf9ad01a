/// Handling of a row with a duplicate id.
package enum DuplicateRule: String, Hashable, Sendable, CaseIterable {
  /// It is rejected.
  case reject
  /// It is kept as `id#2`, `id#3` and so on.
  case number
}
