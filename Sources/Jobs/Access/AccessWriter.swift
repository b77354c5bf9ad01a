import Geography
import Tables

/// A writer for the results of kind `access`: origins and their nearest stations, chunk by chunk in the order of the
/// origins, then the catchments of stations and lines.
///
/// Used by one thread.
package final class AccessWriter: ChunkWriter {
  private let store: ResultsStore
  private let places: AccessPlaces
  private let content: Content
  private let geoJSON: GzipFile
  private let routes: RouteWriter?
  private let table: Table<(row: AccessRow, places: AccessPlaces.Rows)>
  private let insertRow: Insert<(row: AccessRow, places: AccessPlaces.Rows)>
  private let setSums: Insert<ServiceSums.Row>?
  /// The sums so far; nil in a job without hours.
  private var sums: ServiceSums?
  /// The totals so far.
  private var trips: NearestTrips
  private let emptyTrips: NearestTrips

  /// The output options.
  struct Content: Sendable {
    /// In seconds, ascending.
    var thresholds: [Int]
    /// The maximum time of a trip in milliseconds; nil for no limit.
    var limit: UInt32?
    var hasRoutes: Bool
    /// The hours or percentiles of each origin's rows.
    var axis = RowAxis.single
    /// The hours of the job; empty in a job without hours.
    var departures: [DepartureRow] = []
    /// Whether elevations of routes are known.
    var hasHeights = false

    var hasHours: Bool { axis.column != nil }
    /// The number of each hour or percentile; a single nil in a job without hours.
    var hours: [Int?] { hasHours ? axis.numbers : [nil] }

    /// The content of the routes to nearest stations: with steps and shapes.
    var routeContent: RouteWriter.Content {
      RouteWriter.Content(hasSteps: true, hasShapes: true, axis: axis, hasTimes: hasHours, hasHeights: hasHeights)
    }

    func sums(of places: AccessPlaces) -> ServiceSums {
      ServiceSums(
        hours: hours.count, services: places.servingStations.count, thresholds: thresholds.count,
        measures: places.measures.count)
    }

    /// Returns the maximum memory for sealing, in bytes, without catchments.
    func sealMemory(of places: AccessPlaces) -> Int {
      NearestTrips.memory(of: places, thresholds, halfMinutes: halfMinutes, hours: hours.count)
    }

    /// The number of half minutes up to twice the last threshold, including 0; trips beyond the limit are unknown.
    fileprivate var halfMinutes: Int {
      min((thresholds.last ?? 0) / 30 * 2, limit.map { Int($0) / 30_000 } ?? .max) + 1
    }
  }

  init(_ store: ResultsStore, _ places: AccessPlaces, _ content: Content) throws {
    (self.store, self.places, self.content) = (store, places, content)
    geoJSON = try store.openGeoJSON(store.folder.access)
    routes = content.hasRoutes ? try RouteWriter(store, content.routeContent) : nil
    table = AccessRow.table(content.axis.columns)
    insertRow = try Insert(into: table, of: store.database)
    setSums = content.hasHours ? try Insert(into: ServiceSums.table, of: store.database, isReplacing: true) : nil
    sums = content.hasHours ? content.sums(of: places) : nil
    try sums?.resume(from: store.database)
    emptyTrips = NearestTrips(
      places, content.thresholds, halfMinutes: content.halfMinutes, hours: content.hours,
      countsLegs: try store.database.jobRecord().identity.flag(.snapLegs) ?? false)
    trips = emptyTrips
    if store.isResumed { try trips.addRows(of: store.database, content.axis) }
  }

  /// Origins that were computed together.
  package struct Chunk: RowChunk, JournaledFields {
    /// The number of origins.
    var rows = 0
    var nearest: [AccessRow] = []
    var features = DeflatedBlock()
    /// The routes to nearest stations, if requested.
    var routes: RouteWriter.Chunk?
    /// The catchments of stations and lines, in a job with hours.
    var sums: ServiceSums?
    package init() {}

    package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&rows, &nearest, &features, &routes, &sums)
    }
  }

  var encode: @Sendable (Chunk) -> AppendChunk<AccessWriter> {
    { [table, placeRows = places.rows, encodeRoutes = routes?.encode, emptyTrips] chunk in
      var trips = emptyTrips
      trips.add(chunk.nearest)
      let nearest = RowValues(of: table, chunk.nearest.lazy.map { ($0, placeRows) })
      let appendRoutes = chunk.routes.flatMap { encodeRoutes?($0) }
      return { [trips, features = chunk.features, sums = chunk.sums] writer in
        try writer.geoJSON.append(features)
        try writer.insertRow(nearest)
        if let routes = writer.routes { try appendRoutes?(routes) }
        if let sums { try writer.add(sums) }
        writer.trips.add(trips)
      }
    }
  }

  func writeState() throws { if let setSums { try sums?.write(setSums) } }

  private func add(_ part: ServiceSums) throws {
    // Not unwrapped into a local variable: adding to it would copy all sums.
    guard sums?.matches(part) == true else {
      throw ResultsError(
        path: store.folder.path, problem: "the sums of stations belong to another job", cause: .changed)
    }
    sums?.add(part)
  }

  /// - Parameter services: The catchments, in the order of `AccessPlaces.servingStations`; in a job with hours, the
  ///   chunks contain them instead.
  func seal(_ job: JobRecord, _ services: ServiceSums?) throws {
    guard let served = sums ?? services else { preconditionFailure("a job without sums") }
    var job = job
    job.figures.set(.measures, places.weights.map(\.name))
    try store.seal(
      indices: AccessResults.indices(content.axis)
        + (routes == nil ? "" : RouteResults.indices(content.routeContent)),
      layers: [AccessResults.layer] + (routes?.layers ?? []), job: job
    ) {
      if content.hasHours { try ServiceSums.drop(from: store.database) }
      let steps = try routes?.measures().first
      try write(served, trips)
      // Step measures come from the routes; all others cover all origins.
      return [trips.measures.taking([.stepCount, .stepLength], from: steps)]
    }
  }

  /// Returns the sums as rows, ordered by threshold, then measure.
  private func values(_ sums: [[Int64]], of totals: [Double], at hour: Int?) -> [MeasuredValue] {
    zip(content.thresholds, sums).flatMap { threshold, sums in
      zip(places.measures, zip(places.values(sums), totals)).map { measure, value in
        MeasuredValue(departure: hour, threshold: threshold, measure: measure, value: value.0, total: value.1)
      }
    }
  }

  /// Writes the amounts within the thresholds at each hour; all hours of a station or line are written together.
  private func write(_ served: ServiceSums, _ trips: NearestTrips) throws {
    let (database, axis, totals) = (store.database, content.axis.columns, places.values(trips.totals))
    let hours = zip(content.hours, trips.hours)
    try database.insert(
      hours.lazy.flatMap { self.values($1.served, of: totals, at: $0) }, into: AccessResults.shares(axis))
    try database.insert(hours.lazy.flatMap { self.curve($1, of: totals, at: $0) }, into: AccessResults.curves(axis))
    let insertStation = try Insert(into: AccessResults.stationServices(axis), of: database)
    let (width, none) = (totals.count, [Double](repeating: 0, count: totals.count * content.thresholds.count))
    for (index, station) in places.stations.enumerated() {
      for ((hour, trips), sums) in zip(hours, served.within(index)) {
        let nearest =
          trips.nearest[index].map { nearest in
            stride(from: 0, to: nearest.count, by: width).flatMap { places.values(nearest[$0..<$0 + width]) }
          } ?? none
        for (value, nearest) in zip(values(sums, of: totals, at: hour), nearest) {
          try insertStation((station.id, value, nearest))
        }
      }
    }
    try database.insert(
      zip(places.stations, places.lines).lazy.flatMap { station, lines in
        lines.map { (station.id, $0) }
      }, into: AccessResults.stationLines)
    let insertLine = try Insert(into: AccessResults.lineServices(axis), of: database)
    for (index, line) in places.stationsOfLines.enumerated() {
      for (hour, sums) in zip(content.hours, served.within(places.stations.count + index)) {
        for served in values(sums, of: totals, at: hour) {
          try insertLine((line.name, line.stations.count, served))
        }
      }
    }
  }

  /// Returns the curve of each measure, with a point every half minute.
  private func curve(_ trips: NearestTrips.Hour, of totals: [Double], at hour: Int?) -> [AccessResults.CurvePoint] {
    var sums = [Int64](repeating: 0, count: totals.count)
    let values = stride(from: 0, to: trips.halfMinutes.count, by: totals.count).map { start in
      for measure in sums.indices { sums[measure] += trips.halfMinutes[start + measure] }
      return places.values(sums)
    }
    return places.measures.enumerated().flatMap { measure, name in
      let total = totals[measure]
      return values.enumerated().map { halfMinutes, values in
        (hour, name, halfMinutes * 30, values[measure], total > 0 ? values[measure] / total : nil)
      }
    }
  }
}

