/// A finished results database, read.
package struct ResultsDatabase {
  let database: SQLite

  /// *Throws*: `ResultsError`.
  package init(path: String) throws { database = try SQLite(path: path, .reading) }

  init(_ database: SQLite) { self.database = database }

  /// Whether there is a table of that name.
  func hasTable(_ name: String) throws -> Bool { try rows(Schema.tables) { $0.text(0) }.contains(name) }

  /// The statistics of the whole job and of its groups.
  package func statistics() throws -> [Statistic] {
    try rows(Schema.statistics) { row in
      row.text(1).flatMap(Statistic.Measure.init).map { measure in
        Statistic(
          scope: row.text(0) ?? "", measure: measure, count: row.integer(2), mean: row.double(7),
          quantiles: [3, 4, 5, 6, 8, 9, 10].map(row.double))
      }
    }.compactMap(\.self)
  }

  /// How many routes, cells of a matrix, origins or isochrones have each status.
  package func statusCounts() throws -> [(status: String, count: Int)] {
    guard let question = try Schema.statusCounts[kind()] else { return [] }
    return try rows(question) { ($0.text(0) ?? "", $0.integer(1)) }
  }

  /// The job's kind.
  package func kind() throws -> String { try rows(Schema.kind) { $0.text(0) ?? "" }.first ?? "" }

  /// How a matrix's cells are spread so far, by measure.
  func spreads() throws -> [String: Spread] {
    let rows = try rows(Schema.spreads) { ($0.text(0) ?? "", Spread(bytes: $0.blob(1))) }
    return Dictionary(rows) { first, _ in first }
  }

  /// The phrases of steps, by number.
  func phrases() throws -> [(number: Int, phrase: PhraseRow)] {
    try rows(Schema.phrases) { row in
      let phrase = PhraseRow(
        instructions: row.text(1) ?? "", notice: row.text(2), transportType: row.text(3) ?? "",
        maneuver: row.text(4) ?? "", street: row.text(5) ?? "")
      return (row.integer(0), phrase)
    }
  }

  /// The rows that answer a question, which may have one parameter.
  func rows<Row>(
    _ question: String, _ parameter: Int? = nil, _ row: (SQLite.Statement) throws -> Row
  ) throws -> [Row] {
    let statement = try database.prepare(question)
    if let parameter { statement.bind(parameter) }
    var rows: [Row] = []
    while try statement.next() { rows.append(try row(statement)) }
    return rows
  }
}
