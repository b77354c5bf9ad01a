import Geography
import Input
import Routing
import Settings
import StreetNetwork
import Tables

/// The settings of kinds `routes` and `etas`.
struct TripTask: JobTask {
  var pairs: String
  /// The list of places that the pairs refer to by id; nil if they have coordinates.
  var places: String?
  /// The source of Maps links that have none or use the current location; nil if the job sets none.
  var currentLocation: String?
  /// Whether the database has the shapes of all routes, as the GeoJSON does.
  var hasShapes: Bool
  /// Pairs that the report always draws.
  var reportRoutes: [Identifier]
  /// Whether trips are counted on each street.
  var hasFlows: Bool
  /// Whether routes with steps and shapes are requested, instead of only times and distances.
  let hasSteps: Bool

  static func summary(of kind: JobKind) -> String {
    kind.hasSteps
      ? "every pair's route, with time, distance, steps and shape"
      : "every pair's time and distance only, ten times as fast as routes"
  }

  static func results(of kind: JobKind) -> any KindResults.Type { kind.hasSteps ? RouteResults.self : ETAResults.self }

  init(_ keys: inout KeyReader) throws {
    hasSteps = keys.kind.hasSteps
    pairs = try keys.file(
      .init(
        "pairs", .path, "table of pairs: CSV, TSV, GeoJSON, GeoPackage or Maps links, gzipped or not",
        example: "pairs.csv"))
    places = try keys.file(
      .init(
        "places", .path, otherwise: "none: pairs have coordinates",
        "list of places that pairs refer to by id, as in a demand table: CSV, GeoJSON, GeoPackage",
        example: "zones.csv"))
    currentLocation = try keys.setting(
      "currentLocation",
      SettingType<String>.text.map(name: "place", expected: "latitude,longitude in degrees") {
        (try? Coordinate(parsing: $0)) == nil ? nil : $0
      }, otherwise: "none: links without a source are rejected",
      "source of Maps links that have none or use the current location", example: "60.1660,24.9380",
      isAlwaysEntered: false)
    hasShapes = try keys.setting(
      "shapes", .bool, default: true,
      "store all route shapes in the database; false: only those in the report, in a sixth of the space",
      decides: .presentation, applies: hasSteps)
    reportRoutes = try keys.setting(
      "reportRoutes", .ids, default: [], "ids of pairs whose routes the report always draws",
      example: ["17", "home-office"], decides: .presentation, isAlwaysEntered: false, applies: hasSteps
    ).map(Identifier.init)
    let countsFlows = try keys.setting(
      "flows", .bool, default: false,
      "count the trips on each street in table `flow`, as kind `routes` always does; not with transit",
      decides: .presentation, isAlwaysEntered: false, applies: !hasSteps)
    if countsFlows && keys.isTransit {
      throw keys.error("flows", "transit trips do not only follow streets; expected false, or another transportType")
    }
    hasFlows = hasSteps || countsFlows
  }

  var optionalKeys: Set<String> {
    Set(["limit", "wheelchairBoarding"] + (hasSteps ? ["requestsAlternateRoutes", "language"] : []))
  }
  var rowsMayHaveTimes: Bool { true }
  var hasTrips: Bool { true }
  var files: [String] { [pairs] + (places.map { [$0] } ?? []) }
  func unit(of _: Job) -> String { (hasSteps ? JobKind.routes : .etas).rawValue }
  func outputs(of job: Job, in folder: ResultsFolder) -> [String] { hasSteps ? [folder.routes] : [] }

