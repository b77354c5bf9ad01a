import Tables

/// What is in the tables before the first chunk. The writer of each kind makes one: `RouteWriter.head`, ….
package struct ResultsHead {
  let rejected: [RejectedRow]
  package let places: any Sequence<PlaceRow>
  let backdrop: [BackdropRow]
  /// Whether all ids of the results are whole numbers.
  let idsAreNumbers: Bool
  /// How many bytes the longest rows have, about: those that would fill several pages get larger ones.
  let longestRow: Int
  /// The hours of the job; none where it has none.
  let departures: [DepartureRow]
  /// Nil where the job has neither speeds nor traffic.
  package var speeds: SpeedTables?
  /// The statements that make the kind's own tables.
  private let tables: (SQLTypes) -> String
  /// Writes what the kind itself has before the first chunk.
  private let writeRows: (SQLite) throws -> Void

  init(
    rejected: [RejectedRow], backdrop: [BackdropRow], places: any Sequence<PlaceRow>, idsAreNumbers: Bool,
    longestRow: Int = 0,
    departures: [DepartureRow] = [], tables: @escaping (SQLTypes) -> String,
    writeRows: @escaping (SQLite) throws -> Void = { _ in }
  ) {
    (self.rejected, self.backdrop, self.places) = (rejected, backdrop, places)
    self.idsAreNumbers = idsAreNumbers
    (self.longestRow, self.departures) = (longestRow, departures)
    (self.tables, self.writeRows) = (tables, writeRows)
  }

  /// Makes all tables and fills them, as far as that can be done before the first chunk.
  func write(to database: SQLite, _ job: JobRecord) throws {
    let types = SQLTypes(
      idsAreNumbers: idsAreNumbers, hasTypicalDays: departures.contains { $0.day == nil })
    let common = [
      JobRecord.table.creation(types), PlaceRow.table.creation(types), BackdropRow.table.creation(types),
      Statistic.table.creation(types), HistogramRow.table.creation(types), RejectedRow.table.creation(types),
      ChunkRow.table.creation(types), ChunkFileRow.table.creation(types),
    ]
    try database.execute(GeoPackage.tables + GeoPackage.columnTables + common.joined() + tables(types))
    if !departures.isEmpty {
      try database.execute(DepartureRow.table.creation(types))
      try database.insert(departures, into: DepartureRow.table)
    }
    try database.record(JobRecord(identity: job.identity, figures: job.figures))
    try database.insert(rejected, into: RejectedRow.table)
    try database.insert(places, into: PlaceRow.table)
    try speeds?.write(to: database, types)
    try writeRows(database)
    try database.insert(backdrop, into: BackdropRow.table)
  }
}
