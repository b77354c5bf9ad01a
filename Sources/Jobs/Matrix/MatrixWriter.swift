import Tables

/// A writer for the results of kind `matrix`, block by block in the order of the origins: rows of the database and, if
/// requested, NumPy files and a long CSV next to it. In a job with hours, an origin has one row per hour or percentile.
///
/// Belongs to one thread.
package final class MatrixWriter: ChunkWriter {
  private let store: ResultsStore
  private let content: Content
  private let insertRow: Insert<MatrixRow>
  private let insertSummary: Insert<OriginSummary>
  private let insertWithin: Insert<(row: OriginSummary, within: OriginSummary.Within)>
  private let insertHours: Insert<CellHours>?
  private let setDistribution: Insert<(name: String, histogram: LogHistogram)>
  private let travelTimes: NumPyFile?
  private let distances: NumPyFile?
  private let csv: GzipFile?
  private var times: LogHistogram
  private var lengths: LogHistogram
  private var ownTimes: LogHistogram
  private static let ownCells = "own_cells"

  enum Format: String, Sendable, CaseIterable { case sqlite, npy, csv }

  /// The output options.
  struct Content: Sendable {
    var rows: Int
    var columns: Int
    var hasDistances: Bool
    var formats: Set<Format>
    /// The hours or percentiles of each origin's rows.
    var axis: RowAxis
    /// The departures of the job; empty without hours.
    var departures: [DepartureRow]
    /// The summaries of each cell over the departures of a day: `worst`, `mean`, `p50`.
    var hours: [String]
    /// Whether summaries include waits.
    var hasWaits: Bool
    /// Cells without a route because a place has no street or is outside the coverage, by status.
    var unusable: [StatusCount]
    var rowsPerOrigin: Int { max(1, axis.count) }
    var cells: Int { rows * rowsPerOrigin * columns }
  }

  init(_ store: ResultsStore, _ content: Content) throws {
    self.store = store
    self.content = content
    store.releasesPages = true
    let axis = content.axis.columns
    insertRow = try Insert(into: MatrixRow.table(axis), of: store.database)
    insertSummary = try Insert(into: OriginSummary.table(axis), of: store.database)
    insertWithin = try Insert(into: OriginSummary.withinTable(axis), of: store.database)
    insertHours = content.hours.isEmpty ? nil : try Insert(into: CellHours.table(content.hours), of: store.database)
    setDistribution = try Insert(into: Distributions.table, of: store.database, isReplacing: true)
    let distributions = try Distributions.read(from: store.database)
    times = distributions[Statistic.Measure.expectedTravelTime.rawValue] ?? LogHistogram()
    lengths = distributions[Statistic.Measure.distance.rawValue] ?? LogHistogram()
    ownTimes = distributions[MatrixWriter.ownCells] ?? LogHistogram()
    let dimensions = [content.rows] + (axis.isEmpty ? [] : [content.axis.count]) + [content.columns]
    func numPy(_ path: String) throws -> NumPyFile {
      try store.open(path) { try NumPyFile(path: $0, shape: dimensions, from: $1) }
    }
    let writesNumPy = content.formats.contains(.npy)
    travelTimes = writesNumPy ? try numPy(store.folder.travelTimes) : nil
    distances = writesNumPy && content.hasDistances ? try numPy(store.folder.distances) : nil
    let date = content.axis.labelColumn.map { ",\($0)" } ?? ""
    let columns = "origin_id,destination_id\(date),expected_travel_time" + (content.hasDistances ? ",distance" : "")
    csv = content.formats.contains(.csv) ? try store.openCSV(store.folder.matrix, columns: columns) : nil
  }

  /// Rows that were computed together, in every requested format.
  package struct Block: RowChunk, JournaledFields {
    /// The number of origins.
    var rows: Int
    /// The keys, one for each row of table `matrix_row`.
    var keys: [Key] = []
    /// The rows' JSON arrays, concatenated, and the end of each: times, then distances if requested.
    var text: TextBytes
    var ends: [Int] = []
    var travelTimes: [Float] = []
    var distances: [Float] = []
    var csv: DeflatedBlock?
    /// The times of trips, except trips of an origin to itself, whose times are in `ownTimes`.
    var times = LogHistogram()
    var lengths = LogHistogram()
    var ownTimes = LogHistogram()
    var summaries: [OriginSummary] = []
    var hours: [CellHours] = []
    /// The lease of the buffers for its text and numbers.
    var lease: BufferLease?
    init(rows: Int, text: TextBytes) { (self.rows, self.text) = (rows, text) }

    /// The origin of a row, and the number of its hour, or its percentile.
    struct Key: Sendable, JournaledFields {
      var origin = Identifier.number(0)
      var departure: Int?

      mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
        try journal(&origin, &departure)
      }
    }

    package init() { self.init(rows: 0, text: TextBytes(capacity: 0)) }

    package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&rows, &keys, &text, &ends)
      try journal.check(
        zip(ends, ends.dropFirst()).allSatisfy(<=) && ends.first ?? 0 >= 0 && ends.last ?? 0 <= text.count)
      try journal.visit(fixed: &travelTimes)
      try journal.visit(fixed: &distances)
      try journal(&csv, &times, &lengths, &ownTimes, &summaries, &hours)
    }
  }

  var encode: @Sendable (Block) -> AppendChunk<MatrixWriter> { { block in { try $0.append(block) } } }

  private func append(_ block: Block) throws {
    let cells = block.rows * content.rowsPerOrigin * content.columns
    guard travelTimes == nil || block.travelTimes.count == cells, distances == nil || block.distances.count == cells
    else {
      throw ResultsError(path: store.folder.path, problem: "a row of the matrix lacks cells", cause: .changed)
    }
    try travelTimes?.append(block.travelTimes)
    try distances?.append(block.distances)
    if let part = block.csv { try csv?.append(part) }
    times.add(block.times)
    lengths.add(block.lengths)
    ownTimes.add(block.ownTimes)
    if content.formats.contains(.sqlite) { try writeRows(block) }
    for summary in block.summaries {
      try insertSummary(summary)
      for within in summary.within { try insertWithin((summary, within)) }
    }
    for cell in block.hours { try insertHours?(cell) }
  }

  func writeState() throws {
    try setDistribution((Statistic.Measure.expectedTravelTime.rawValue, times))
    try setDistribution((Statistic.Measure.distance.rawValue, lengths))
    try setDistribution((MatrixWriter.ownCells, ownTimes))
  }

  private func writeRows(_ block: Block) throws {
    var (start, ends) = (0, block.ends.makeIterator())
    func next() -> UnsafeBufferPointer<UInt8> {
      let end = ends.next() ?? start
      defer { start = end }
      return block.text.bytes(start..<end)
    }
    for key in block.keys {
      try insertRow(
        MatrixRow(
          origin: key.origin, departure: key.departure, travelTimes: next(),
          distances: content.hasDistances ? next() : nil))
    }
  }

  func seal(_ job: JobRecord, _: ServiceSums?) throws {
    var job = job
    let reached = times.count + ownTimes.count
    let missing = content.cells - reached - content.unusable.reduce(0) { $0 + $1.count }
    let counts =
      [StatusCount(status: .ok, count: reached), StatusCount(status: .directionsNotFound, count: missing)]
      + content.unusable
    for count in counts where count.count > 0 { job.figures.set(.count(count.status, in: .matrix), count.count) }
    if content.hasWaits {
      let waits: Int = try store.database.value("SELECT coalesce(sum(waiting), 0) FROM origin_summary")
      job.figures.set(.longWaits, waits)
    }
    try store.seal(indices: MatrixResults.indices(content), layers: [], job: job) {
      try Distributions.drop(from: store.database)
      if travelTimes != nil { try NumPyAxis.write(to: store.folder, from: store.database, content.axis) }
      return [lengths.measures(.distance, scale: 100), times.measures(.expectedTravelTime, scale: 1000)]
        .compactMap(\.self)
    }
  }
}

