import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables

extension TripTask {
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let known = try results.database.tripRows()
    let trips = try results.indices(of: known.count).compactMap { try results.database.trip(known.row($0)) }
    var rows = Verification.Rows(count: 0, differences: [])
    // Those that avoid the same, on one network.
    for avoids in Set(trips.map(\.avoids)).sorted(by: { ($0 ?? "") < ($1 ?? "") }) {
      let own = try verify(
        trips.filter { $0.avoids == avoids }, results.avoiding(avoids.map { Profile.Avoidance(text: $0) } ?? []))
      rows.count += own.count
      rows.differences += own.differences
    }
    return rows
  }

  private func verify(_ trips: [TripToVerify], _ results: ResultsToVerify) throws -> Verification.Rows {
    let (network, job, hours, days) = (results.network, results.job, results.hours(), results.context.timedNetworks)
    let clock = results.context.speeds == nil ? nil : try job.clock(on: network)
    return try results.differences(of: trips) { () -> (TripToVerify, TripEnd, TripEnd) -> Weight? in
      let undated = TripOracle(TripReach(network, .fromTargets))
      let hourly = hours.map { HourOracle($0.timed) }
      return { trip, from, to in
        if let hours, let hourly, let hour = trip.hour {
          return hours.departures.hours[hour].time.moved(by: trip.elapsed).flatMap {
            hourly.weight(from: from, to: to, at: $0)
          }
        }
        func time(_ text: String?, isArrival: Bool) -> TripTime? {
          text.flatMap { Timestamp($0) }.map { job.tripTime($0, isArrival: isArrival, by: clock) }
        }
        let time = time(trip.arrival, isArrival: true) ?? time(trip.departure, isArrival: false)
        guard let time else { return undated.weights(between: from, and: [to])[0] }
        return time.moved(by: trip.elapsed).flatMap {
          HourOracle(days.network(at: time)).weight(from: from, to: to, at: $0)
        }
      }
    }
  }
}

extension ResultsToVerify {
  /// What differs in trips at a time, each compared with plain Dijkstra's, on the clock where there is one.
  func differences(of trips: [TripToVerify], at time: TripTime?) throws -> Verification.Rows {
    let network = network
    guard let time else {
      return try differences(of: trips) {
        let oracle = TripOracle(TripReach(network, .fromTargets))
        return { _, from, to in oracle.weights(between: from, and: [to])[0] }
      }
    }
    let timed = TimedNetwork(network, nil, on: time.day, waitLimit: job.options.waitMilliseconds)
    return try differences(of: trips) {
      let oracle = HourOracle(timed)
      return { _, from, to in oracle.weight(from: from, to: to, at: time) }
    }
  }

  /// The same of trips at hours.
  func differences(of trips: [TripToVerify], at hours: Hours) throws -> Verification.Rows {
    try differences(of: trips) {
      let oracle = HourOracle(hours.timed)
      return { trip, from, to in
        trip.hour.flatMap { oracle.weight(from: from, to: to, at: hours.departures.hours[$0].time) }
      }
    }
  }

  /// What differs in trips, each compared with the weight that an oracle finds; one oracle per thread.
  fileprivate func differences(
    of trips: [TripToVerify],
    _ makeOracle: @escaping @Sendable () -> (TripToVerify, TripEnd, TripEnd) -> Weight?
  ) throws -> Verification.Rows {
    let (network, options) = (network, job.options)
    return try differences(of: trips) {
      let router = Router(network, options)
      let oracle = makeOracle()
      return { trip in
        guard trip.status != .outsideCoverage else { return [] }
        let answers = trip.ends.map { ends -> Weight? in
          guard let from = router.end(at: ends.from.coordinate), let to = router.end(at: ends.to.coordinate) else {
            return nil
          }
          return oracle(trip, from, to)
        }
        let differences = answers.map { ResultsToVerify.differences(trip.item, trip.found, $0) }
        return differences.contains([]) ? [] : differences.first ?? []
      }
    }
  }
}
