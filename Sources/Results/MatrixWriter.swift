import Foundation

/// Writes the results of kind `matrix`, block after block in the order of the origins: rows into the database, NumPy files and
/// a long CSV beside it, as far as they are wanted.
///
///     let writer = try MatrixWriter(store, .init(rows: 100, columns: 50, hasDistances: true, formats: [.sqlite, .npy]))
///     try writer.write(blocks)                           // as often as there are some
///     try writer.seal(job: facts)
///
/// Belongs to one thread.
package final class MatrixWriter: ChunkWriter {
  private let store: ResultsStore
  private let shape: Shape
  private var inserts: Inserts?
  private let travelTimes: NumPyFile?
  private let distances: NumPyFile?
  private let csv: CSVFile?
  private var times: Spread
  private var lengths: Spread

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
    let spread: SQLite.Statement

    init(_ database: SQLite) throws {
      row = try database.prepare(Schema.insertMatrixRow)
      summary = try database.prepare(Schema.insertSummary)
      within = try database.prepare(Schema.insertWithin)
      spread = try database.prepare(Schema.setSpread)
    }
  }

  package init(_ store: ResultsStore, _ shape: Shape) throws {
    self.store = store
    self.shape = shape
    inserts = try Inserts(store.database)
    let spreads = try ResultsDatabase(store.database).spreads()
    times = spreads[Statistic.Measure.expectedTravelTime.rawValue] ?? Spread()
    lengths = spreads[Statistic.Measure.distance.rawValue] ?? Spread()
    func numPy(_ path: String, _ isWanted: Bool) throws -> NumPyFile? {
      guard isWanted && shape.formats.contains(.npy) else { return nil }
      return try store.open(path) { try NumPyFile(path: $0, rows: shape.rows, columns: shape.columns, from: $1) }
    }
    travelTimes = try numPy(store.folder.travelTimes, true)
    distances = try numPy(store.folder.distances, shape.hasDistances)
    let columns = "origin_id,destination_id,expected_travel_time" + (shape.hasDistances ? ",distance" : "")
    csv =
      shape.formats.contains(.csv)
      ? try store.open(store.folder.matrix) { try CSVFile(path: $0, columns: columns, store.provenance, from: $1) }
      : nil
  }

  /// The tables it writes.
  package static func tables(_ store: ResultsStore, hasDistances: Bool) -> String {
    Schema.matrices(store.id) + Schema.matrixView(hasDistances: hasDistances)
  }

  /// Rows that were computed together, in every form that is wanted.
  package struct Block: RowChunk {
    package var rows: Int { origins.count }
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

  package func write(_ blocks: [Block]) throws {
    guard let inserts else { preconditionFailure("the results are finished") }
    try store.write(blocks) { block in
      try travelTimes?.append(block.travelTimes)
      try distances?.append(block.distances)
      if let part = block.csv { try csv!.append(part) }
      times.add(block.times)
      lengths.add(block.lengths)
      if shape.formats.contains(.sqlite) { try writeRows(block, inserts.row) }
      for summary in block.summaries { try write(summary, inserts) }
    } ending: {
      for (measure, spread) in [(Statistic.Measure.expectedTravelTime, times), (.distance, lengths)] {
        inserts.spread.bind(measure.rawValue)
        inserts.spread.bind(blob: spread.bytes)
        try inserts.spread.run()
      }
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

  /// Adds statistics and indices; only the names are left to be given.
  package func seal(job: [(key: String, value: String)]) throws {
    inserts = nil
    try store.seal(indices: Schema.matrixIndices, layers: [], job: job) {
      // It stood there for a run that would go on.
      try store.database.run(Schema.dropSpread)
      return [lengths.measures(.distance, scale: 100), times.measures(.expectedTravelTime, scale: 1000)]
        .compactMap(\.self)
    }
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
