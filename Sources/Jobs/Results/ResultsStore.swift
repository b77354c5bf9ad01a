import Foundation
import Geography
import Tables

/// The database of a results folder while it is being written, shared by the writers of all kinds (`RouteWriter`,
/// `MatrixWriter`, …). Belongs to one thread.
package final class ResultsStore {
  package let folder: ResultsFolder
  let provenance: Provenance
  private let phases: RunPhases
  let database: SQLite
  /// The number of finished input rows; `chunks` counts their chunks.
  package private(set) var rows: Int
  package private(set) var chunks: Int
  /// Whether an earlier run began these results.
  let isResumed: Bool
  private var files: [any ResumableFile] = []
  /// The time at which the open transaction began, the numbers of chunks and rows before it, and the function that
  /// writes the state of all rows; nil without a transaction.
  private var uncommitted: (since: ContinuousClock.Instant, chunks: Int, rows: Int, writeState: () throws -> Void)?
  /// The time at which the first rows were written.
  private var firstWrite: ContinuousClock.Instant?
  /// The longest time between commits, so that a crash loses little.
  private static let longestCommitInterval = Duration.milliseconds(100)
  /// Whether to drop written pages from the system's cache, since this run does not read them again.
  var releasesPages = false
  private let insertChunk: Insert<(id: Int, firstRow: Int, rows: Int)>
  private let insertChunkFile: Insert<(chunk: Int, name: String, checkpoint: Checkpoint)>
  /// A second descriptor of the database, only for cache advice; negative until needed. Closed last: closing it
  /// releases SQLite's locks.
  private var pageDescriptor: Int32 = -1

  /// Opens the results in `folder`: resumes the results of a stopped run of the same job, or creates new ones, with the
  /// tables' initial content in one transaction.
  ///
  /// - Parameters:
  ///   - previous: The remains of an earlier run in the folder; must not be sealed.
  ///   - job: The entries of table `job`.
  ///   - longestRow: The approximate size of the longest rows in bytes.
  ///   - writeHead: Writes the initial content of the tables; called if nothing can be resumed.
  init(
    _ folder: ResultsFolder, _ previous: PreviousRun, job: JobRecord, longestRow: Int, _ phases: RunPhases,
    writeHead: (SQLite) throws -> Void
  ) throws {
    self.folder = folder
    self.phases = phases
    provenance = job.provenance
    isResumed = previous == .unfinished
    if !isResumed { folder.discard() }
    database = try SQLite(path: folder.database.unfinished, isResumed ? .writing : .creating)
    if !isResumed {
      // The database gets larger pages if rows exceed a page.
      let pageSize = longestRow > 32_768 ? 65_536 : 16_384
      try database.execute("PRAGMA page_size = \(pageSize); \(GeoPackage.header)")
    }
    try database.execute(ResultsStore.exclusive + ResultsStore.durability)
    try database.transaction { [database, isResumed] in
      if !isResumed { try writeHead(database) }
      try database.record(JobRecord(run: job.run), RunState.running)
    }
    (chunks, rows) = try database.rows("SELECT count(*) AS chunks, coalesce(sum(rows), 0) AS done FROM chunk") {
      (try $0["chunks"], try $0["done"])
    }[0]
    insertChunk = try Insert(into: ChunkTables.chunks, of: database)
    insertChunkFile = try Insert(into: ChunkTables.files, of: database)
  }

  deinit { if pageDescriptor >= 0 { close(pageDescriptor) } }

  /// Other processes may not access unfinished results, so no shared memory file is needed.
  static let exclusive = "PRAGMA locking_mode = EXCLUSIVE;"
  /// A commit is durable when it returns: no crash loses it. Other files are synchronized before a commit that refers
  /// to them.
  private static let durability = """
    PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA cache_size = -4096;
    """

  /// Opens a file next to the database: new, or resumed at the end of the last chunk.
  func open<File: ResumableFile>(_ path: String, _ make: (String, Checkpoint?) throws -> File) throws -> File {
    let checkpoints = try database.rows(
      "SELECT end, length, crc32 FROM chunk_file WHERE chunk_id = ? AND file = ?", chunks - 1, lastPathComponent(path)
    ) { try Checkpoint($0) }
    let part = path.unfinished
    func unresumable(_ problem: String) -> ResultsError {
      PreviousRun.unresumable(ResultsError(path: part, problem: problem, cause: .changed))
    }
    guard checkpoints.isEmpty || FileManager.default.fileExists(atPath: part) else {
      throw unresumable("the run's file is missing")
    }
    let file = try make(path, checkpoints.first)
    guard checkpoints.first?.matches(part) != false else { throw unresumable("the run's file has changed") }
    files.append(file)
    return file
  }

  /// Opens a FeatureCollection in one gzip member; one Feature per line.
  func openGeoJSON(_ path: String) throws -> GzipFile {
    let head = "{\"type\":\"FeatureCollection\",\"odometer\":\(provenance.json),\"features\":[\n"
    return try open(path) { try GzipFile(path: $0, head: head, separator: ",\n", tail: "\n]}\n", from: $1) }
  }

  /// Opens a CSV file in one gzip member.
  func openCSV(_ path: String, columns: String) throws -> GzipFile {
    try open(path) { try GzipFile(path: $0, head: columns + "\n", from: $1) }
  }

  /// Writes chunks, and records the finished input rows and the lengths of files.
  ///
  /// Several calls are committed together, atomically, since a commit waits for the disk and many chunks arrive in the
  /// meantime. Each commit includes the state of the writer after all rows so far.
  func write<Writer: ChunkWriter>(_ group: [(rows: Int, append: AppendChunk<Writer>)], to writer: Writer) throws {
    let start = try begin(writer.writeState)
    do {
      for chunk in group {
        try chunk.append(writer)
        try insertChunk((chunks, rows, chunk.rows))
        for file in files { try insertChunkFile((chunks, lastPathComponent(file.path), file.checkpoint)) }
        chunks += 1
        rows += chunk.rows
      }
      if start.duration(to: .now) >= commitInterval(from: start) { try commit() }
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction if there is none. *Returns* the time at which it began.
  private func begin(_ writeState: @escaping () throws -> Void) throws -> ContinuousClock.Instant {
    if let uncommitted { return uncommitted.since }
    try database.execute("BEGIN")
    let start = ContinuousClock.now
    firstWrite = firstWrite ?? start
    uncommitted = (start, chunks, rows, writeState)
    return start
  }

  /// Returns the time to wait before a commit: the time since the first write, up to the longest interval, so that the
  /// first rows are soon durable.
  private func commitInterval(from start: ContinuousClock.Instant) -> Duration {
    min((firstWrite ?? start).duration(to: start), ResultsStore.longestCommitInterval)
  }

  /// Commits everything since the last commit.
  package func commit() throws {
    guard let uncommitted else { return }
    do {
      try uncommitted.writeState()
      // The files must match the database even after a crash of the machine.
      for file in files { try file.synchronize() }
      try database.execute("COMMIT")
      self.uncommitted = nil
    } catch {
      rollBack()
      throw error
    }
    if releasesPages { releasePages() }
  }

  private func rollBack() {
    guard let lost = uncommitted else { return }
    uncommitted = nil
    (chunks, rows) = (lost.chunks, lost.rows)
    try? database.execute("ROLLBACK")
  }

  /// Drops written rows from the page cache.
  private func releasePages() {
    if pageDescriptor < 0 { pageDescriptor = Foundation.open(database.path, O_RDONLY | O_CLOEXEC) }
    let size = lseek(pageDescriptor, 0, SEEK_END)
    if size > 0 { PageCache.release(pageDescriptor, 0..<Int(size)) }
  }

  /// Seals the results in one transaction: adds the output of `body`, statistics, indices and the layers of the
  /// GeoPackage, finishes the files, and records that everything is done. Afterwards, nothing more can be written, and
  /// the files only need their final names.
  func seal(
    indices: String, layers: [GeoPackage.Layer], job: JobRecord, _ body: () throws -> [Measures]
  ) throws {
    try commit()
    try database.transaction {
      try phases.time(.statistics) {
        let summaries = try body().flatMap { $0.summarize() }
        try database.insert(summaries.map(\.statistic), into: Statistic.table)
        try database.insert(summaries.compactMap(\.histogram).flatMap(\.rows), into: HistogramRow.table)
      }
      try phases.time(.indices) {
        try database.execute(PlaceRow.index + indices)
        for layer in [.places] + layers { try GeoPackage.register(layer, in: database) }
      }
      try GeoPackage.describe(database.jobRecord().kind(of: folder.database).describedTables, in: database)
      for file in files { try file.finish() }
      try database.record(job, RunState.finished)
      try phases.time(.statistics) { try database.recordHeadline() }
      try database.numberEntries()
    }
    try database.execute("PRAGMA journal_mode = DELETE;")
    try database.close()
  }

  /// Records the progress of a run that stops early.
  package func interrupt(job: JobRecord) throws {
    try commit()
    try database.transaction { try database.record(job, RunState.interrupted) }
  }
}

extension SQLite {
  /// Sets entries of table `job`.
  func record(_ job: JobRecord, _ state: RunState? = nil) throws {
    let set = try Insert(into: JobRecord.table, of: self, isReplacing: true)
    for entry in job.entries { try set(entry) }
    if let state { try set((RunKey.state.rawValue, state.rawValue)) }
  }

  /// Sets the headline, the missing data and the counts by status of finished results.
  fileprivate func recordHeadline() throws {
    let results = try ResultsDatabase(of: self)
    let headline = Headline(results: results)
    var record = JobRecord()
    for count in try results.statusCounts() { record.figures.set(.count(count.status, in: results.kind), count.count) }
    record.figures[.headline] = try headline.sentence()
    record.figures[.missing] = try headline.missing()
    try self.record(record)
  }

  /// Orders the entries of table `job` by key, since a resumed run adds them in a different order.
  func numberEntries() throws {
    try execute(
      """
      UPDATE job SET fid = -(SELECT count(*) FROM job AS other WHERE other.key <= job.key);
      UPDATE job SET fid = -fid;
      """)
  }
}

/// The results of input rows that were computed together.
protocol RowChunk: Sendable {
  /// The number of input rows.
  var rows: Int { get }
}

/// Appends a chunk to the results of a writer, within a transaction.
typealias AppendChunk<Writer> = @Sendable (Writer) throws -> Void

/// A writer of the results of one kind of job, in the order of the input.
protocol ChunkWriter: SendableMetatype {
  associatedtype Chunk: RowChunk & Journaled
  /// Prepares a chunk, on a worker thread: its rows as values of their tables, and their sums.
  var encode: @Sendable (Chunk) -> AppendChunk<Self> { get }
  /// Writes the state of all rows so far that a resumed run needs.
  func writeState() throws
  /// Adds statistics, sums and indices over all rows. Afterwards, the files only need their final names.
  ///
  /// - Parameter services: The sums of a job that are not in its chunks.
  func seal(_ job: JobRecord, _ services: ServiceSums?) throws
}

extension ChunkWriter {
  func writeState() {}
}

extension PreparedJob {
  /// Creates all tables and writes their initial content.
  ///
  /// - Parameter rejected: The rejected rows of the input.
  func writeHead(to database: SQLite, _ record: JobRecord, rejected: [RejectedRow], in context: JobContext) throws {
    let departures = context.job.departures?.rows ?? []
    let types = SQLTypes(idsAreNumbers: idsAreNumbers, hasTypicalDays: departures.contains { $0.day == nil })
    let common = [
      JobRecord.table.creation(types), PlaceRow.table.creation(types), BackdropRow.table.creation(types),
      Statistic.table.creation(types), HistogramRow.table.creation(types), RejectedRow.table.creation(types),
      ChunkTables.chunks.creation(types), ChunkTables.files.creation(types),
    ]
    try database.execute(GeoPackage.tables + GeoPackage.columnTables + common.joined() + tables(types))
    if !departures.isEmpty {
      try database.execute(DepartureRow.table.creation(types))
      try database.insert(departures, into: DepartureRow.table)
    }
    if let (feeds, hours) = stops?.tables() {
      try database.execute(TransitFeedRow.table.creation(types) + TransitTask.serviceHours.creation(types))
      try database.insert(feeds, into: TransitFeedRow.table)
      try database.insert(hours, into: TransitTask.serviceHours)
    }
    try database.record(JobRecord(identity: record.identity, figures: record.figures))
    // Rejected rows of feeds are listed, but not counted, since no pair or place is lost.
    try database.insert(rejected + (stops?.allRejected ?? []), into: RejectedRow.table)
    try placeRows.write(to: database, workers: context.workers)
    try context.speeds?.tables(on: context.network).write(to: database, types)
    try writeRows(to: database)
    let (box, reach) = extent
    try database.insert(
      BackdropRow.rows(of: context.network, around: box, reach: reach) + areas, into: BackdropRow.table)
  }
}

/// The tables about chunks: input rows that were written together.
enum ChunkTables {
  static let chunks = Table<(id: Int, firstRow: Int, rows: Int)>(
    "chunk", "group of rows that were written together",
    [
      .key("chunk_id", "number of the chunk, from 0") { $0.id },
      .integer("first_row", "first input row, from 0") { $0.firstRow },
      .integer("rows", "number of rows") { $0.rows },
      .text("state", "`written`") { _ in "written" },
    ])

  /// The length of each file after each chunk.
  static let files = Table<(chunk: Int, name: String, checkpoint: Checkpoint)>(
    "chunk_file", "chunk and output file next to the database", key: ["chunk_id", "file"],
    [
      .integer("chunk_id", "number of the chunk") { $0.chunk },
      .text("file", "name of the file") { $0.name },
      .integer("end", "size of the file in bytes after the chunk") { $0.checkpoint.end },
      .integer("length", "bytes of text before compression") { $0.checkpoint.length },
      .lineBreak,
      .integer("crc32", "checksum of the text") { Int($0.checkpoint.crc32) },
    ])
}
