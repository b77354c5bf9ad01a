import Foundation

/// Writes the results of kind `matrix`, block after block in the order of the origins: rows into the database, NumPy files and
/// a long CSV beside it, as far as they are wanted.
///
///     let writer = try MatrixWriter(store, .init(rows: 100, columns: 50, hasDistances: true, formats: [.sqlite, .npy]))
///     try writer.write(block)                            // as often as there are blocks
///     try writer.finish(job: facts)
///
/// One transaction a block. Belongs to one thread.
package final class MatrixWriter {
  private let store: ResultsStore
  private let shape: Shape
  private var inserts: Inserts?
  private let travelTimes: NumPyFile?
  private let distances: NumPyFile?
  private var csv: GzipMember?
  private var times = Spread()
  private var lengths = Spread()

  /// In what a matrix can be written.
  package enum Format: String, Sendable, CaseIterable { case sqlite, npy, csv }

  /// What is written.
  package struct Shape: Sendable {
    package var rows: Int
    package var columns: Int
    package var hasDistances: Bool
    package var formats: Set<Format>
    package init(rows: Int, columns: Int, hasDistances: Bool, formats: Set<Format>) {
      (self.rows, self.columns, self.hasDistances, self.formats) = (rows, columns, hasDistances, formats)
    }
  }

  private struct Inserts {
    let row: SQLite.Statement
    let summary: SQLite.Statement
    let within: SQLite.Statement

    init(_ database: SQLite) throws {
      row = try database.prepare(Schema.insertMatrixRow)
      summary = try database.prepare(Schema.insertSummary)
      within = try database.prepare(Schema.insertWithin)
    }
  }

  package init(_ store: ResultsStore, _ shape: Shape) throws {
    self.store = store
    self.shape = shape
    try store.database.run(Schema.matrices(store.id) + Schema.matrixView(hasDistances: shape.hasDistances))
    inserts = try Inserts(store.database)
    func numPy(_ path: String, _ isWanted: Bool) throws -> NumPyFile? {
      guard isWanted && shape.formats.contains(.npy) else { return nil }
      return try NumPyFile(path: ResultsFolder.unfinished(path), rows: shape.rows, columns: shape.columns)
    }
    travelTimes = try numPy(store.folder.travelTimes, true)
    distances = try numPy(store.folder.distances, shape.hasDistances)
    guard shape.formats.contains(.csv) else { return }
    csv = try GzipMember(path: ResultsFolder.unfinished(store.folder.matrix))
    try csv!.append(
      stored: shape.hasDistances
        ? "origin_id,destination_id,expected_travel_time,distance\n" : "origin_id,destination_id,expected_travel_time\n"
    )
  }

  /// Rows that were computed together, in every form that is wanted.
  package struct Block: Sendable {
    package var origins: [Identifier]
    /// The rows' JSON arrays behind one another, and where each ends: times, then, where wanted, distances.
    package var text: TextBytes
    package var ends: [Int] = []
    package var travelTimes: [Float] = []
    package var distances: [Float] = []
    package var csv: DeflatedBlock?
    package var times = Spread()
    package var lengths = Spread()
    package var summaries: [OriginSummary] = []
    package init(origins: [Identifier], text: TextBytes) { (self.origins, self.text) = (origins, text) }
  }

  package func write(_ block: Block) throws {
    guard let inserts else { preconditionFailure("the results are finished") }
    try travelTimes?.append(block.travelTimes)
    try distances?.append(block.distances)
    if let part = block.csv { try csv!.append(part) }
    times.add(block.times)
    lengths.add(block.lengths)
    try store.writeChunk(rows: block.origins.count) {
      if shape.formats.contains(.sqlite) { try writeRows(block, inserts.row) }
      for summary in block.summaries { try write(summary, inserts) }
    }
  }

  private func writeRows(_ block: Block, _ insert: SQLite.Statement) throws {
    var (start, at) = (0, 0)
    func next() -> UnsafeBufferPointer<UInt8> {
      let end = block.ends[at]
      defer { (start, at) = (end, at + 1) }
      return block.text.bytes(start..<end)
    }
    for origin in block.origins {
      insert.bind(origin)
      insert.bind(staying: next())
      if shape.hasDistances { insert.bind(staying: next()) } else { insert.bind(Double?.none) }
      try insert.run()
    }
  }

  private func write(_ summary: OriginSummary, _ inserts: Inserts) throws {
    let insert = inserts.summary
    insert.bind(summary.origin)
    insert.bind(summary.reachable)
    if let nearest = summary.nearest { insert.bind(nearest.destination) } else { insert.bind(Double?.none) }
    insert.bind(summary.nearest.map { seconds(Int64($0.milliseconds)) })
    insert.bind(summary.nearest?.centimetres.map { metres(Int64($0)) })
    insert.bind(summary.meanTravelTime)
    insert.bind(summary.meanDistance)
    try insert.run()
    for within in summary.within {
      inserts.within.bind(summary.origin)
      inserts.within.bind(within.threshold)
      inserts.within.bind(within.destinations)
      inserts.within.bind(within.weight)
      try inserts.within.run()
    }
  }

  /// How many cells have a way.
  package var reachableCells: Int { times.count }

  /// Adds statistics and indices and gives the files their names.
  package func finish(job: [(String, String)]) throws {
    inserts = nil
    try travelTimes?.finish()
    try distances?.finish()
    try csv?.finish()
    if travelTimes != nil { try ResultsFolder.finish(store.folder.travelTimes) }
    if distances != nil { try ResultsFolder.finish(store.folder.distances) }
    if csv != nil { try ResultsFolder.finish(store.folder.matrix) }
    let measures = [
      lengths.measures(.distance, scale: 100), times.measures(.expectedTravelTime, scale: 1000),
    ].compactMap(\.self)
    try store.finish(measures, indices: Schema.matrixIndices, layers: [], job: job)
  }
}

/// What is kept of an origin's row where the row itself is not wanted.
package struct OriginSummary: Sendable {
  package var origin: Identifier
  /// Destinations that a way leads to.
  package var reachable = 0
  package var nearest: Nearest?
  /// Seconds, over the reachable destinations.
  package var meanTravelTime: Double?
  /// Metres.
  package var meanDistance: Double?
  package var within: [Within] = []

  package struct Nearest: Sendable {
    package var destination: Identifier
    package var milliseconds: UInt32
    package var centimetres: UInt32?
    package init(destination: Identifier, milliseconds: UInt32, centimetres: UInt32?) {
      (self.destination, self.milliseconds, self.centimetres) = (destination, milliseconds, centimetres)
    }
  }

  /// Destinations within a time.
  package struct Within: Sendable {
    /// Seconds.
    package var threshold: Int
    package var destinations: Int
    /// The sum of their weights; nil where destinations have none.
    package var weight: Double?
    package init(threshold: Int, destinations: Int, weight: Double?) {
      (self.threshold, self.destinations, self.weight) = (threshold, destinations, weight)
    }
  }

  package init(origin: Identifier) { self.origin = origin }
}
