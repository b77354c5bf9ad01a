/// How many rows of a comparison changed in which way: of all, by zone, by street. Belongs to one thread.
final class ChangeCount {
  private let threshold: ChangeThreshold
  private let comparesAreas: Bool
  private var tally = ChangeTally()
  private var ratios = RatioHistogram()
  /// Whether no row differs by anything at all.
  private var areEqual = true
  private var zones: [String: ChangeTally] = [:]
  private var streets: [String: ChangeTally] = [:]
  private let streetOfPlace: [String: String]

  /// - Parameter database: The new results are attached to it.
  init(_ database: SQLite, _ threshold: ChangeThreshold, comparesAreas: Bool) throws {
    (self.threshold, self.comparesAreas) = (threshold, comparesAreas)
    let streets = try database.rows(
      "SELECT CAST(place_id AS TEXT) AS place, street FROM new.place WHERE street NOT NULL"
    ) { (try $0["place"] as String, try $0["street"] as String) }
    streetOfPlace = Dictionary(streets) { _, last in last }
  }

  /// Counts a row, and says what became of it.
  func add(_ row: ComparedRow) -> Change {
    let change = row.change(threshold, comparesAreas: comparesAreas)
    tally.add(row, change)
    if let ratio = row.ratio { ratios.add(ratio) }
    if row.oldValue != row.newValue || row.oldStatus != row.newStatus { areEqual = false }
    guard let zone = row.zone ?? row.origin else { return change }
    zones[zone, default: ChangeTally()].add(row, change)
    if let street = row.origin.flatMap({ streetOfPlace[$0] }) {
      streets[street, default: ChangeTally()].add(row, change)
    }
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
    for (table, tallies) in [(ComparisonTables.zones, zones), (ComparisonTables.streets, streets)] {
      try database.insert(
        tallies.sorted { $0.key < $1.key }.filter { $0.value.count(.same) != $0.value.rows }
          .map { ChangedGroup(name: $0.key, tally: $0.value) }, into: table)
    }
  }
}
