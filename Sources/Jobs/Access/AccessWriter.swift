import Geography
import Tables

/// Writes the results of kind `access`: origins and their nearest stations, chunk after chunk in the order of the origins,
/// then what each station and line serves.
///
///     let writer = try AccessWriter(store, places, .init(thresholds: [300, 600, 900], hasRoutes: false))
///     try writer.write(chunks)                           // as often as there are some
///     try writer.seal(job, services)
///
/// Belongs to one thread.
package final class AccessWriter: ChunkWriter {
  package typealias Ending = ServiceSums
  private let store: ResultsStore
  private let places: AccessPlaces
  private let shape: Shape
  private let geoJSON: GeoJSONFile
  private let routes: RouteWriter?
  private let insertRow: Insert<(row: AccessRow, places: AccessPlaces.Rows)>
  private let setSums: Insert<ServiceSums.Row>?
  /// Of the origins so far; nil in a job without hours.
  private var sums: ServiceSums?

  /// What is written.
  package struct Shape: Sendable {
    /// Seconds, ascending.
    package var thresholds: [Int]
    var hasRoutes: Bool
    /// The hours of each origin; none in a job without hours.
    package var departures: [DepartureRow]
    /// Whether it is known how far routes climb.
    var hasHeights: Bool
    package init(
      thresholds: [Int], hasRoutes: Bool, departures: [DepartureRow] = [], hasHeights: Bool = false
    ) {
      (self.thresholds, self.hasRoutes, self.departures) = (thresholds, hasRoutes, departures)
      self.hasHeights = hasHeights
    }

    var hasHours: Bool { !departures.isEmpty }
    /// The number of each hour; one that is none in a job without hours.
    var hours: [Int?] { hasHours ? departures.map(\.number) : [nil] }

    /// Of routes to nearest stations everything is written.
    var routeContent: RouteWriter.Content {
      RouteWriter.Content(hasSteps: true, hasShapes: true, hasHours: hasHours, hasHeights: hasHeights)
    }

    /// Before the first origin.
    package func sums(of places: AccessPlaces) -> ServiceSums {
      ServiceSums(
        hours: max(1, departures.count), services: places.servingStations.count, thresholds: thresholds.count,
        measures: places.measures.count)
    }

    /// Bytes that sealing takes at most, but for what stations and lines serve.
    func sealMemory(of places: AccessPlaces) -> Int {
      NearestTrips.memory(of: places, thresholds, departures: departures.count)
    }
  }

  /// What is in the tables before the first origin.
  package static func head(
    rejected: [RejectedRow], backdrop: [BackdropRow], _ places: AccessPlaces, idsAreNumbers: Bool, _ shape: Shape
  ) -> ResultsHead {
    ResultsHead(
      rejected: rejected, backdrop: backdrop, places: places.all, idsAreNumbers: idsAreNumbers,
      departures: shape.departures,
      tables: {
        AccessResults.creation($0, date: shape.departures.first?.dateColumn)
          + (shape.hasRoutes ? RouteResults.creation($0, shape.routeContent) : "")
      },
      writeRows: { try $0.insert(places.weightRows, into: PlaceWeightRow.table) })
  }

  package init(_ store: ResultsStore, _ places: AccessPlaces, _ shape: Shape) throws {
    (self.store, self.places, self.shape) = (store, places, shape)
    geoJSON = try store.open(store.folder.access) { try GeoJSONFile(path: $0, store.provenance, from: $1) }
    routes = shape.hasRoutes ? try RouteWriter(store, shape.routeContent) : nil
    insertRow = try Insert(into: AccessRow.table(hasHours: shape.hasHours), of: store.database)
    setSums = shape.hasHours ? try Insert(into: ServiceSums.table, of: store.database, isReplacing: true) : nil
    sums = shape.hasHours ? shape.sums(of: places) : nil
    try sums?.resume(from: store.database)
  }

  /// Origins that were computed together.
  package struct Chunk: RowChunk {
    /// How many origins these are.
    package var rows = 0
    package var nearest: [AccessRow] = []
    package var features = DeflatedBlock()
    /// The routes to nearest stations, where wanted.
    package var routes: RouteWriter.Chunk?
    /// What stations and lines serve of them, in a job with hours.
    package var sums: ServiceSums?
    package init() {}
    package init(
      rows: Int, nearest: [AccessRow], features: DeflatedBlock, routes: RouteWriter.Chunk?, sums: ServiceSums?
    ) {
      (self.rows, self.nearest, self.features) = (rows, nearest, features)
      (self.routes, self.sums) = (routes, sums)
    }
  }

  package func write(_ chunks: [Chunk]) throws {
    let rows = places.rows
    try store.write(chunks) { chunk in
      try geoJSON.append(chunk.features)
      for row in chunk.nearest { try insertRow((row, rows)) }
      if let part = chunk.routes { try routes?.append(part) }
      if let part = chunk.sums { try add(part) }
    } ending: { [self] in
      if let setSums { try sums?.write(setSums) }
    }
  }

  private func add(_ part: ServiceSums) throws {
    // Not by a copy of them, which the addition would have to leave as it is.
    guard sums?.isLike(part) == true else {
      throw ResultsError(path: store.folder.path, problem: "what stations serve is of another job", cause: .changed)
    }
    sums?.add(part)
  }

  /// - Parameter services: What `AccessPlaces.servingStations` serve; in a job with hours chunks bring that.
  func seal(_ job: JobRecord, _ services: ServiceSums) throws {
    let served = sums ?? services
    var job = job
    job.figures.set(.measures, places.weights.map(\.name))
    try store.seal(
      indices: AccessResults.indices(hasHours: shape.hasHours)
        + (routes == nil ? "" : RouteResults.indices(hasHours: shape.hasHours)),
      layers: [AccessResults.layer] + (routes?.layers ?? []), job: job
    ) {
      if shape.hasHours { try ServiceSums.drop(from: store.database) }
      let steps = try routes?.measures().first
      let trips = try NearestTrips(store.database, places, shape.thresholds, departures: shape.departures.count)
      try write(served, trips)
      // Steps are the routes'; everything else is of all origins alike.
      return [trips.measures.taking([.stepCount, .stepLength], from: steps)]
    }
  }

  /// Sums by threshold and measure, in that order.
  private func values(_ sums: [[Int64]], of totals: [Double], at hour: Int?) -> [MeasuredValue] {
    zip(shape.thresholds, sums).flatMap { threshold, sums in
      zip(places.measures, zip(places.values(sums), totals)).map { measure, value in
        MeasuredValue(departure: hour, threshold: threshold, measure: measure, value: value.0, total: value.1)
      }
    }
  }

  /// What is within the thresholds at each hour, all of a station's and a line's hours one after the other.
  private func write(_ served: ServiceSums, _ trips: NearestTrips) throws {
    let (database, hasHours, totals) = (store.database, shape.hasHours, places.values(trips.totals))
    let hours = zip(shape.hours, trips.hours)
    try database.insert(
      hours.lazy.flatMap { self.values($1.served, of: totals, at: $0) }, into: MeasuredValue.table(hasHours: hasHours))
    try database.insert(
      hours.lazy.flatMap { self.curve($1, of: totals, at: $0) }, into: AccessCurveRow.table(hasHours: hasHours))
    let insertStation = try Insert(into: StationServiceRow.table(hasHours: hasHours), of: database)
    let (width, none) = (totals.count, [Double](repeating: 0, count: totals.count * shape.thresholds.count))
    for (index, station) in places.stations.enumerated() {
      for ((hour, trips), sums) in zip(hours, served.within(index)) {
        let nearest =
          trips.nearest[index].map { nearest in
            stride(from: 0, to: nearest.count, by: width).flatMap { places.values(nearest[$0..<$0 + width]) }
          } ?? none
        for (value, nearest) in zip(values(sums, of: totals, at: hour), nearest) {
          try insertStation(StationServiceRow(station: station.id, served: value, nearest: nearest))
        }
      }
    }
    try database.insert(
      zip(places.stations, places.lines).lazy.flatMap { station, lines in
        lines.map { StationLineRow(station: station.id, line: $0) }
      }, into: StationLineRow.table)
    let insertLine = try Insert(into: LineServiceRow.table(hasHours: hasHours), of: database)
    for (index, line) in places.stationsOfLines.enumerated() {
      for (hour, sums) in zip(shape.hours, served.within(places.stations.count + index)) {
        for served in values(sums, of: totals, at: hour) {
          try insertLine(LineServiceRow(line: line.name, stations: line.stations.count, served: served))
        }
      }
    }
  }

  /// Every half minute up to twice the last threshold.
  private func curve(_ trips: NearestTrips.Hour, of totals: [Double], at hour: Int?) -> [AccessCurveRow] {
    var sums = [Int64](repeating: 0, count: totals.count)
    let values = stride(from: 0, to: trips.halfMinutes.count, by: totals.count).map { start in
      for measure in sums.indices { sums[measure] += trips.halfMinutes[start + measure] }
      return places.values(sums)
    }
    return places.measures.enumerated().flatMap { measure, name in
      let total = totals[measure]
      return values.enumerated().map { halfMinutes, values in
        AccessCurveRow(
          departure: hour, measure: name, within: halfMinutes * 30, value: values[measure],
          share: total > 0 ? values[measure] / total : nil)
      }
    }
  }
}

