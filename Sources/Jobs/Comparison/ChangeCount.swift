import Tables

/// How many rows of a comparison changed in which way: of all, by zone. Belongs to one thread.
final class ChangeCount {
  private let threshold: ChangeThreshold
  private let comparesAreas: Bool
  private var tally = ChangeTally()
  private var ratios = RatioHistogram()
  /// Whether no row differs by anything at all.
  private var areEqual = true
  private var zones: [String: ChangeTally] = [:]

  init(_ threshold: ChangeThreshold, comparesAreas: Bool) {
    (self.threshold, self.comparesAreas) = (threshold, comparesAreas)
  }

  /// Counts a row, and says what became of it.
  func add(_ row: ComparedRow) -> Change {
    let change = row.change(threshold, comparesAreas: comparesAreas)
    tally.add(row, change)
    if let ratio = row.ratio { ratios.add(ratio) }
    if row.oldValue != row.newValue || row.oldStatus != row.newStatus { areEqual = false }
    if let zone = row.zone ?? row.origin { zones[zone, default: ChangeTally()].add(row, change) }
    return change
  }

  var summary: ComparisonSummary {
    ComparisonSummary(
      rows: tally.rows, counts: tally.counts, areEqual: areEqual,
      quantiles: [.init(measure: "mean", ratio: ratios.mean)]
        + FailOver.quantiles.map { .init(measure: $0.name, ratio: ratios.quantile($0.share)) })
  }

  func write(to database: SQLite) throws {
    try database.insert(
      Change.allCases.compactMap { change in tally.counts[change].map { (change, $0, tally.rows) } },
      into: ComparisonTables.counts)
    try database.insert(summary.quantiles, into: ComparisonTables.quantiles)
    try database.insert(
      zones.sorted { $0.key < $1.key }.filter { $0.value.count(.same) != $0.value.rows }
        .map { ChangedZone(name: $0.key, tally: $0.value) }, into: ComparisonTables.zones)
  }
}
