import Geography
import Routing
import StreetNetwork
import Tables

extension IsochroneTask {
  /// Verifies areas by the length of their streets.
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let areas = try results.indices(of: results.database.areaCount()).compactMap {
      try results.database.area($0 + 1)
    }
    let (network, options) = (results.network, results.job.options)
    if results.context.transit != nil { return try verifyTransit(areas, results) }
    if let hours = results.hours() { return try verify(areas, at: hours, results) }
    let time = results.job.localTime
    let reach = TripReach(network.slowed(at: time), self.reach.direction, at: time)
    return try results.differences(of: areas) {
      let (router, oracle, query) = (Router(network, options), TripOracle(reach), TripReachQuery(reach))
      return { area in
        guard area.status != .outsideCoverage else { return [] }
        let limit = UInt32(clamping: area.threshold).multipliedReportingOverflow(by: 1000).partialValue
        let pieces = router.end(at: area.point.coordinate).map { end in
          query.pieces(around: end, oracle.states(around: end, within: limit), within: limit)
        }
        return IsochroneTask.differences(area, pieces, on: network)
      }
    }
  }

  private func verify(
    _ areas: [AreaToVerify], at hours: ResultsToVerify.Hours, _ results: ResultsToVerify
  ) throws -> Verification.Rows {
    let (network, options, departures) = (results.network, results.job.options, hours.departures)
    return try results.differences(of: areas) {
      let (router, oracle) = (Router(network, options), HourOracle(hours.timed))
      let reached = ReachedHours(hours.timed, departures)
      return { area in
        guard area.status != .outsideCoverage, let departure = area.departure else { return [] }
        let limit = UInt32(clamping: area.threshold).multipliedReportingOverflow(by: 1000).partialValue
        let pieces = router.end(at: area.point.coordinate).map { end in
          let states = oracle.states(around: end, at: departures.times[departure - 1], within: limit)
          return reached.pieces(end, states, departure - 1, limit)
        }
        return IsochroneTask.differences(area, pieces, on: network)
      }
    }
  }

  /// By plain search of the timetable, with the job's walks from or to stops.
  private func verifyTransit(_ areas: [AreaToVerify], _ results: ResultsToVerify) throws -> Verification.Rows {
    let (network, options, job) = (results.network, results.job.options, results.job)
    guard let check = try TransitCheck(results.context) else { return Verification.Rows(count: 0, differences: []) }
    let reach = TripReach(network, self.reach.direction)
    return try results.differences(of: areas) {
      let (router, search, query) = (Router(network, options), TransitCheck.Search(check), TripReachQuery(reach))
      let walker = TripReachQuery(reach)
      return { area in
        guard area.status != .outsideCoverage else { return [] }
        let limit = UInt32(clamping: area.threshold).multipliedReportingOverflow(by: 1000).partialValue
        let pieces = router.end(at: area.point.coordinate).map { end in
          let row = (area.departure ?? 1) - 1
          let (states, ends) = search.states(
            around: end, walker, within: limit, row: row, percentiles: job.hours.percentiles)
          return query.pieces(around: [(end, 0)] + ends, states, within: limit)
        }
        return IsochroneTask.differences(area, pieces, on: network)
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
