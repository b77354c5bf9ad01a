import Tables

/// How a row changed from one run to the next.
package enum Change: String, Sendable, CaseIterable, ColumnValue {
  case same
  /// Only the newer run has the row, or only the older one.
  case new, gone
  case faster, slower
  /// Of areas.
  case smaller, larger
  case newlyUnreachable = "newly_unreachable"
  case newlyReachable = "newly_reachable"
}
