/// A finished results database, read.
package struct ResultsDatabase {
  let database: SQLite

  /// *Throws*: `ResultsError`.
  package init(path: String) throws { database = try SQLite(path: path, creating: false) }

  /// The statistics of the whole job and of its groups.
  package func statistics() throws -> [Statistic] {
    let rows = try database.prepare(Schema.statistics)
    var statistics: [Statistic] = []
    while try rows.next() {
      guard let measure = rows.text(1).flatMap(Statistic.Measure.init) else { continue }
      statistics.append(
        Statistic(
          scope: rows.text(0) ?? "", measure: measure, count: rows.integer(2), mean: rows.double(7),
          quantiles: [3, 4, 5, 6, 8, 9, 10].map(rows.double)))
    }
    return statistics
  }

  /// How many routes, cells of a matrix, origins or isochrones have each status.
  package func statusCounts() throws -> [(status: String, count: Int)] {
    guard let question = try Schema.statusCounts[kind()] else { return [] }
    let rows = try database.prepare(question)
    var counts: [(String, Int)] = []
    while try rows.next() { counts.append((rows.text(0) ?? "", rows.integer(1))) }
    return counts
  }

  /// The job's kind.
  package func kind() throws -> String {
    let rows = try database.prepare(Schema.kind)
    return try rows.next() ? rows.text(0) ?? "" : ""
  }
}
