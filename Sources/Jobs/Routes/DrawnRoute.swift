import Foundation
import Geography
import Input
import Routing
import Settings
import StreetNetwork
import Tables

/// A route for pages: its line, and the steps along it.
package struct DrawnRoute: Sendable {
  /// A step, and the line's points at its start and end.
  package struct Step: Sendable {
    package var instructions: String
    package var notice: String?
    /// In metres; `time` is in seconds.
    package var distance: Double
    package var time: Double
    package var points: ClosedRange<Int>
    /// The ride in a vehicle; nil for steps on streets.
    package var ride: Ride?
    /// The maneuver, as in table `step`.
    package var maneuver: String
  }

  /// The line of a step in a vehicle, with its colours, such as `#0067B1`, if known.
  package struct Ride: Sendable {
    package var line: String
    package var color: String?
    package var textColor: String?
  }

  /// The row of the best route in table `route`; its alternates have the same value.
  package var row: Int
  package var points: [FixedCoordinate]
  /// In seconds; `distance` is in metres.
  package var time: Double
  package var distance: Double
  package var name: String?
  package var notices: String?
  package var steps: [Step]
  /// The elevations of the points; nil if unknown.
  package var heights: RouteHeights?
  /// Metres of ascent and descent.
  package var ascent: Double?
  package var descent: Double?
}

extension ResultsDatabase {
  /// Returns the routes of `rows` that have a line, each best route followed by its alternates, in the order of `rows`.
  package func drawnRoutes(_ rows: [Int]) throws -> [DrawnRoute] {
    let axis = try rowAxis().column?.rawValue
    let hasHeights = try hasHeights
    let climbs = hasHeights ? ", other.heights, other.ascent, other.descent" : ""
    let sameHour = { (table: String) in axis.map { " AND \(table).\($0) IS best.\($0)" } ?? "" }
    let routes = try database.prepare(
      """
      SELECT other.alternative, other.geom, other.expected_travel_time, other.distance, other.name, other.advisory_notices\(climbs)
      FROM route AS best JOIN main.route AS other
        ON other.pair_id = best.pair_id AND other.leg = best.leg\(sameHour("other"))
      WHERE best.fid = ? AND other.geom NOT NULL ORDER BY other.fid
      """)
    let steps = try database.prepare(
      """
      SELECT step_row.alternative, instructions, notice, step_row.distance, step_row.expected_travel_time, latitude_e7,
        longitude_e7, maneuver, phrase.transport_type AS travelled
      FROM route AS best JOIN step_row ON step_row.pair_id = best.pair_id AND step_row.leg = best.leg\(sameHour("step_row"))
      JOIN phrase USING (phrase_id) WHERE best.fid = ? ORDER BY step_row.fid
      """)
    let rides = try rides()
    var drawn: [DrawnRoute] = []
    for row in rows {
      var lines = try rides(row).makeIterator()
      var starts: [Int: [(step: DrawnRoute.Step, point: FixedCoordinate)]] = [:]
      steps.reset()
      steps.bind(row)
      while try steps.next() {
        let point = FixedCoordinate(
          longitude: Int32(clamping: try steps["longitude_e7"] as Int),
          latitude: Int32(clamping: try steps["latitude_e7"] as Int))
        var step = DrawnRoute.Step(
          instructions: try steps["instructions"], notice: try steps["notice"], distance: try steps["distance"],
          time: try steps["expected_travel_time"], points: 0...0, maneuver: try steps["maneuver"])
        if try steps["travelled"] == TransportType.transit.rawValue { step.ride = lines.next() }
        starts[try steps["alternative"], default: []].append((step, point))
      }
      drawn += try routes.rows([row]) { routes in
        let points = (try routes["geom"] as GeometryBlob).lines.first ?? []
        var route = DrawnRoute(
          row: row, points: points, time: try routes["expected_travel_time"], distance: try routes["distance"],
          name: try routes["name"], notices: try routes["advisory_notices"],
          steps: DrawnRoute.steps(starts[try routes["alternative"]] ?? [], along: points))
        if hasHeights {
          route.heights = (try routes["heights"] as String?).flatMap(RouteHeights.init(text:))
          (route.ascent, route.descent) = (try routes["ascent"], try routes["descent"])
        }
        return route
      }
    }
    return drawn
  }