extension ResultsFolder {
  /// The files with the ids, hours or percentiles of each dimension of NumPy files.
  package func axes(_ column: RowAxis.Column?) -> [String] {
    NumPyAxis.allCases.filter { $0.isUsed(column) }.map { file($0.file) }
  }
}

/// A dimension of NumPy files, with a CSV of its positions next to them.
enum NumPyAxis: String, CaseIterable {
  case origins, departures, percentiles, destinations

  /// The file's name, which is unlikely to coincide with an input's.
  var file: String { "npy_\(rawValue).csv" }

  /// Returns whether the files have this dimension in a job whose rows have the given axis.
  fileprivate func isUsed(_ column: RowAxis.Column?) -> Bool {
    switch self {
    case .origins, .destinations: true
    case .departures: column == .departure
    case .percentiles: column == .percentile
    }
  }

  /// Returns the header of the CSV, and an SQL query for the field of each position, in order.
  private func rows(_ axis: RowAxis) -> (header: String, sql: String) {
    let date = axis.dateColumn ?? .departure
    return switch self {
    case .origins, .destinations:
      (
        "place_id",
        "SELECT place_id AS field FROM place WHERE role = '\(self == .origins ? "origin" : "destination")' ORDER BY fid"
      )
    case .departures: (date.rawValue, "SELECT \(date.rawValue) AS field FROM departure ORDER BY departure")
    case .percentiles: ("percentile", "VALUES \(axis.numbers.map { "(\($0))" }.joined(separator: ","))")
    }
  }

  /// Writes the file of each dimension from the places and hours in the database. *Throws*: `ResultsError`.
  static func write(to folder: ResultsFolder, from database: SQLite, _ rows: RowAxis) throws {
    for axis in allCases where axis.isUsed(rows.column) {
      let (header, sql) = axis.rows(rows)
      let file = try OutputFile(path: folder.file(axis.file).unfinished)
      try file.write(Array("\(header)\n".utf8))
      let positions = try database.prepare(sql)
      while try positions.next() {
        let id: Identifier = try positions.value(at: 0)
        try file.write(Array("\(id.csvField)\n".utf8))
      }
      try file.synchronize()
    }
  }
}
