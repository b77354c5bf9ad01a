import Foundation
import Geography

/// The database of a results folder while it is being written: what every kind of job keeps in it. The writers of rows
/// (`RouteWriter`, `MatrixWriter`) share it. Belongs to one thread.
package final class ResultsStore {
  package let folder: ResultsFolder
  let database: SQLite
  private var insertChunk: SQLite.Statement?
  private var chunkCount = 0
  private var rowCount = 0

  /// Results in `folder`, begun anew.
  ///
  /// - Parameter rowBytes: How long the longest rows will be, about: those that would fill several pages get larger ones.
  package init(_ folder: ResultsFolder, rowBytes: Int = 0, job: [(String, String)]) throws {
    self.folder = folder
    try folder.create()
    let path = ResultsFolder.unfinished(folder.database)
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    database = try SQLite(path: path, creating: true)
    // A crash of the program loses nothing; one of the machine may cost the unfinished file, which is begun again.
    let pageSize = rowBytes > 32_768 ? 65_536 : 16_384
    try database.run("PRAGMA page_size = \(pageSize); PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF;")
    try database.run("PRAGMA cache_size = -16384; PRAGMA locking_mode = EXCLUSIVE; \(Schema.tables)")
    insertChunk = try database.prepare(Schema.insertChunk)
    try transaction { try setJob(job) }
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

  /// In one transaction writes a chunk by `body`, and notes that so many rows of the input are done, and how far the
  /// GeoJSON has come, if there is one.
  func writeChunk(rows: Int, geoJSON: GzipMember? = nil, _ body: () throws -> Void) throws {
    guard let insertChunk else { preconditionFailure("the results are finished") }
    try transaction {
      try body()
      insertChunk.bind(chunkCount)
      insertChunk.bind(rowCount)
      insertChunk.bind(rows)
      insertChunk.bind(geoJSON.map { Double($0.end) })
      insertChunk.bind(geoJSON.map { Double($0.length) })
      insertChunk.bind(geoJSON.map { Double($0.crc32) })
      try insertChunk.run()
    }
    chunkCount += 1
    rowCount += rows
  }

  /// Adds statistics and indices and gives the database its name. No statement of others may be left.
  func finish(_ statistics: [Statistic], indices: String, job: [(String, String)]) throws {
    try transaction {
      try write(statistics)
      try database.run(indices)
      try setJob(job)
    }
    insertChunk = nil
    try database.run("PRAGMA journal_mode = DELETE;")
    try database.close()
    try ResultsFolder.finish(folder.database)
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

  func transaction(_ body: () throws -> Void) throws {
    try database.run("BEGIN")
    try body()
    try database.run("COMMIT")
  }
}

func metres(_ centimetres: Int64) -> Double { Double(centimetres) / 100 }
func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }
private func degrees(_ fixed: Int32) -> Double { Double(fixed) / 1e7 }
