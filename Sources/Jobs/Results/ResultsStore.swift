import Foundation
import Geography
import Tables

/// The database of a results folder while it is being written: what every kind of job keeps in it. The writers of rows
/// (`RouteWriter`, `MatrixWriter`, …) share it. Belongs to one thread.
package final class ResultsStore {
  package let folder: ResultsFolder
  let provenance: Provenance
  private let phases: RunPhases
  let database: SQLite
  /// Rows of the input that are done, and the chunks they came in.
  package private(set) var rows: Int
  package private(set) var chunks: Int
  /// Whether an earlier run has begun these results.
  let isResumed: Bool
  private var files: [any ResumableFile] = []
  /// Since when rows have been written that are not committed, and what is written about them before they are.
  private var uncommitted: Uncommitted?
  /// When the first rows were written.
  private var firstWrite: ContinuousClock.Instant?
  /// Far less than anybody would mind computing again.
  private static let longestCommitInterval = Duration.milliseconds(100)
  /// Whether nobody reads rows again in this run, so that the system need not keep them in memory.
  var releasesPages = false
  private let insertChunk: Insert<ChunkRow>
  private let insertChunkFile: Insert<ChunkFileRow>
  /// The database, opened beside SQLite for the system's memory of it alone; negative until it is needed. Closed last: with it
  /// go the locks that SQLite has.
  private var pages: Int32 = -1

  /// Results in `folder`: resumed where an earlier run of the same job stopped, or created, with everything that is in
  /// the tables before the first chunk in one transaction.
  ///
  /// - Parameters:
  ///   - previous: What an earlier run left in the folder; not sealed results.
  ///   - head: What is in the tables before the first chunk; asked for where nothing can be resumed.
  ///   - job: For table `job`.
  package init(
    _ folder: ResultsFolder, _ previous: PreviousRun, job: JobRecord, _ phases: RunPhases = RunPhases(),
    head makeHead: () throws -> ResultsHead
  ) throws {
    self.folder = folder
    self.phases = phases
    provenance = job.provenance
    isResumed = previous == .unfinished
    let head = isResumed ? nil : try makeHead()
    if !isResumed { folder.discard() }
    database = try SQLite(path: folder.database.unfinished, isResumed ? .writing : .creating)
    if let head {
      let pageSize = head.longestRow > 32_768 ? 65_536 : 16_384
      try database.execute("PRAGMA page_size = \(pageSize); \(GeoPackage.header)")
    }
    try database.execute(ResultsStore.exclusive + ResultsStore.durability)
    try database.transaction { [database] in
      try head?.write(to: database, job)
      try database.record(JobRecord(run: job.run), RunState.running)
    }
    (chunks, rows) = try database.rows("SELECT count(*) AS chunks, coalesce(sum(rows), 0) AS done FROM chunk") {
      (try $0["chunks"], try $0["done"])
    }[0]
    insertChunk = try Insert(into: ChunkRow.table, of: database)
    insertChunkFile = try Insert(into: ChunkFileRow.table, of: database)
  }

  deinit { if pages >= 0 { close(pages) } }

  /// Nobody else may read or write what is half done; nor is there a file for that in memory.
  static let exclusive = "PRAGMA locking_mode = EXCLUSIVE;"
  /// A commit is on the disk when it returns: no crash loses what was committed. Other files are synchronised before a commit that refers to
  /// them.
  private static let durability = """
    PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA cache_size = -4096;
    """

  /// Opens a file next to the database: new, or resumed at the end of the last chunk.
  func open<File: ResumableFile>(_ path: String, _ make: (String, Checkpoint?) throws -> File) throws -> File {
    let checkpoints = try database.rows(
      "SELECT end, length, crc32 FROM chunk_file WHERE chunk_id = ? AND file = ?", chunks - 1, lastPathComponent(path)
    ) {
      Checkpoint(
        end: try $0["end"], length: try $0["length"], crc32: UInt32(truncatingIfNeeded: try $0["crc32"] as Int))
    }
    let part = path.unfinished
    func unresumable(_ problem: String) -> ResultsError {
      PreviousRun.unresumable(ResultsError(path: part, problem: problem, cause: .changed))
    }
    guard checkpoints.isEmpty || FileManager.default.fileExists(atPath: part) else {
      throw unresumable("this file of it is missing")
    }
    let file = try make(path, checkpoints.first)
    guard checkpoints.first?.isContent(of: part) != false else {
      throw unresumable("this file of it has changed since")
    }
    files.append(file)
    return file
  }

  /// Writes chunks, each by `append`, with how many rows of the input are done by it and how far the files have come.
  ///
  /// What several calls have written is committed together, all of it or nothing, with what `ending` writes about all rows
  /// so far, the same in all calls: a commit waits for the disk, and many blocks come in less time than it takes.
  func write<Chunk: RowChunk>(
    _ group: [Chunk], _ append: (Chunk) throws -> Void, ending: @escaping () throws -> Void = {}
  ) throws {
    let start = try begin(ending)
    do {
      for chunk in group {
        try append(chunk)
        try insertChunk(ChunkRow(id: chunks, firstRow: rows, rows: chunk.rows))
        for file in files {
          try insertChunkFile(
            ChunkFileRow(chunk: chunks, file: lastPathComponent(file.path), checkpoint: file.checkpoint))
        }
        chunks += 1
        rows += chunk.rows
      }
      if start.duration(to: .now) >= commitInterval(from: start) { try commit() }
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction where none has begun. *Returns* when it did.
  private func begin(_ ending: @escaping () throws -> Void) throws -> ContinuousClock.Instant {
    if let uncommitted { return uncommitted.since }
    try database.execute("BEGIN")
    let start = ContinuousClock.now
    firstWrite = firstWrite ?? start
    uncommitted = Uncommitted(since: start, chunks: chunks, rows: rows, ending: ending)
    return start
  }

  /// What was written since the last commit.
  private struct Uncommitted {
    var since: ContinuousClock.Instant
    /// Those that were committed.
    var chunks: Int
    var rows: Int
    /// Writes about all rows what they need to be resumed.
    var ending: () throws -> Void
  }

  /// As long as rows had been written before, so that the first are soon safe, but no longer than a moment.
  private func commitInterval(from start: ContinuousClock.Instant) -> Duration {
    min((firstWrite ?? start).duration(to: start), ResultsStore.longestCommitInterval)
  }

  /// Commits what was written since the last time.
  package func commit() throws {
    guard let uncommitted else { return }
    do {
      try uncommitted.ending()
      // What the database says of files must be true after a crash of the machine, too.
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

  /// Lets the system forget the rows that were written: for those that nobody reads again in this run.
  private func releasePages() {
    if pages < 0 { pages = Foundation.open(database.path, O_RDONLY | O_CLOEXEC) }
    let size = lseek(pages, 0, SEEK_END)
    if size > 0 { PageCache.release(pages, 0..<Int(size)) }
  }

  /// In one transaction: adds what `body` writes, statistics, indices and the layers of the GeoPackage, ends the files,
  /// and records that everything is done. Only the names are left to be given, and nothing can be written
  /// any more.
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

  /// Records how far a run came that stops before its end.
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

  /// Sets what finished results say in words.
  fileprivate func recordHeadline() throws {
    let headline = try Headline(of: ResultsDatabase(of: self))
    var record = JobRecord()
    record.figures[.headline] = try headline.sentence()
    record.figures[.missing] = try headline.missing()
    try self.record(record)
  }

  /// Numbers the entries of table `job` by their keys: they were entered as the run went, which one that is resumed does
  /// in another order.
  func numberEntries() throws {
    try execute(
      """
      UPDATE job SET fid = -(SELECT count(*) FROM job AS other WHERE other.key <= job.key);
      UPDATE job SET fid = -fid;
      """)
  }
}

/// Answers to rows of the input that were computed together.
protocol RowChunk: Sendable {
  /// How many rows of the input these are.
  var rows: Int { get }
}

/// Writes the answers of one kind of job, in the order of the input.
protocol ChunkWriter {
  associatedtype Chunk: RowChunk & Journaled
  /// A chunk as it is written: its rows as values of their tables, and what they add up to.
  associatedtype Encoded: RowChunk = Chunk
  associatedtype Ending: ChunkEnding = NoEnding
  /// Called on the threads of the workers.
  var encode: @Sendable (Chunk) -> Encoded { get }
  /// Writes chunks: all of them or none.
  func write(encoded chunks: [Encoded]) throws
  /// Adds what is computed over all rows: statistics, sums, indices. Only the names are left to be given.
  func seal(_ job: JobRecord, _ ending: Ending) throws
}

extension ChunkWriter {
  func write(_ chunks: [Chunk]) throws { try write(encoded: chunks.map(encode)) }
}

extension ChunkWriter where Encoded == Chunk {
  var encode: @Sendable (Chunk) -> Chunk { { $0 } }
}

/// What rows add up to beside their chunks. Parts of a job have parts of it.
package protocol ChunkEnding: Journaled {
  mutating func add(_ other: Self)
  /// Whether another is of the same job.
  func isLike(_ other: Self) -> Bool
}

package struct NoEnding: ChunkEnding, JournaledFields {
  package init() {}
  package func add(_: NoEnding) {}
  package func isLike(_: NoEnding) -> Bool { true }
  package func listFields<Journal: JournalVisitor>(in _: inout Journal) {}
}

/// What is in the tables before the first chunk. The writer of each kind makes one: `RouteWriter.head`, ….
package struct ResultsHead {
  let rejected: [RejectedRow]
  package let places: PlaceRows
  let backdrop: [BackdropRow]
  /// Whether all ids of the results are whole numbers.
  let idsAreNumbers: Bool
  /// How many bytes the longest rows have, about: those that would fill several pages get larger ones.
  let longestRow: Int
  /// The hours of the job; none where it has none.
  let departures: [DepartureRow]
  /// Nil where the job has neither speeds nor traffic.
  package var speeds: SpeedTables?
  /// Nil in a job that travels on streets alone.
  var transit: (feeds: [TransitFeedRow], hours: [ServiceHourRow])?
  /// How many threads make the rows of places.
  var workers = 1
  /// The statements that make the kind's own tables.
  private let tables: (SQLTypes) -> String
  /// Writes what the kind itself has before the first chunk.
  private let writeRows: (SQLite) throws -> Void

  init(
    rejected: [RejectedRow], backdrop: [BackdropRow], places: PlaceRows, idsAreNumbers: Bool,
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
    if let transit {
      try database.execute(TransitFeedRow.table.creation(types) + ServiceHourRow.table.creation(types))
      try database.insert(transit.feeds, into: TransitFeedRow.table)
      try database.insert(transit.hours, into: ServiceHourRow.table)
    }
    try database.record(JobRecord(identity: job.identity, figures: job.figures))
    try database.insert(rejected, into: RejectedRow.table)
    try places.write(to: database, workers: workers)
    try speeds?.write(to: database, types)
    try writeRows(database)
    try database.insert(backdrop, into: BackdropRow.table)
  }
}

/// A row of table `chunk`: rows of the input that were written together.
struct ChunkRow {
  var id: Int
  var firstRow: Int
  var rows: Int

  static let table = Table<ChunkRow>(
    "chunk", "group of rows that were written together",
    [
      .key("chunk_id", "from 0") { $0.id },
      .integer("first_row", "first input row, from 0") { $0.firstRow },
      .integer("rows", "number of rows") { $0.rows },
      .text("state", "`written`") { _ in "written" },
    ])
}

/// A row of table `chunk_file`: how far a file had come with a chunk.
struct ChunkFileRow {
  var chunk: Int
  /// The file's name.
  var file: String
  var checkpoint: Checkpoint

  static let table = Table<ChunkFileRow>(
    "chunk_file", "chunk and file next to the database", key: ["chunk_id", "file"],
    [
      .integer("chunk_id", "number of the chunk") { $0.chunk },
      .text("file", "name of the file") { $0.file },
      .integer("end", "size of the file in bytes after the chunk") { $0.checkpoint.end },
      .integer("length", "bytes of text before compression") { $0.checkpoint.length },
      .lineBreak,
      .integer("crc32", "checksum of the text") { Int($0.checkpoint.crc32) },
    ])
}