/// Sums over trips to nearest stations, in the counting units of `AccessPlaces`; workers compute them per chunk.
struct NearestTrips: Sendable {
  /// The sums at each hour or percentile, in the order of the job; a single element if it has neither.
  private(set) var hours: [Hour]
  /// The index in `hours` of each hour or percentile, by its number.
  private let indices: [Int?: Int]
  private(set) var measures = Measures(scope: "job")
  private let places: AccessPlaces
  private let thresholds: [Int]
  /// The amounts by origin and measure.
  private let counts: [Int64]
  /// Whether trips include the straight lines between places and their streets.
  private let countsLegs: Bool
  /// Zeros by threshold and measure, for a station that is never the nearest.
  private let noneNearest: [Int64]
  private var width: Int { places.measures.count }

  struct Hour: Sendable {
    /// The sums of origins, by half minute of the time to the nearest station, then measure.
    fileprivate(set) var halfMinutes: [Int64]
    /// The sums of origins with a station within each threshold, by threshold and measure.
    fileprivate(set) var served: [[Int64]]
    /// The part of `served` for which a station is the nearest, by station, then threshold and measure.
    fileprivate(set) var nearest: [Int: [Int64]] = [:]
  }

  /// Creates empty sums.
  ///
  /// - Parameter numbers: The numbers of the job's hours or percentiles; a single nil if it has neither.
  init(
    _ places: AccessPlaces, _ thresholds: [Int], halfMinutes: Int, hours numbers: [Int?], countsLegs: Bool
  ) {
    indices = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
    (self.places, self.thresholds, self.countsLegs) = (places, thresholds, countsLegs)
    counts = places.counts()
    let width = places.measures.count
    let halfMinutes = [Int64](repeating: 0, count: halfMinutes * width)
    let none = Array(repeating: [Int64](repeating: 0, count: width), count: thresholds.count)
    noneNearest = [Int64](repeating: 0, count: thresholds.count * width)
    hours = Array(repeating: Hour(halfMinutes: halfMinutes, served: none), count: numbers.count)
  }

