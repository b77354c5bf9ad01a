import Geography

/// Writes the results of kind `access`: origins and their nearest stations, chunk after chunk in the order of the origins,
/// then what each station and line serves.
///
///     let writer = try AccessWriter(store, places, thresholds: [300, 600, 900], hasRoutes: false)
///     try writer.write(chunks)                           // as often as there are some
///     try writer.seal(stations: …, lines: …, job: facts)
///
/// Belongs to one thread.
package final class AccessWriter: ChunkWriter {
  private let store: ResultsStore
  private let places: AccessPlaces
  private let thresholds: [Int]
  private let geoJSON: GeoJSONFile
  private let routes: RouteWriter?
  private var insert: SQLite.Statement?

  /// - Parameter thresholds: Seconds, ascending.
  package init(_ store: ResultsStore, _ places: AccessPlaces, thresholds: [Int], hasRoutes: Bool) throws {
    self.store = store
    self.places = places
    self.thresholds = thresholds
    geoJSON = try store.open(store.folder.access) { try GeoJSONFile(path: $0, store.provenance, from: $1) }
    routes = hasRoutes ? try RouteWriter(store, hasRoutes: true) : nil
    insert = try store.database.prepare(Schema.insertAccess)
  }

  /// The tables it writes.
  package static func tables(_ store: ResultsStore, hasRoutes: Bool) -> String {
    Schema.access(store.id) + (hasRoutes ? Schema.routes(store.id) : "")
  }

  /// Origins that were computed together.
  package struct Chunk: RowChunk {
    /// How many origins these are.
    package var rows: Int
    package var nearest: [AccessRow]
    package var features: DeflatedBlock
    /// The ways to nearest stations, where wanted.
    package var routes: RouteWriter.Chunk?
    package init(rows: Int, nearest: [AccessRow], features: DeflatedBlock, routes: RouteWriter.Chunk?) {
      (self.rows, self.nearest, self.features, self.routes) = (rows, nearest, features, routes)
    }
  }

  package func write(_ chunks: [Chunk]) throws {
    guard let insert else { preconditionFailure("the results are finished") }
    try store.write(chunks) { chunk in
      try geoJSON.append(chunk.features)
      for row in chunk.nearest {
        insert.bind(Int(row.origin) + 1)
        insert.bind(Int(row.rank))
        insert.bind(optional: row.found.map { places.origins.count + Int($0.station) + 1 })
        insert.bind(optional: row.found?.entrance.map { places.origins.count + places.stations.count + Int($0) + 1 })
        insert.bind(optional: row.found.map { Int($0.milliseconds) })
        insert.bind(optional: row.found.map { Int($0.centimetres) })
        insert.bind(row.status.rawValue)
        try insert.run()
      }
      if let part = chunk.routes { try routes!.append(part) }
    }
  }

  /// Adds what stations and lines serve, shares, statistics and indices; only the names are left to be given.
  ///
  /// - Parameters:
  ///   - stations: In the order of the stations.
  ///   - lines: In the order in which they are to stand.
  package func seal(stations: [Service], lines: [LineService], job: [(key: String, value: String)]) throws {
    insert = nil
    try store.seal(
      indices: Schema.accessIndices + (routes == nil ? "" : Schema.routeIndices),
      layers: [.access] + (routes == nil ? [] : [.routes, .steps]), job: job
    ) {
      let routeMeasures = try routes?.measures() ?? []
      let counts = try NearestTrips(store.database, places, thresholds)
      try writeShares(counts)
      try writeStations(stations, counts)
      try writeLines(lines, totals: counts.totals)
      try writeCurve(counts)
      // Steps are the routes'; all else is said of all origins alike.
      return [counts.measures.taking([.stepCount, .stepLength], from: routeMeasures.first)]
    }
  }

  private func writeShares(_ counts: NearestTrips) throws {
    let insert = try store.database.prepare(Schema.insertShare)
    for (place, threshold) in thresholds.enumerated() {
      for (measure, name) in places.measures.enumerated() {
        let (value, total) = (counts.served[place][measure], counts.totals[measure])
        insert.bind(threshold)
        insert.bind(name)
        insert.bind(value)
        insert.bind(total)
        insert.bind(total > 0 ? value / total : nil)
        try insert.run()
      }
    }
  }

  private func writeStations(_ stations: [Service], _ counts: NearestTrips) throws {
    let insert = try store.database.prepare(Schema.insertStationService)
    for (station, service) in stations.enumerated() {
      for (place, threshold) in thresholds.enumerated() {
        for (measure, name) in places.measures.enumerated() {
          let (value, total) = (service.values[place][measure], counts.totals[measure])
          insert.bind(places.stations[station].id)
          insert.bind(threshold)
          insert.bind(name)
          insert.bind(value)
          insert.bind(total > 0 ? value / total : nil)
          insert.bind(counts.nearest[station]?[place][measure] ?? 0)
          try insert.run()
        }
      }
    }
    let insertLine = try store.database.prepare(Schema.insertStationLine)
    for (station, lines) in zip(places.stations, places.lines) {
      for line in lines {
        insertLine.bind(station.id)
        insertLine.bind(line)
        try insertLine.run()
      }
    }
  }

  /// Every half minute up to twice the last threshold.
  private func writeCurve(_ counts: NearestTrips) throws {
    let insert = try store.database.prepare(Schema.insertCurve)
    for (measure, name) in places.measures.enumerated() {
      let total = counts.totals[measure]
      var sum = 0.0
      for (halfMinutes, values) in counts.walks.enumerated() {
        sum += values[measure]
        insert.bind(name)
        insert.bind(halfMinutes * 30)
        insert.bind(sum)
        insert.bind(total > 0 ? sum / total : nil)
        try insert.run()
      }
    }
  }

  private func writeLines(_ lines: [LineService], totals: [Double]) throws {
    let insert = try store.database.prepare(Schema.insertLineService)
    for line in lines {
      for (place, threshold) in thresholds.enumerated() {
        for (measure, name) in places.measures.enumerated() {
          let (value, total) = (line.service.values[place][measure], totals[measure])
          insert.bind(line.name)
          insert.bind(line.stations)
          insert.bind(threshold)
          insert.bind(name)
          insert.bind(value)
          insert.bind(total > 0 ? value / total : nil)
          try insert.run()
        }
      }
    }
  }
}
