import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

extension ResultsToVerify {
  private typealias KnownTrip = (trip: TripToVerify, hour: Int)
  private typealias Ends = (from: TripEnd?, to: TripEnd?)

  /// Trips whose times are estimates: estimated again, where they must be equal, and by plain Dijkstra, which shows how far
  /// they are off.
  func estimates(of trips: [TripToVerify], at hours: HoursToVerify) throws -> Verification.Rows {
    let known = trips.compactMap { trip -> KnownTrip? in
      trip.status == .outsideCoverage ? nil : trip.hour.map { (trip, $0) }
    }
    let router = Router(network, options)
    let ends = known.map { known -> Ends in
      let place = known.trip.ends[0]
      return (router.end(at: place.from.coordinate), router.end(at: place.to.coordinate))
    }
    let estimated = try estimates(known, ends, hours)
    let exact = try exactTimes(known, ends, hours)
    var rows = Verification.Rows(count: trips.count, differences: [])
    for (known, milliseconds) in zip(known, estimated) {
      let weight = Weight(milliseconds: milliseconds, centimetres: 0)
      rows.differences += ResultsToVerify.differences(
        known.trip.item, known.trip.found, weight.isFinite ? weight : nil)
    }
    rows.error = EstimateError(
      zip(estimated, exact).map { (estimated: $0, exact: $1) }, missing: MatrixBlock.unreachable)
    return rows
  }

  /// Trips of an hour that are estimated together: all from each to all are.
  private static let tripsPerPart = 64

  private func estimates(_ trips: [KnownTrip], _ ends: [Ends], _ hours: HoursToVerify) throws -> [UInt32] {
    let matrix = EstimatedMatrix(
      hours.timed, from: ends.map(\.from), to: ends.map(\.to), at: hours.departures.times)
    let byHour = Dictionary(grouping: trips.indices) { trips[$0].hour }.sorted { $0.key < $1.key }
    let parts = byHour.flatMap { hour, trips in
      Pipeline.chunks(of: trips.count, size: ResultsToVerify.tripsPerPart).map { (hour: hour, trips: Array(trips[$0])) }
    }
    var estimates = [UInt32](repeating: MatrixBlock.unreachable, count: trips.count)
    try Pipeline.run(
      parts, workers: workers,
      makeWorker: {
        { part -> [(trip: Int, time: UInt32)] in
          let fill = matrix.part(from: part.trips, to: part.trips, at: [part.hour]).makeFill()
          let block = fill(part.trips.indices)
          return part.trips.enumerated().map { ($1, block.times(row: $0)[$0]) }
        }
      },
      write: { answers in
        for (trip, time) in answers.joined() { estimates[trip] = time }
      })
    return estimates
  }

  private func exactTimes(_ trips: [KnownTrip], _ ends: [Ends], _ hours: HoursToVerify) throws -> [UInt32] {
    let times = hours.departures.times
    var exact: [UInt32] = []
    try Pipeline.run(
      trips.indices.map { (ends: ends[$0], time: times[trips[$0].hour]) }, workers: workers,
      makeWorker: {
        let oracle = HourOracle(hours.timed)
        return { trip -> UInt32 in
          guard let from = trip.ends.from, let to = trip.ends.to else { return MatrixBlock.unreachable }
          return oracle.weight(from: from, to: to, at: trip.time)?.milliseconds ?? MatrixBlock.unreachable
        }
      },
      write: { exact += $0 })
    return exact
  }
}