  /// The sums of all origins, by measure.
  var totals: [Int64] {
    var totals = [Int64](repeating: 0, count: width)
    for (index, count) in counts.enumerated() { totals[index % width] += count }
    return totals
  }

  /// Adds rows of the nearest stations.
  mutating func add(_ rows: some Sequence<AccessRow>) {
    for row in rows where row.rank == 1 { if let found = row.found { add(found, from: row.origin, at: row.departure) } }
    measures.condense()
  }

  private mutating func add(_ found: AccessRow.Found, from origin: Int, at departure: Int?) {
    let (milliseconds, hour) = (Int(found.milliseconds), indices[departure] ?? 0)
    let end = found.entrance.map { places.entrances[$0] } ?? places.stations[found.station]
    measures.add(Double(milliseconds) / 1000, to: .expectedTravelTime)
    if let metres = found.centimetres.map({ Double($0) / 100 }) {
      measures.add(metres, to: .distance)
      if milliseconds > 0 { measures.add(metres / Double(milliseconds) * 1000, to: .speed) }
      let straight = min(metres, place(places.origins[origin]).distance(to: place(end)))
      if straight > 0 { measures.add(metres / straight, to: .detour) }
    }
    let bin = (milliseconds + 29_999) / 30_000
    let counted = counts[origin * width..<(origin + 1) * width]
    if bin * width < hours[hour].halfMinutes.count {
      NearestTrips.add(counted, to: &hours[hour].halfMinutes, at: bin * width)
    }
    guard let first = thresholds.firstIndex(where: { milliseconds <= $0 * 1000 }) else { return }
    let none = noneNearest
    for threshold in first..<thresholds.count {
      NearestTrips.add(counted, to: &hours[hour].served[threshold], at: 0)
      NearestTrips.add(counted, to: &hours[hour].nearest[found.station, default: none], at: threshold * width)
    }
  }

