import COdometer
import Geography
import Hierarchy
import OdometerCommand
import Routing

/// See `odometer.h`.
@c @implementation
public func odometer_etas(
  _ network: OpaquePointer, _ origins: UnsafePointer<odometer_places>, _ destinations: UnsafePointer<odometer_places>,
  _ departures: UnsafePointer<Int64>?, _ travelTimes: UnsafeMutablePointer<Double>,
  _ distances: UnsafeMutablePointer<Double>, _ statuses: UnsafeMutablePointer<odometer_status>
) -> Int32 {
  Outcome.of {
    let table = try TripTable(.at(network), origins, destinations, departures)
    let (times, lengths, states) = (Output(travelTimes), Output(distances), Output(statuses))
    try table.run(chunk: 1024) { trips, router in
      for row in trips.order {
        guard !table.network.isTransit else {
          let (route, status) = try table.transitRoute(row)
          (times[row], lengths[row]) = (route?.expectedTravelTime ?? .nan, route?.distance ?? .nan)
          states[row] = status.rawValue
          continue
        }
        let (from, to) = (trips.origin(row), trips.destination(row))
        var weight: Weight?
        if let from, let to { weight = router.weight(from: from, to: to, at: trips.time(row)) }
        times[row] = weight?.seconds ?? .nan
        lengths[row] = weight?.metres ?? .nan
        states[row] = (weight == nil ? TripStatus(without: from, to, router) : .ok).rawValue
      }
    }
  }
}

/// See `odometer.h`.
@c @implementation
public func odometer_reasons(
  _ network: OpaquePointer, _ origins: UnsafePointer<odometer_places>, _ destinations: UnsafePointer<odometer_places>,
  _ departures: UnsafePointer<Int64>?, _ answer: UnsafeMutablePointer<odometer_answer>
) -> Int32 {
  Outcome.of {
    let table = try TripTable(.at(network), origins, destinations, departures)
    let reasons = try table.run(chunk: 128) { trips, router in
      trips.rows.map { row in
        router.reason(from: table.origins[row], to: table.destinations[row], at: trips.time(row))
      }
    }
    var text = TextBuffer()
    text.list(reasons.joined()) { $0.append(jsonString: $1) }
    answer.initialize(to: odometer_answer(text))
  }
}

/// See `odometer.h`.
@c @implementation
public func odometer_routes(
  _ network: OpaquePointer, _ origins: UnsafePointer<odometer_places>, _ destinations: UnsafePointer<odometer_places>,
  _ departures: UnsafePointer<Int64>?, _ alternates: Int32, _ answer: UnsafeMutablePointer<odometer_answer>
) -> Int32 {
  Outcome.of {
    let table = try TripTable(.at(network), origins, destinations, departures)
    let parts = try table.run(chunk: 128) { trips, router in
      var found = [[Route]](repeating: [], count: trips.rows.count)
      for row in trips.order {
        guard !table.network.isTransit else {
          found[row - trips.rows.lowerBound] = [try table.transitRoute(row).route].compactMap(\.self)
          continue
        }
        guard let from = trips.origin(row), let to = trips.destination(row) else { continue }
        found[row - trips.rows.lowerBound] =
          router.routes(from: from, to: to, at: trips.time(row), withAlternates: alternates != 0)
      }
      var text = TextBuffer()
      var shapes = Shapes()
      for (row, routes) in zip(trips.rows, found) {
        if routes.isEmpty {
          let status = TripStatus(without: trips.origin(row), trips.destination(row), router).row
          text.separate()
          text.append(text: "{\"pair\":\(row),\"status\":\"\(status.rawValue)\"}")
        }
        for (alternative, route) in routes.enumerated() {
          text.separate()
          text.append(text: "{\"pair\":\(row),\"status\":\"ok\",\"alternative\":\(alternative)")
          RouteJSON.appendMembers(of: route, link: nil, to: &text) { shapes.append($1, to: &$0) }
          text.append("}")
        }
      }
      return AnswerPart(text: text.string(), points: shapes.points)
    }
    answer.initialize(to: odometer_answer(parts))
  }
}

extension TripTable {
  fileprivate init(
    _ network: OpenNetwork, _ origins: UnsafePointer<odometer_places>, _ destinations: UnsafePointer<odometer_places>,
    _ departures: UnsafePointer<Int64>?
  ) throws {
    let (from, to) = try (origins.pointee.coordinates("origins"), destinations.pointee.coordinates("destinations"))
    guard from.count == to.count else {
      throw .usage("got \(from.count.counted("origin")) and \(to.count.counted("destination")), expected equal numbers")
    }
    (self.network, self.origins, self.destinations) = (network, from, to)
    self.departures = departures.map { Array(UnsafeBufferPointer(start: $0, count: from.count)) }
    times = try self.departures.map { try $0.map(network.time) }
  }
}
