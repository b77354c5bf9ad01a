import Tables

/// A wrong number in the results; a missing value is nil.
package struct Difference: Sendable, Hashable {
  package var item: String
  package var measure: String
  package var found: Double?
  package var expected: Double?

  static let table = Table<Difference>(
    "verification", "difference found by verification",
    [
      .text("item", "row or sum: \"pair 17\"") { $0.item },
      .text("measure", "recomputed measure") { $0.measure },
      .optionalReal("found", "value in the results") { $0.found },
      .optionalReal("expected", "recomputed value") { $0.expected },
    ])
}

extension Difference: CustomStringConvertible {
  /// For example "pair 17: distance is 120.5, expected 120.4".
  package var description: String {
    func text(_ value: Double?) -> String { value.map { String($0) } ?? "none" }
    return "\(item): \(measure) is \(text(found)), expected \(text(expected))"
  }
}

extension ResultsDatabase {
  /// Returns the number of recomputed sums, and the wrong ones.
  func verifiedSums() throws -> (checked: Int, differences: [Difference]) {
    let sums = try kind.results.sums(self)
    return (sums.count, try sums.flatMap { try $0.differences(database) })
  }

  /// Stores the outcome of a verification in the database at `path`: differences in a table, the rest in table `job`.
  package static func store(
    _ differences: [Difference], _ figures: Entries<FigureKey>, seed: Int, in path: String
  ) throws {
    let database = try SQLite(path: path, .writing)
    try database.transaction {
      try database.execute("DROP TABLE IF EXISTS \(Difference.table.name)")
      try database.execute(Difference.table.creation(.text))
      try database.insert(differences, into: Difference.table)
      try GeoPackage.describe([Difference.table.description], in: database)
      var record = JobRecord(figures: figures)
      record.run.set(.verificationSeed, seed)
      try database.record(record)
    }
    try database.close()
  }
}