  func read(for job: Job, in context: JobContext?) throws -> JobInput {
    let dates = try context.flatMap { try TransitDates($0) }
    let table = try PairTable(
      path: pairs, area: context.area, transportType: job.transportType, typeName: job.transportName, places: places,
      network: job.networkProfile,
      currentLocation: currentLocation.flatMap { try? Coordinate(parsing: $0) }.map { Place(coordinate: $0) },
      duplicates: job.duplicates, workers: context?.workers ?? 1,
      problem: job.transit == nil ? nil : TripTask.problem(job, dates))
    try checkReportRoutes(table.pairs)
    let pairs = table.pairs
    let networks = pairs.avoidances.map {
      "\na network that avoids \($0.words), for the rows that avoid them; built if it does not exist"
    }
    return JobInput(
      rejected: table.rejected, notes: table.notes, weightColumns: [.pair: table.weightColumn],
      summary: """
        \(self.pairs): \(pairs.count.counted("row")) to compute, \(table.rejected.count) to be rejected, \
        \(table.places.count.counted("place"))\(table.weightColumn.map { ", weight: \($0)" } ?? "")\(TripTask.advice(on: pairs.count))\(networks.joined())
        """
    ) { try prepare(table, dates, in: $0) }
  }

  /// Returns advice to split a very large input, since every shard reads all of it.
  private static func advice(on rows: Int) -> String {
    let maximum = 100_000_000
    return rows <= maximum
      ? ""
      : "\nsplit it into \((rows + maximum - 1) / maximum) inputs of at most \(maximum) rows, "
        + "each a job (docs/cluster.md)"
  }

  private func prepare(_ table: PairTable, _ dates: TransitDates?, in context: JobContext) throws -> RouteJob {
    let job = context.job
    func error(_ problem: String) -> OdometerError { OdometerError(file: pairs, problem: problem) }
    if job.hours.times != nil && !table.times.isEmpty {
      throw error("its rows have their own times, and the job has \(job.hours.key); leave out one of them")
    }
    if job.hours.percentiles != nil,
      let row = (0..<table.pairs.count).first(where: { table.pairs.legs(of: $0).count > 1 })
    {
      throw error(
        "pair \(table.pairs[row].id) has waypoints, which percentiles do not support; leave out one of them")
    }
    if job.hasSpeeds && job.departures == nil && table.times.isEmpty { throw job.speedsWithoutHoursError }
    return try RouteJob(self, table, dates, in: context)
  }

  /// Returns a function for the reason why a row cannot be computed by transit; the function returns nil if it can.
  private static func problem(
    _ job: Job, _ dates: TransitDates?
  ) -> @Sendable (PairValues, PairTable.RowTime?, Profile.Avoidance) -> String? {
    let hasDepartures = job.hours.times != nil || (job.departure ?? job.arrival) != nil
    return { values, time, avoids in
      if !values.waypoints.isEmpty { return "the pair has waypoints, which transit does not support" }
      if !avoids.isEmpty { return "the pair avoids tolls or highways, which transit does not use" }
      if let time { return dates?.problem(of: time) }
      return hasDepartures
        ? nil : "got no departure_time or arrival_time, and the job has no departureDate or arrivalDate"
    }
  }

  private func checkReportRoutes(_ pairs: InputPairs) throws {
    var unknown = Set(reportRoutes.map(\.asText))
    for row in 0..<pairs.count where !unknown.isEmpty { unknown.remove(pairs[row].id.asText) }
    guard let first = reportRoutes.first(where: { unknown.contains($0.asText) }) else { return }
    throw .input(self.pairs, "no pair of the job has the id \(RowProblem.excerpt(first)), which reportRoutes names")
  }
}

extension JobKind {
  /// Whether its results are routes with steps and shapes.
  package var hasSteps: Bool { self == .routes }
}

extension Job {
  /// Whether its results have rows of trips, to which `writesLinks` adds links.
  package var hasTrips: Bool { task.hasTrips }

  /// Returns the Maps link of a trip.
  ///
  /// - Parameter additional: The trip's avoidances in addition to the job's.
  func link(
    from origin: FixedCoordinate, to destination: FixedCoordinate, avoiding additional: Profile.Avoidance = []
  ) -> String {
    var request = DirectionsRequest(
      source: Place(coordinate: origin.coordinate), destination: Place(coordinate: destination.coordinate))
    request.transportType = transit == nil ? transportType : .transit
    let avoids = avoids.union(additional)
    if avoids.contains(.tolls) { request.tollPreference = .avoid }
    if avoids.contains(.highways) { request.highwayPreference = .avoid }
    return request.url.absoluteString
  }
}
