import Tables

/// How many rows became what: of all, of a zone, of a street.
struct ChangeTally {
  private(set) var counts: [Change: Int] = [:]
  private(set) var rows = 0
  private var (oldSum, newSum, both) = (0.0, 0.0, 0)

  mutating func add(_ row: ComparedRow, _ change: Change) {
    rows += 1
    counts[change, default: 0] += 1
    guard let old = row.oldValue, let new = row.newValue else { return }
    oldSum += old
    newSum += new
    both += 1
  }

  func count(_ changes: Change...) -> Int { changes.reduce(0) { $0 + (counts[$1] ?? 0) } }

  /// Of rows that both have.
  var oldMean: Double? { both > 0 ? oldSum / Double(both) : nil }
  var newMean: Double? { both > 0 ? newSum / Double(both) : nil }
}

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
