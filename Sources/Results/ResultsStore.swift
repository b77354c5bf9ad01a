import Foundation
import Geography

/// The database of a results folder while it is being written: what every kind of job keeps in it. The writers of rows
/// (`RouteWriter`, `MatrixWriter`) share it. Belongs to one thread.
package final class ResultsStore {
  package let folder: ResultsFolder
  let provenance: Provenance
  let database: SQLite
  /// The type of columns of ids.
  let id: Schema.ID
  /// Rows of the input that are done, and the chunks they came in.
  package private(set) var rows = 0
  package private(set) var chunks = 0
  /// Whether an earlier run has begun these results.
  package let isResumed: Bool
  private let job: JobRecord
  private var files: [any GrowingFile] = []
  private var insertChunk: SQLite.Statement?
  private var insertChunkFile: SQLite.Statement?

  /// Results in `folder`: gone on with where an earlier run of the same job stopped, or begun anew.
  ///
  /// - Parameters:
  ///   - leftover: What lies in the folder; not sealed results.
  ///   - rowBytes: How long the longest rows will be, about: those that would fill several pages get larger ones.
  ///   - areNumbers: Whether all ids that will be written are whole numbers.
  package init(
    _ folder: ResultsFolder, _ leftover: Leftover, rowBytes: Int = 0, idsAreNumbers areNumbers: Bool, job: JobRecord
  ) throws {
    self.folder = folder
    self.job = job
    provenance = job.provenance
    id = areNumbers ? .number : .text
    if case .unfinished = leftover { isResumed = true } else { isResumed = false }
    if !isResumed { folder.discard() }
    database = try SQLite(path: ResultsFolder.unfinished(folder.database), isResumed ? .writing : .creating)
    if !isResumed {
      try database.run("PRAGMA page_size = \(rowBytes > 32_768 ? 65_536 : 16_384); \(GeoPackage.header)")
    }
    try database.run(ResultsStore.holding + ResultsStore.durability)
  }

  /// Nobody else may read or write what is half done; nor is there a file for that in memory.
  static let holding = "PRAGMA locking_mode = EXCLUSIVE;"
  /// A commit is written, and on the disk at the next checkpoint: a crash of the program loses nothing, one of the
  /// machine the last commits. The files beside are synchronised before a commit that tells of them.
  private static let durability = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384;"

  /// In one transaction makes the tables and writes what stands in them before the first chunk; where that was done by
  /// an earlier run, only notes that there is another.
  package func begin(tables: String, _ body: () throws -> Void) throws {
    try transaction {
      if !isResumed {
        try database.run(GeoPackage.tables + Schema.common(id) + tables)
        try database.note(job.identity)
        try body()
      }
      try database.note(job.course + [("state", "running")])
    }
    let done = try ResultsDatabase(database).rows(Schema.progress) { ($0.integer(0), $0.integer(1)) }
    (chunks, rows) = done[0]
    insertChunk = try database.prepare(Schema.insertChunk)
    insertChunkFile = try database.prepare(Schema.insertChunkFile)
  }

  /// Begins a file beside the database, or goes on with it at the end of the last chunk.
  func open<File: GrowingFile>(_ path: String, _ make: (String, FileMark?) throws -> File) throws -> File {
    let marks = try ResultsDatabase(database).rows(Schema.marks, chunks - 1) { row in
      (row.text(0), FileMark(end: row.integer(1), length: row.integer(2), crc32: UInt32(row.integer(3))))
    }
    let file = try make(path, marks.first { $0.0 == lastPathComponent(path) }?.1)
    files.append(file)
    return file
  }

  // Of what stands in the tables before the first chunk; within `begin`.

  package func write(_ places: [PlaceRow]) throws {
    let insert = try database.prepare(Schema.insertPlace)
    for place in places {
      insert.bind(place.id)
      insert.bind(place.role)
      insert.bind(place.name)
      insert.bind(degrees(place.coordinate.latitude))
      insert.bind(degrees(place.coordinate.longitude))
      insert.bind(place.snapped.map { degrees($0.latitude) })
      insert.bind(place.snapped.map { degrees($0.longitude) })
      insert.bind(place.snapDistance)
      insert.bind(place.street)
      insert.bind(place.status.rawValue)
      insert.bind(place.weight)
      insert.bind(point: place.coordinate)
      try insert.run()
    }
  }

  package func write(_ places: AccessPlaces) throws {
    for list in [places.origins, places.stations, places.entrances] { try write(list) }
    let insert = try database.prepare(Schema.insertPlaceWeight)
    for origin in places.origins.indices {
      for weight in places.weights where !weight.values[origin].isNaN {
        insert.bind(origin + 1)
        insert.bind(weight.name)
        insert.bind(weight.values[origin])
        try insert.run()
      }
    }
  }

  package func write(_ streets: [StreetRow]) throws {
    let insert = try database.prepare(Schema.insertStreet)
    for street in streets {
      insert.bind(street.roadClass)
      insert.bind(blob: GeometryBlob(line: street.points[...]).bytes)
      try insert.run()
    }
  }

  package func write(_ rejected: [RejectedRow]) throws {
    let insert = try database.prepare(Schema.insertRejected)
    for row in rejected {
      insert.bind(row.file)
      insert.bind(row.line)
      insert.bind(row.text)
      insert.bind(row.reason)
      try insert.run()
    }
  }

  /// Writes chunks in one transaction: each by `append`, with how many rows of the input are done by it, and how far
  /// the files have come; then what `ending` writes.
  func write<Chunk: RowChunk>(
    _ group: [Chunk], _ append: (Chunk) throws -> Void, ending: () throws -> Void = {}
  ) throws {
    guard let insertChunk, let insertChunkFile else { preconditionFailure("the results are not begun, or finished") }
    try transaction {
      for chunk in group {
        try append(chunk)
        insertChunk.bind(chunks)
        insertChunk.bind(rows)
        insertChunk.bind(chunk.rows)
        try insertChunk.run()
        for file in files {
          let mark = file.mark
          insertChunkFile.bind(chunks)
          insertChunkFile.bind(lastPathComponent(file.path))
          insertChunkFile.bind(mark.end)
          insertChunkFile.bind(mark.length)
          insertChunkFile.bind(Int(mark.crc32))
          try insertChunkFile.run()
        }
        chunks += 1
        rows += chunk.rows
      }
      try ending()
      // What the database tells of files must be true after a crash of the machine, too.
      for file in files { try file.synchronize() }
    }
  }

  /// Ends the files; then, in one transaction, adds what `body` writes, statistics, indices and the layers of the
  /// GeoPackage, and notes that all is done. Only the names are left to be given. No statement of others may be left.
  func seal(
    indices: String, layers: [GeoPackage.Layer], job: [(key: String, value: String)], _ body: () throws -> [Measures]
  ) throws {
    for file in files { try file.finish() }
    try transaction {
      let spread = try body().flatMap { $0.spread() }
      try write(spread.map(\.statistic))
      try write(spread.compactMap(\.histogram))
      try database.run(Schema.placeIndex + indices)
      for layer in [.places, .streets] + layers { try register(layer) }
      try database.note(job + [("state", "finished")])
    }
    insertChunk = nil
    insertChunkFile = nil
    try database.run("PRAGMA journal_mode = DELETE;")
    try database.close()
  }

  private func register(_ layer: GeoPackage.Layer) throws {
    var boxes: [PackedRTree.Entry] = []
    let rows = try database.prepare(Schema.geometryHeads(of: layer.table))
    while try rows.next() {
      if let box = GeometryBlob(bytes: rows.blob(1)).box { boxes.append(.init(row: Int64(rows.integer(0)), box: box)) }
    }
    try GeoPackage.register(layer, boxes, in: database)
  }

  /// Notes facts in table `job` when the run stops before its end.
  package func interrupt(job: [(key: String, value: String)]) throws {
    try transaction { try database.note(job + [("state", "interrupted")]) }
  }

  private func write(_ statistics: [Statistic]) throws {
    let insert = try database.prepare(Schema.insertStatistic)
    for statistic in statistics {
      insert.bind(statistic.scope)
      insert.bind(statistic.measure.rawValue)
      insert.bind(statistic.count)
      for quantile in statistic.quantiles[..<4] { insert.bind(quantile) }
      insert.bind(statistic.mean)
      for quantile in statistic.quantiles[4...] { insert.bind(quantile) }
      try insert.run()
    }
  }

  private func write(_ histograms: [Histogram]) throws {
    let insert = try database.prepare(Schema.insertHistogram)
    for histogram in histograms {
      for bin in histogram.bins {
        insert.bind(histogram.scope)
        insert.bind(histogram.measure.rawValue)
        insert.bind(bin.low)
        insert.bind(bin.high)
        insert.bind(bin.count)
        try insert.run()
      }
    }
  }

  func transaction(_ body: () throws -> Void) throws { try database.transaction(body) }
}

func metres(_ centimetres: Int64) -> Double { Double(centimetres) / 100 }
func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }
private func degrees(_ fixed: Int32) -> Double { Double(fixed) / 1e7 }

/// Answers to rows of the input that were computed together.
package protocol RowChunk: Sendable {
  /// How many rows of the input these are.
  var rows: Int { get }
}

/// Writes the answers of one kind of job, in the order of the input.
package protocol ChunkWriter {
  associatedtype Chunk: RowChunk
  /// Writes chunks in one transaction: all of them or none.
  func write(_ chunks: [Chunk]) throws
}