  /// Returns a function that finds the rides of a route by its row, in order; there are none unless the job uses
  /// transit.
  private func rides() throws -> (_ row: Int) throws -> [DrawnRoute.Ride] {
    guard try database.value("SELECT count(*) FROM sqlite_schema WHERE name = 'ride'") > 0 else { return { _ in [] } }
    let axis = try rowAxis().column.map { " AND ride.\($0.rawValue) IS best.\($0.rawValue)" } ?? ""
    let rides = try database.prepare(
      """
      SELECT line, route_color, route_text_color FROM route AS best JOIN ride ON ride.pair_id = best.pair_id\(axis)
      WHERE best.fid = ? ORDER BY ride.fid
      """)
    return { row in
      try rides.rows([row]) {
        .init(line: try $0["line"], color: try $0["route_color"], textColor: try $0["route_text_color"])
      }
    }
  }
}

extension DrawnRoute {
  /// Returns a route's steps, each from its start point on the route's line to the start of the next step.
  fileprivate static func steps(
    _ starts: [(step: Step, point: FixedCoordinate)], along points: [FixedCoordinate]
  ) -> [Step] {
    guard !points.isEmpty else { return [] }
    var indices: [Int] = []
    for (_, start) in starts {
      let from = indices.last ?? 0
      indices.append(points[from...].firstIndex(of: start) ?? from)
    }
    return starts.enumerated().map { index, start in
      var step = start.step
      let end = index + 1 < indices.count ? indices[index + 1] : points.count - 1
      step.points = indices[index]...end
      return step
    }
  }
}

/// The routes of one pair for a page: read from finished results, or recomputed if missing there.
package struct PairRoutes {
  package let pairs: [ListedPair]
  package private(set) var routes: [DrawnRoute]

  /// *Throws*: `ResultsError` if there is no such pair, or its route cannot be reproduced; errors from opening the
  /// network.
  package init(of id: String, in path: String, workers: Int, report: @escaping @Sendable (NetworkEvent) -> Void) throws
  {
    let database = try ResultsDatabase(path: path, checksRows: true)
    guard database.kind.hasPairs else {
      throw ResultsError(
        path: path, problem: "--pair: these are results of kind \(database.kind.rawValue); expected routes or etas",
        cause: .input)
    }
    pairs = try database.listedPairs(of: Identifier(id))
    guard !pairs.isEmpty else {
      let ids = try database.sampleIDs(atMost: 10_000)
      throw ResultsError(
        path: path,
        problem: "--pair: no pair has the id \(RowProblem.excerpt(id)); known ids: \(RowProblem.list(ids, atMost: 5))"
          + Suggestion.question(id, of: ids),
        cause: .input)
    }
    routes = try database.drawnRoutes(pairs.map(\.row))
    let drawnRows = Set(routes.map(\.row))
    let missing = pairs.filter { $0.status == .ok && !drawnRows.contains($0.row) }
    guard !missing.isEmpty else { return }
    let network = try Verification.network(of: path, at: LocatedFiles(), cache: nil, workers: workers, report: report)
    let job = try Job(of: database, on: network)
    try job.speeds.check(database)
    // Rides cannot be recomputed.
    guard job.transit == nil else { throw PairRoutes.irreproducible(missing[0], in: path) }
    let trips = try missing.map { try database.trip($0.row) }
    // All rows of a pair have the same avoidances.
    let avoids = trips.lazy.compactMap(\.self).first?.avoids.map { Profile.Avoidance(text: $0) } ?? []
    let context = try JobContext(job, on: network, workers: workers, .verification).avoiding(avoids)
    let router = Router(context.network, job.options, context.timedNetworks)
    routes += try zip(missing, trips).map { pair, trip in
      guard let route = PairRoutes.route(of: pair, trip, job, router) else {
        throw PairRoutes.irreproducible(pair, in: path)
      }
      return route
    }
    routes.sort { $0.row < $1.row }
  }

  private static func irreproducible(_ pair: ListedPair, in path: String) -> ResultsError {
    ResultsError(
      path: path,
      problem:
        "--pair: the route of pair \(RowProblem.excerpt(pair.id)) cannot be recomputed from its row alone; run the "
        + "pair in a job of kind routes with shapes: true", cause: .input)
  }

  /// Returns the best route of a row; nil unless its travel time equals the row's.
  private static func route(of pair: ListedPair, _ trip: TripToVerify?, _ job: Job, _ router: Router) -> DrawnRoute? {
    guard let trip else { return nil }
    for ends in trip.ends {
      guard let from = router.end(at: ends.from.coordinate), let to = router.end(at: ends.to.coordinate) else {
        continue
      }
      for time in trip.times(in: job) {
        let route = router.route(from: from, to: to, at: time?.moved(by: trip.elapsed))
        if let route, abs(route.expectedTravelTime - (pair.time ?? -1)) < 0.0005 {
          return DrawnRoute(row: pair.row, route)
        }
      }
    }
    return nil
  }
}