  /// Returns the point at which a straight-line distance ends: the place or its snapped point.
  private func place(_ place: PlaceRow) -> FixedCoordinate {
    countsLegs ? place.coordinate : place.snapped ?? place.coordinate
  }

  mutating func add(_ other: NearestTrips) {
    measures.add(other.measures)
    let none = noneNearest
    for (hour, sums) in other.hours.enumerated() {
      NearestTrips.add(sums.halfMinutes[...], to: &hours[hour].halfMinutes, at: 0)
      for (threshold, served) in sums.served.enumerated() {
        NearestTrips.add(served[...], to: &hours[hour].served[threshold], at: 0)
      }
      for (station, nearest) in sums.nearest {
        NearestTrips.add(nearest[...], to: &hours[hour].nearest[station, default: none], at: 0)
      }
    }
  }

  /// Adds the rows written by an earlier run.
  mutating func addRows(of database: SQLite, _ axis: RowAxis) throws {
    let departure = axis.column?.rawValue ?? "NULL"
    let rows = try database.rows(
      """
      SELECT origin_fid, station_fid, entrance_fid, milliseconds, centimetres, \(departure) AS hour FROM access_row
      WHERE rank = 1 ORDER BY fid
      """
    ) { row in
      AccessRow(
        origin: places.rows.origin(of: try row["origin_fid"]), departure: try row["hour"], rank: 1, status: .ok,
        found: AccessRow.Found(
          station: places.rows.station(of: try row["station_fid"]),
          entrance: (try row["entrance_fid"] as Int?).map(places.rows.entrance),
          milliseconds: UInt32(try row["milliseconds"] as Int),
          centimetres: (try row["centimetres"] as Int?).map { UInt32($0) }))
    }
    add(rows)
  }

  private static func add(_ counts: ArraySlice<Int64>, to sums: inout [Int64], at start: Int) {
    for (measure, count) in counts.enumerated() { sums[start + measure] += count }
  }

  /// Returns the maximum memory in bytes: the values of all trips, including space to sort them, and the sums of every
  /// hour.
  static func memory(of places: AccessPlaces, _ thresholds: [Int], halfMinutes: Int, hours: Int) -> Int {
    let (trips, width) = (places.origins.count * hours, places.measures.count * 8)
    let stations = min(places.stations.count, places.origins.count)
    // A dictionary entry has a key and its own array.
    let sums = (halfMinutes + thresholds.count) * width + stations * (thresholds.count * width + 64)
    return trips * 48 + hours * sums
  }
}
