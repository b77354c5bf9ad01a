import Geography

/// Writes the results of kind `isochrones`, chunk after chunk in the order of the places. Belongs to one thread.
package final class IsochroneWriter: ChunkWriter {
  private let store: ResultsStore
  private let geoJSON: GeoJSONFile
  private let streets: GeoJSONFile?
  private var insert: SQLite.Statement?

  package init(_ store: ResultsStore, hasStreets: Bool) throws {
    self.store = store
    func file(_ path: String) throws -> GeoJSONFile {
      try store.open(path) { try GeoJSONFile(path: $0, store.provenance, from: $1) }
    }
    geoJSON = try file(store.folder.isochrones)
    streets = hasStreets ? try file(store.folder.streets) : nil
    insert = try store.database.prepare(Schema.insertIsochrone)
  }

  /// The tables it writes.
  package static func tables(_ store: ResultsStore) -> String { Schema.isochrones(store.id) }

  /// Places that were computed together.
  package struct Chunk: RowChunk {
    /// How many places these are.
    package var rows: Int
    package var areas: [IsochroneRow]
    package var features: DeflatedBlock
    /// Stretches of streets, where wanted.
    package var streets: DeflatedBlock?
    package init(rows: Int, areas: [IsochroneRow], features: DeflatedBlock, streets: DeflatedBlock?) {
      (self.rows, self.areas, self.features, self.streets) = (rows, areas, features, streets)
    }
  }

  package func write(_ chunks: [Chunk]) throws {
    guard let insert else { preconditionFailure("the results are finished") }
    try store.write(chunks) { chunk in
      try geoJSON.append(chunk.features)
      if let part = chunk.streets { try streets!.append(part) }
      for row in chunk.areas {
        insert.bind(row.place)
        insert.bind(row.fromThreshold)
        insert.bind(row.threshold)
        insert.bind(row.status.rawValue)
        insert.bind(row.found?.squareMetres)
        insert.bind(row.found?.streetMetres)
        insert.bind(blob: row.found.map { $0.shape.bytes })
        try insert.run()
      }
    }
  }

  /// Adds statistics and indices; only the names are left to be given.
  package func seal(job: [(key: String, value: String)]) throws {
    insert = nil
    try store.seal(indices: Schema.isochroneIndices, layers: [.isochrones], job: job, measures)
  }

  /// From the table itself.
  private func measures() throws -> [Measures] {
    var measures: [Int: Measures] = [:]
    let rows = try store.database.prepare(Schema.areas)
    while try rows.next() {
      let threshold = rows.integer(0)
      measures[threshold, default: Measures(scope: "threshold:\(threshold)")].add(rows.double(1), to: .area)
    }
    return measures.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// A row of table `isochrone`: the area within a threshold of a place.
package struct IsochroneRow: Sendable {
  package var place: Identifier
  /// Seconds; the area of those within `fromThreshold` is left out, if it is not 0.
  package var fromThreshold: Int
  package var threshold: Int
  package var status: RowStatus
  package var found: Found?

  package struct Found: Sendable {
    package var squareMetres: Double
    /// How much of streets is within the threshold.
    package var streetMetres: Double
    package var shape: GeometryBlob
    package init(_ area: ReachedArea, streetMetres: Double) {
      squareMetres = area.squareMetres.rounded()
      self.streetMetres = streetMetres.rounded()
      shape = GeometryBlob(polygons: area.polygons)
    }
  }

  package init(place: Identifier, fromThreshold: Int, threshold: Int, status: RowStatus, found: Found?) {
    (self.place, self.fromThreshold, self.threshold) = (place, fromThreshold, threshold)
    (self.status, self.found) = (status, found)
  }
}

extension TextBuffer {
  /// Appends an isochrone as a GeoJSON Feature on one line.
  package mutating func append(_ row: IsochroneRow, _ area: ReachedArea) {
    begin(row)
    append("},\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[")
    for (number, rings) in area.polygons.enumerated() {
      append(text: number > 0 ? ",[" : "[")
      append(lines: rings)
      append("]")
    }
    append("]}}")
  }

  /// Appends the stretches of streets within a threshold as a GeoJSON Feature on one line.
  package mutating func append(_ row: IsochroneRow, streets: [[FixedCoordinate]]) {
    begin(row)
    append("},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[")
    append(lines: streets)
    append("]}}")
  }

  private mutating func begin(_ row: IsochroneRow) {
    append("{\"type\":\"Feature\",\"properties\":{\"place_id\":")
    append(row.place)
    append(",\"from_threshold\":")
    append(integer: row.fromThreshold)
    append(",\"threshold\":")
    append(integer: row.threshold)
    append(",\"area\":")
    append(decimal: Int64(row.found?.squareMetres ?? 0), places: 0)
    append(",\"street_length\":")
    append(decimal: Int64(row.found?.streetMetres ?? 0), places: 0)
  }

  private mutating func append(lines: [[FixedCoordinate]]) {
    for (number, line) in lines.enumerated() {
      append(text: number > 0 ? ",[" : "[")
      append(positions: line[...])
      append("]")
    }
  }
}
