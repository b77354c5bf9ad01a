import Foundation
import Geography

/// The database of a results folder while it is being written: what every kind of job keeps in it. The writers of rows
/// (`RouteWriter`, `MatrixWriter`) share it. Belongs to one thread.
package final class ResultsStore {
  package let folder: ResultsFolder
  let database: SQLite
  /// The type of columns of ids.
  let id: Schema.ID
  private var insertChunk: SQLite.Statement?
  private var insertChunkFile: SQLite.Statement?
  private var chunkCount = 0
  private var rowCount = 0

  /// Results in `folder`, begun anew.
  ///
  /// - Parameters:
  ///   - rowBytes: How long the longest rows will be, about: those that would fill several pages get larger ones.
  ///   - areNumbers: Whether all ids that will be written are whole numbers.
  package init(
    _ folder: ResultsFolder, rowBytes: Int = 0, idsAreNumbers areNumbers: Bool, job: [(String, String)]
  ) throws {
    self.folder = folder
    id = areNumbers ? .number : .text
    try folder.create()
    let path = ResultsFolder.unfinished(folder.database)
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    database = try SQLite(path: path, creating: true)
    // A crash of the program loses nothing; one of the machine may cost the unfinished file, which is begun again.
    let pageSize = rowBytes > 32_768 ? 65_536 : 16_384
    try database.run("PRAGMA page_size = \(pageSize); PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF;")
    try database.run("PRAGMA cache_size = -16384; PRAGMA locking_mode = EXCLUSIVE; \(GeoPackage.header)")
    try transaction {
      try database.run(GeoPackage.tables + Schema.common(id))
      try setJob(job)
    }
    insertChunk = try database.prepare(Schema.insertChunk)
    insertChunkFile = try database.prepare(Schema.insertChunkFile)
  }

  package func write(_ places: [PlaceRow]) throws {
    try transaction {
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
  }

  package func write(_ streets: [StreetRow]) throws {
    try transaction {
      let insert = try database.prepare(Schema.insertStreet)
      for street in streets {
        insert.bind(street.roadClass)
        insert.bind(blob: GeometryBlob(line: street.points[...]).bytes)
        try insert.run()
      }
    }
  }

  package func write(_ rejected: [RejectedRow]) throws {
    try transaction {
      let insert = try database.prepare(Schema.insertRejected)
      for row in rejected {
        insert.bind(row.file)
        insert.bind(row.line)
        insert.bind(row.text)
        insert.bind(row.reason)
        try insert.run()
      }
    }
  }

  /// In one transaction writes a chunk by `body`, and notes that so many rows of the input are done, and how far each
  /// GeoJSON file has come.
  func writeChunk(rows: Int, files: [GeoJSONFile] = [], _ body: () throws -> Void) throws {
    guard let insertChunk, let insertChunkFile else { preconditionFailure("the results are finished") }
    try transaction {
      try body()
      insertChunk.bind(chunkCount)
      insertChunk.bind(rowCount)
      insertChunk.bind(rows)
      try insertChunk.run()
      for file in files {
        insertChunkFile.bind(chunkCount)
        insertChunkFile.bind((file.path as NSString).lastPathComponent)
        insertChunkFile.bind(file.member.end)
        insertChunkFile.bind(file.member.length)
        insertChunkFile.bind(Int(file.member.crc32))
        try insertChunkFile.run()
      }
    }
    chunkCount += 1
    rowCount += rows
  }

  /// Adds statistics, indices and the layers of the GeoPackage, and gives the database its name. No statement of others
  /// may be left.
  func finish(_ measures: [Measures], indices: String, layers: [GeoPackage.Layer], job: [(String, String)]) throws {
    try transaction {
      let spread = measures.flatMap { $0.spread() }
      try write(spread.map(\.statistic))
      try write(spread.compactMap(\.histogram))
      try database.run(Schema.placeIndex + indices)
      for layer in [.places, .streets] + layers { try register(layer) }
      try setJob(job)
    }
    insertChunk = nil
    insertChunkFile = nil
    try database.run("PRAGMA journal_mode = DELETE;")
    try database.close()
    try ResultsFolder.finish(folder.database)
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
  package func interrupt(job: [(String, String)]) throws {
    try transaction { try setJob(job) }
  }

  private func setJob(_ facts: [(String, String)]) throws {
    let set = try database.prepare(Schema.setJob)
    for (key, value) in facts {
      set.bind(key)
      set.bind(Identifier(value))
      try set.run()
    }
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

  func transaction(_ body: () throws -> Void) throws {
    try database.run("BEGIN")
    try body()
    try database.run("COMMIT")
  }
}

func metres(_ centimetres: Int64) -> Double { Double(centimetres) / 100 }
func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }
private func degrees(_ fixed: Int32) -> Double { Double(fixed) / 1e7 }
