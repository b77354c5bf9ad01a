import Geography
import Routing
import StreetNetwork
import Tables

extension IsochroneTask {
  /// Verifies areas by the length of their streets.
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let areas = try results.indices(of: results.database.areaCount()).compactMap { try results.database.area($0 + 1) }
    if let check = try TransitCheck(results.context) { return try verify(areas, by: check, results) }
    if let hours = results.hours() {
      return try verify(areas.filter { $0.departure != nil }, results) {
        let (oracle, reached) = (HourOracle(hours.timed), ReachedHours(hours.timed, hours.departures))
        return { area, end, limit in
          let hour = (area.departure ?? 1) - 1
          let states = oracle.states(around: end, at: hours.departures.times[hour], within: limit)
          return reached.pieces(end, states, hour, limit)
        }
      }
    }
    let time = results.job.localTime
    let reach = TripReach(results.network.slowed(at: time), self.reach.direction, at: time)
    return try verify(areas, results) {
      let (oracle, query) = (TripOracle(reach), TripReachQuery(reach))
      return { _, end, limit in query.pieces(around: end, oracle.states(around: end, within: limit), within: limit) }
    }
  }

  /// By plain search of the timetable, with the job's walks from or to stops.
  private func verify(
    _ areas: [AreaToVerify], by check: TransitCheck, _ results: ResultsToVerify
  ) throws -> Verification.Rows {
    let reach = TripReach(results.network, self.reach.direction)
    let percentiles = results.job.hours.percentiles
    return try verify(areas, results) {
      let (search, query, walker) = (TransitCheck.Search(check), TripReachQuery(reach), TripReachQuery(reach))
      return { area, end, limit in
        let (states, ends) = search.states(
          around: end, walker, within: limit, row: (area.departure ?? 1) - 1, percentiles: percentiles)
        return query.pieces(around: [(end, 0)] + ends, states, within: limit)
      }
    }
  }

  /// - Parameter makeSearch: Makes a plain search for one thread: the streets within a limit of an area's place.
  private func verify(
    _ areas: [AreaToVerify], _ results: ResultsToVerify,
    _ makeSearch: @escaping @Sendable () -> (AreaToVerify, TripEnd, _ limit: UInt32) -> [StreetPiece]
  ) throws -> Verification.Rows {
    let (network, options) = (results.network, results.job.options)
    return try results.differences(of: areas) {
      let (router, pieces) = (Router(network, options), makeSearch())
      return { area in
        guard area.status != .outsideCoverage else { return [] }
        let limit = UInt32(clamping: area.threshold).multipliedReportingOverflow(by: 1000).partialValue
        let found = router.end(at: area.point.coordinate).map { pieces(area, $0, limit) }
        return IsochroneTask.differences(area, found, on: network)
      }
    }
  }

  private static func differences(
    _ area: AreaToVerify, _ pieces: [StreetPiece]?, on network: StreetNetwork
  ) -> [Difference] {
    let expected = pieces.flatMap { pieces in
      pieces.isEmpty ? nil : pieces.reduce(0) { $0 + network.length(of: $1) }.rounded()
    }
    guard expected != area.streetMetres else { return [] }
    let hour = area.departure.map { ", departure \($0)" } ?? ""
    return [
      Difference(
        item: "area \(area.id), \(area.threshold) s\(hour)", measure: "street_length", found: area.streetMetres,
        expected: expected)
    ]
  }
}