extension AccessWriter.Chunk: JournaledFields {
  package mutating func visit<Journal: JournalVisitor>(_ journal: inout Journal) throws(Journal.Problem) {
    try journal(&rows, &nearest, &features, &routes, &sums)
  }
}

/// What the trips to nearest stations add up to, in the units of `AccessPlaces`.
struct NearestTrips {
  /// By measure: the sum of all origins.
  private(set) var totals: [Int64]
  /// Of each hour of the job; once where it has none.
  private(set) var hours: [Hour]
  private(set) var measures = Measures(scope: "job")

  struct Hour {
    /// By half minute of the time to the nearest station, then measure: the sum of those origins.
    fileprivate(set) var halfMinutes: [Int64]
    /// By threshold and measure.
    fileprivate(set) var served: [[Int64]]
    /// By station, threshold and measure: those for which it is the nearest.
    fileprivate(set) var nearest: [Int: [Int64]] = [:]
  }

  /// From the rows of the nearest stations in a database.
  ///
  /// - Parameter departures: How many hours the job has.
  init(_ database: SQLite, _ places: AccessPlaces, _ thresholds: [Int], departures: Int) throws {
    let counts = places.counts()
    let width = places.measures.count
    let none = Array(repeating: [Int64](repeating: 0, count: width), count: thresholds.count)
    totals = Array(repeating: 0, count: width)
    measures.reserveCapacity(
      places.origins.count * max(1, departures), for: [.distance, .expectedTravelTime, .speed, .detour])
    let bins = NearestTrips.halfMinutes(of: thresholds)
    let halfMinutes = [Int64](repeating: 0, count: bins * width)
    let noneNearest = [Int64](repeating: 0, count: thresholds.count * width)
    hours = Array(repeating: Hour(halfMinutes: halfMinutes, served: none), count: max(1, departures))
    for origin in places.origins.indices {
      for measure in 0..<width { totals[measure] += counts[origin * width + measure] }
    }
    let departure = departures > 0 ? "departure" : "1"
    let countsLegs = try database.jobRecord().identity.flag(.snapLegs) ?? false
    /// Where distances begin and end.
    func counted(_ place: PlaceRow) -> FixedCoordinate {
      countsLegs ? place.coordinate : place.snapped ?? place.coordinate
    }
    let row = try database.prepare(
      """
      SELECT origin_fid, station_fid, entrance_fid, milliseconds, centimetres, \(departure) AS hour FROM access_row
      WHERE rank = 1 ORDER BY origin_fid, hour
      """)
    let columns = try ["origin_fid", "station_fid", "entrance_fid", "milliseconds", "centimetres", "hour"].map(
      row.index)
    while try row.next() {
      let origin = places.rows.origin(of: try row.value(at: columns[0]))
      let station = places.rows.station(of: try row.value(at: columns[1]))
      let entrance = (try row.value(at: columns[2]) as Int?).map(places.rows.entrance)
      let milliseconds: Int = try row.value(at: columns[3])
      let metres = (try row.value(at: columns[4]) as Double) / 100
      let hour = (try row.value(at: columns[5]) as Int) - 1
      let end = entrance.map { places.entrances[$0] } ?? places.stations[station]
      measures.add(metres, to: .distance)
      measures.add(Double(milliseconds) / 1000, to: .expectedTravelTime)
      if milliseconds > 0 { measures.add(metres / Double(milliseconds) * 1000, to: .speed) }
      let straight = min(metres, counted(places.origins[origin]).distance(to: counted(end)))
      if straight > 0 { measures.add(metres / straight, to: .detour) }
      let bin = (milliseconds + 29_999) / 30_000
      let counted = counts[origin * width..<(origin + 1) * width]
      if bin < bins { NearestTrips.add(counted, to: &hours[hour].halfMinutes, at: bin * width) }
      guard let first = thresholds.firstIndex(where: { milliseconds <= $0 * 1000 }) else { continue }
      for threshold in first..<thresholds.count {
        NearestTrips.add(counted, to: &hours[hour].served[threshold], at: 0)
        NearestTrips.add(counted, to: &hours[hour].nearest[station, default: noneNearest], at: threshold * width)
      }
    }
  }

  private static func add(_ counts: ArraySlice<Int64>, to sums: inout [Int64], at start: Int) {
    for (measure, count) in counts.enumerated() { sums[start + measure] += count }
  }

  /// How many half minutes there are up to twice the last threshold, 0 included.
  private static func halfMinutes(of thresholds: [Int]) -> Int { (thresholds.last ?? 0) / 30 * 2 + 1 }

  /// Bytes that this takes at most: the values of all trips, some of them sorted, and the sums of every hour.
  static func memory(of places: AccessPlaces, _ thresholds: [Int], departures: Int) -> Int {
    let hours = max(1, departures)
    let (trips, width) = (places.origins.count * hours, places.measures.count * 8)
    let stations = min(places.stations.count, places.origins.count)
    // A row of a dictionary has a key and an array of its own.
    let sums = (halfMinutes(of: thresholds) + thresholds.count) * width + stations * (thresholds.count * width + 64)
    return trips * 48 + hours * sums
  }
}
