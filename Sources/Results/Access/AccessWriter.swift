import Geography

/// Writes the results of kind `access`: origins and their nearest stations, chunk after chunk in the order of the origins,
/// then what each station and line serves.
///
///     let writer = try AccessWriter(store, places, thresholds: [300, 600, 900], hasRoutes: false) { services }
///     try writer.write(chunks)                           // as often as there are some
///     try writer.seal(job)
///
/// Belongs to one thread.
package final class AccessWriter: ChunkWriter {
  private let store: ResultsStore
  private let places: AccessPlaces
  private let thresholds: [Int]
  private let geoJSON: GeoJSONFile
  private let routes: RouteWriter?
  private let services: () throws -> AccessServices
  private let insertRow: Insert<(row: AccessRow, places: AccessPlaces.Rows)>

  /// Of routes to nearest stations everything is written.
  package static let routeContent = RouteWriter.Content(hasSteps: true, hasShapes: true)

  /// What is in the tables before the first origin.
  package static func head(
    rejected: [RejectedRow], streets: [StreetRow], _ places: AccessPlaces, idsAreNumbers: Bool, hasRoutes: Bool
  ) -> ResultsHead {
    ResultsHead(
      rejected: rejected, streets: streets, places: places.all, idsAreNumbers: idsAreNumbers,
      tables: {
        AccessResults.creation($0) + (hasRoutes ? RouteResults.creation($0, hasHours: routeContent.hasHours) : "")
      },
      writeRows: { try $0.insert(places.weightRows, into: PlaceWeightRow.table) })
  }

  /// - Parameters:
  ///   - thresholds: Seconds, ascending.
  ///   - services: Computed when all origins are written.
  package init(
    _ store: ResultsStore, _ places: AccessPlaces, thresholds: [Int], hasRoutes: Bool,
    services: @escaping () throws -> AccessServices
  ) throws {
    self.store = store
    self.places = places
    self.thresholds = thresholds
    self.services = services
    geoJSON = try store.open(store.folder.access) { try GeoJSONFile(path: $0, store.provenance, from: $1) }
    routes = hasRoutes ? try RouteWriter(store, AccessWriter.routeContent) : nil
    insertRow = try Insert(into: AccessRow.table, of: store.database)
  }

  /// Origins that were computed together.
  package struct Chunk: RowChunk {
    /// How many origins these are.
    package var rows: Int
    package var nearest: [AccessRow]
    package var features: DeflatedBlock
    /// The routes to nearest stations, where wanted.
    package var routes: RouteWriter.Chunk?
    package init(rows: Int, nearest: [AccessRow], features: DeflatedBlock, routes: RouteWriter.Chunk?) {
      (self.rows, self.nearest, self.features, self.routes) = (rows, nearest, features, routes)
    }
  }

  package func write(_ chunks: [Chunk]) throws {
    let rows = places.rows
    try store.write(chunks) { chunk in
      try geoJSON.append(chunk.features)
      for row in chunk.nearest { try insertRow((row, rows)) }
      if let part = chunk.routes { try routes?.append(part) }
    }
  }

  package func seal(_ job: JobRecord) throws {
    let services = try services()
    var job = job
    job.figures.set(.measures, places.weights.map(\.name))
    try store.seal(
      indices: AccessResults.indices
        + (routes == nil ? "" : RouteResults.indices(hasHours: AccessWriter.routeContent.hasHours)),
      layers: [AccessResults.layer] + (routes?.layers ?? []), job: job
    ) {
      let steps = try routes?.measures().first
      let trips = try NearestTrips(store.database, places, thresholds)
      try store.database.insert(values(trips.served, of: trips.totals), into: MeasuredValue.table)
      try write(services, trips)
      try store.database.insert(curve(trips), into: AccessCurveRow.table)
      // Steps are the routes'; everything else is of all origins alike.
      return [trips.measures.taking([.stepCount, .stepLength], from: steps)]
    }
  }

  /// Values by threshold and measure, in that order.
  private func values(_ values: [[Double]], of totals: [Double]) -> [MeasuredValue] {
    zip(thresholds, values).flatMap { threshold, values in
      places.measures.indices.map { measure in
        MeasuredValue(
          threshold: threshold, measure: places.measures[measure], value: values[measure], total: totals[measure])
      }
    }
  }

  private func write(_ services: AccessServices, _ trips: NearestTrips) throws {
    let insertStation = try Insert(into: StationServiceRow.table, of: store.database)
    for (index, (station, service)) in zip(places.stations, services.stations).enumerated() {
      let nearest = trips.nearest[index].map { $0.flatMap(\.self) }
      for (cell, served) in values(service.values, of: trips.totals).enumerated() {
        try insertStation(StationServiceRow(station: station.id, served: served, nearest: nearest?[cell] ?? 0))
      }
    }
    try store.database.insert(
      zip(places.stations, places.lines).lazy.flatMap { station, lines in
        lines.map { StationLineRow(station: station.id, line: $0) }
      }, into: StationLineRow.table)
    try store.database.insert(
      services.lines.lazy.flatMap { line in
        self.values(line.service.values, of: trips.totals).map {
          LineServiceRow(line: line.name, stations: line.stations, served: $0)
        }
      }, into: LineServiceRow.table)
  }

  /// Every half minute up to twice the last threshold.
  private func curve(_ trips: NearestTrips) -> [AccessCurveRow] {
    places.measures.enumerated().flatMap { measure, name in
      let total = trips.totals[measure]
      var sum = 0.0
      return trips.halfMinutes.enumerated().map { halfMinutes, values in
        sum += values[measure]
        return AccessCurveRow(
          measure: name, within: halfMinutes * 30, value: sum, share: total > 0 ? sum / total : nil)
      }
    }
  }
}