extension DrawnRoute {
  fileprivate init(row: Int, _ route: Route) {
    var (steps, start): ([Step], Int) = ([], 0)
    let points = Array(route.polyline.points)
    for step in route.steps {
      let end = max(start, start + step.polyline.count - 1)
      steps.append(
        Step(
          instructions: step.instructions, notice: step.notice, distance: step.distance, time: step.expectedTravelTime,
          points: start...min(end, max(start, points.count - 1)), maneuver: step.maneuver.rawValue))
      start = min(end, max(0, points.count - 1))
    }
    self.init(
      row: row, points: points, time: route.expectedTravelTime, distance: route.distance, name: route.title,
      notices: route.advisoryNotices.isEmpty ? nil : route.advisoryNotices.joined(separator: " "), steps: steps)
    if !route.heights.isEmpty { heights = RouteHeights(centimetres: route.heights) }
    (ascent, descent) = (route.ascent, route.descent)
  }
}

extension ResultsDatabase {
  /// Returns an even sample of at most `limit` trips to draw, at the first hour or the middle percentile, and the
  /// number of all trips. Without `shapes`, only trips with a line are drawn; for kind `etas`, the lines are straight.
  package func drawnTrips(
    atMost limit: Int, of survey: RouteSurvey
  ) throws -> (lines: [(points: [FixedCoordinate], seconds: Double)], count: Int) {
    let axis = try rowAxis()
    // With a single hour there may be rows with their own time, which have no number on the axis.
    let hour = axis.count > 1 ? "AND \(axis.condition(axis.initial?.number ?? 1, in: "route"))" : ""
    let trips = "FROM route WHERE status = 'ok' AND alternative = 0 \(hour)"
    let count: Int =
      axis.count > 1 ? try database.value("SELECT count(*) \(trips)") : survey.count - survey.missingCount
    let interval = max(1, (count + limit - 1) / limit)
    let numbered = "SELECT fid, row_number() OVER (ORDER BY fid) AS number \(trips)"
    let every =
      (axis.count > 1 ? nil : survey.condition(every: interval))
      ?? "route.fid IN (SELECT fid FROM (\(numbered)) WHERE number % \(interval) = 0)"
    let sample = interval == 1 ? "" : "AND \(every)"
    let drawn: [(points: [FixedCoordinate], seconds: Double)] = try database.rows(
      """
      SELECT geom, expected_travel_time FROM main.route
      WHERE geom NOT NULL AND alternative = 0 \(hour) \(record.identity.flag(.shapes) == true ? sample : "") ORDER BY fid
      """
    ) { row in
      ((try row["geom"] as GeometryBlob).lines.first ?? [], try row["expected_travel_time"])
    }
    guard drawn.isEmpty else { return (drawn, count) }
    let straight: [(points: [FixedCoordinate], seconds: Double)] = try database.rows(
      """
      SELECT origin.latitude, origin.longitude, destination.latitude AS end_latitude,
        destination.longitude AS end_longitude, expected_travel_time
      FROM route JOIN place AS origin ON origin.place_id = origin_id AND origin.role = 'origin'
      JOIN place AS destination ON destination.place_id = destination_id AND destination.role = 'destination'
      WHERE route.status = 'ok' AND alternative = 0 \(hour) \(sample) GROUP BY route.fid ORDER BY route.fid
      """
    ) { row in
      ([try row.point(), try row.point("end_latitude", "end_longitude")], try row["expected_travel_time"])
    }
    return (straight, count)
  }
}
