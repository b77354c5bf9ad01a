/// What is in the tables before the first chunk. The writer of each kind makes one: `RouteWriter.head`, ….
package struct ResultsHead {
  let rejected: [RejectedRow]
  package let places: any Sequence<PlaceRow>
  let streets: [StreetRow]
  /// Whether all ids of the results are whole numbers.
  let idsAreNumbers: Bool
  /// How many bytes the longest rows have, about: those that would fill several pages get larger ones.
  let longestRow: Int
  /// The hours of the job; none where it has none.
  let departures: [DepartureRow]
  /// Nil where the job has neither speeds nor traffic.
  package var speeds: SpeedTables?
  /// The statements that make the kind's own tables.
  private let tables: (IDType) -> String
  /// Writes what the kind itself has before the first chunk.
  private let writeRows: (SQLite) throws -> Void

  init(
    rejected: [RejectedRow], streets: [StreetRow], places: any Sequence<PlaceRow>, idsAreNumbers: Bool,
    longestRow: Int = 0,
    departures: [DepartureRow] = [], tables: @escaping (IDType) -> String,
    writeRows: @escaping (SQLite) throws -> Void = { _ in }
  ) {
    (self.rejected, self.streets, self.places) = (rejected, streets, places)
    self.idsAreNumbers = idsAreNumbers
    (self.longestRow, self.departures) = (longestRow, departures)
    (self.tables, self.writeRows) = (tables, writeRows)
  }

  /// Makes all tables and fills them, as far as that can be done before the first chunk.
  func write(to database: SQLite, _ job: JobRecord) throws {
    let ids: IDType = idsAreNumbers ? .number : .text
    let common = [
      JobRecord.table.creation(ids), PlaceRow.table.creation(ids), StreetRow.table.creation(ids),
      Statistic.table.creation(ids), HistogramRow.table.creation(ids), RejectedRow.table.creation(ids),
      ChunkRow.table.creation(ids), ChunkFileRow.table.creation(ids),
    ]
    try database.execute(GeoPackage.tables + common.joined() + tables(ids))
    if !departures.isEmpty {
      try database.execute(DepartureRow.table.creation(ids))
      try database.insert(departures, into: DepartureRow.table)
    }
    try database.record(JobRecord(identity: job.identity, figures: job.figures))
    try database.insert(rejected, into: RejectedRow.table)
    try database.insert(places, into: PlaceRow.table)
    try speeds?.write(to: database, ids)
    try writeRows(database)
    try database.insert(streets, into: StreetRow.table)
  }
}
