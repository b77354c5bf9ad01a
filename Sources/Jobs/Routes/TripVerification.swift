import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

extension TripTask {
  static func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let trips = try results.indices(of: results.database.tripCount()).compactMap { try results.database.trip($0 + 1) }
    if let hours = try results.hours() { return try results.differences(of: trips, at: hours) }
    let (arrival, holidays) = (results.arrival, results.holidays)
    return try results.differences(of: trips) { trip in
      arrival ?? trip.departure.flatMap { Timestamp($0)?.localTime(holidays) }
    }
  }
}

extension ResultsToVerify {
  /// What differs in trips, each compared with plain Dijkstra's; `time` is when one is made.
  func differences(
    of trips: [TripToVerify], at time: @escaping @Sendable (TripToVerify) -> LocalTime?
  ) throws -> Verification.Rows {
    let (network, options) = (network, options)
    return try differences(of: trips) {
      let router = Router(network, options)
      var oracles: [LocalTime?: TripOracle] = [:]
      return { trip in
        guard trip.status != .outsideCoverage else { return [] }
        let at = time(trip)
        let oracle = oracles[at] ?? TripOracle(TripReach(network, .fromTargets, at: at))
        oracles[at] = oracle
        let answers = trip.ends.map { ends -> Weight? in
          guard let from = router.end(at: ends.from.coordinate), let to = router.end(at: ends.to.coordinate) else {
            return nil
          }
          return oracle.weights(between: from, and: [to])[0]
        }
        let differences = answers.map { ResultsToVerify.differences(trip.item, trip.found, $0) }
        return differences.contains([]) ? [] : differences.first ?? []
      }
    }
  }

  /// The same of trips at hours.
  func differences(of trips: [TripToVerify], at hours: HoursToVerify) throws -> Verification.Rows {
    let (network, options) = (network, options)
    return try differences(of: trips) {
      let router = Router(network, options)
      let oracle = HourOracle(hours.timed)
      return { trip in
        guard trip.status != .outsideCoverage, let hour = trip.hour else { return [] }
        let time = hours.departures.hours[hour].time
        let answers = trip.ends.map { ends -> Weight? in
          guard let from = router.end(at: ends.from.coordinate), let to = router.end(at: ends.to.coordinate) else {
            return nil
          }
          return oracle.weight(from: from, to: to, at: time)
        }
        let differences = answers.map { ResultsToVerify.differences(trip.item, trip.found, $0) }
        return differences.contains([]) ? [] : differences.first ?? []
      }
    }
  }
}
