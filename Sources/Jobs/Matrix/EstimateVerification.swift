import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

extension ResultsToVerify {
  /// Trips whose times are estimates: estimated again, where they must be equal, and by plain Dijkstra, which tells how far
  /// they are off.
  func estimates(of trips: [TripToVerify], at hours: HoursToVerify) throws -> Verification.Rows {
    let known = trips.compactMap { trip in
      trip.status == .outsideCoverage ? nil : trip.hour.map { (trip: trip, hour: $0) }
    }
    let router = Router(network, options)
    let ends = known.map { known in
      known.trip.ends[0]
    }.map { (from: router.end(at: $0.from.coordinate), to: router.end(at: $0.to.coordinate)) }
    let times = hours.departures.times
    let matrix = EstimatedMatrix(hours.timed, from: ends.map(\.from), to: ends.map(\.to), at: times)
    let fill = matrix.makeFill()
    let estimated = matrix.blocks.flatMap { origins in
      let block = fill(origins)
      return origins.map { block.times(row: ($0 - origins.lowerBound) * times.count + known[$0].hour)[$0] }
    }
    var rows = Verification.Rows(count: trips.count, differences: [])
    for (known, milliseconds) in zip(known, estimated) {
      let weight = Weight(milliseconds: milliseconds, centimetres: 0)
      rows.differences += ResultsToVerify.differences(
        known.trip.item, known.trip.found, weight.isFinite ? weight : nil)
    }
    let items = known.indices.map { (ends: ends[$0], time: times[known[$0].hour], estimated: estimated[$0]) }
    var cells: [(estimated: UInt32, exact: UInt32)] = []
    try Pipeline.run(
      items, workers: workers,
      makeWorker: {
        let oracle = HourOracle(hours.timed)
        return { item -> (estimated: UInt32, exact: UInt32) in
          guard let from = item.ends.from, let to = item.ends.to else {
            return (item.estimated, MatrixBlock.unreachable)
          }
          let exact = oracle.weight(from: from, to: to, at: item.time)
          return (item.estimated, exact?.milliseconds ?? MatrixBlock.unreachable)
        }
      },
      write: { cells += $0 })
    rows.error = EstimateError(cells, missing: MatrixBlock.unreachable)
    return rows
  }
}
