import Geography

/// Writes the results of kind `access`: origins and their nearest stations, chunk after chunk in the order of the origins,
/// then what each station and line serves.
///
///     let writer = try AccessWriter(store, places, thresholds: [300, 600, 900], hasRoutes: false)
///     try writer.write(chunk)                            // as often as there are chunks
///     try writer.finish(stations: …, lines: …, job: facts)
///
/// Belongs to one thread.
package final class AccessWriter {
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
    try store.database.run(Schema.access(store.id))
    try store.write(places.origins)
    try store.write(places.stations)
    try store.write(places.entrances)
    try store.transaction {
      let insert = try store.database.prepare(Schema.insertPlaceWeight)
      for origin in places.origins.indices {
        for weight in places.weights where !weight.values[origin].isNaN {
          insert.bind(origin + 1)
          insert.bind(weight.name)
          insert.bind(weight.values[origin])
          try insert.run()
        }
      }
    }
    geoJSON = try GeoJSONFile(path: store.folder.access)
    routes = hasRoutes ? try RouteWriter(store, hasRoutes: true) : nil
    insert = try store.database.prepare(Schema.insertAccess)
  }

  /// Origins that were computed together.
  package struct Chunk: Sendable {
    /// How many origins these are.
    package var origins: Int
    package var rows: [AccessRow]
    package var features: DeflatedBlock
    /// The ways to nearest stations, where wanted.
    package var routes: RouteWriter.Chunk?
    package init(origins: Int, rows: [AccessRow], features: DeflatedBlock, routes: RouteWriter.Chunk?) {
      (self.origins, self.rows, self.features, self.routes) = (origins, rows, features, routes)
    }
  }

  package func write(_ chunk: Chunk) throws {
    guard let insert else { preconditionFailure("the results are finished") }
    try geoJSON.append(chunk.features)
    try store.writeChunk(rows: chunk.origins, files: [geoJSON] + (routes?.files ?? [])) {
      for row in chunk.rows {
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

  /// Adds what stations and lines serve, shares, statistics and indices, and gives the files their names.
  ///
  /// - Parameters:
  ///   - stations: In the order of the stations.
  ///   - lines: In the order in which they are to stand.
  package func finish(stations: [Service], lines: [LineService], job: [(String, String)]) throws {
    insert = nil
    try geoJSON.finish()
    let routeMeasures = try routes?.close() ?? []
    let counts = try NearestTrips(store.database, places, thresholds)
    try store.transaction {
      try writeShares(counts)
      try writeStations(stations, counts)
      try writeLines(lines, totals: counts.totals)
      try writeCurve(counts)
    }
    // Steps are the routes'; all else is said of all origins alike.
    let measures = counts.measures.taking([.stepCount, .stepLength], from: routeMeasures.first)
    try store.finish(
      [measures], indices: Schema.accessIndices + (routes == nil ? "" : Schema.routeIndices),
      layers: [.access] + (routes == nil ? [] : [.routes, .steps]), job: job)
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
