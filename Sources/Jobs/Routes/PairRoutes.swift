import Foundation
import Geography
import Routing
import StreetNetwork
import Tables

/// The routes of one pair of finished results, as a page draws them: those that the results have, others computed again.
package struct PairRoutes {
  package let pairs: [ListedPair]
  package private(set) var routes: [DrawnRoute]

  /// *Throws*: `ResultsError` where there is no such pair, or where its route cannot be computed as it was; what opening a
  /// network throws.
  package init(of id: String, in path: String, workers: Int, report: @escaping @Sendable (NetworkEvent) -> Void) throws
  {
    let database = try ResultsDatabase(path: path)
    guard database.kind == .routes || database.kind == .etas else {
      throw ResultsError(
        path: path, problem: "--pair: these are results of kind \(database.kind.rawValue); expected routes or etas",
        cause: .input)
    }
    pairs = try database.listedPairs(of: Identifier(id))
    guard !pairs.isEmpty else {
      throw ResultsError(path: path, problem: "--pair: no pair is called \(printable(id))", cause: .input)
    }
    routes = try database.drawnRoutes(pairs.map(\.row))
    let known = Set(routes.map(\.row))
    let missing = pairs.filter { $0.status == .ok && !known.contains($0.row) }
    guard !missing.isEmpty else { return }
    let network = try Verification.network(
      of: path, at: LocatedFiles(), cache: nil, workers: workers, report: report)
    let job = try Job(of: database, on: network)
    let directions = Directions(network: network, options: job.options)
    routes += try missing.map { try PairRoutes.route(of: $0, directions, job, in: path) }
    routes.sort { $0.row < $1.row }
  }

  /// The best route, which must be that of the row.
  private static func route(
    of pair: ListedPair, _ directions: Directions, _ job: Job, in path: String
  ) throws -> DrawnRoute {
    func place(_ named: NamedPlace) -> Place {
      Place(coordinate: named.point?.coordinate ?? Coordinate(latitude: 0, longitude: 0))
    }
    var request = DirectionsRequest(source: place(pair.origin), destination: place(pair.destination))
    request.departureDate = pair.departureDate.flatMap { try? Date($0, strategy: .iso8601) }
    request.tollPreference = job.avoids.contains(.tolls) ? .avoid : .any
    request.highwayPreference = job.avoids.contains(.highways) ? .avoid : .any
    let route = try? directions.calculate(request).first
    guard let route, abs(route.expectedTravelTime - (pair.time ?? -1)) < 0.0005 else {
      throw ResultsError(
        path: path,
        problem: "--pair: the route of pair \(pair.id) cannot be computed as it was (it had speeds by the hour, or "
          + "another map); run the job again with shapes: true", cause: .input)
    }
    return DrawnRoute(row: pair.row, route)
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
          points: start...min(end, max(start, points.count - 1))))
      start = min(end, max(0, points.count - 1))
    }
    self.init(
      row: row, points: points, time: route.expectedTravelTime, distance: route.distance, name: route.name,
      notices: route.advisoryNotices.isEmpty ? nil : route.advisoryNotices.joined(separator: " "), steps: steps)
    if !route.heights.isEmpty { heights = RouteHeights(centimetres: route.heights) }
    (ascent, descent) = (route.ascent, route.descent)
  }
}
