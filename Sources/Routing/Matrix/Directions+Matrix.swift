import Foundation
import Hierarchy
import StreetNetwork

extension Directions {
  /// All trips from the request's origins to its destinations, in memory: 4 bytes per cell, 8 with distances. Jobs of
  /// kind `matrix` write larger ones without keeping them in memory.
  ///
  /// - Throws: `DirectionsError.cancelled`.
  public func calculateMatrix(_ request: MatrixRequest) throws -> ETAMatrix {
    try withRouter { router, isCancelled in
      let (origins, destinations) = (ends(request.origins, router), ends(request.destinations, router))
      let time = request.departureDate.map { TripTime(Timestamp($0, request.timeZone, on: network)) }
      let (blocks, fill): ([Range<Int>], (Range<Int>) -> MatrixBlock)
      if let time, router.isTimed(time) {
        let matrix = HourlyMatrix(
          router.hours.network(at: time), from: origins, to: destinations, at: [time],
          distances: request.includesDistances)
        (blocks, fill) = (matrix.blocks, matrix.makeFill())
      } else {
        let trips = TripMatrix(network, from: origins, to: destinations, distances: request.includesDistances)
        (blocks, fill) = (trips.matrix.blocks, trips.makeFill())
      }
      var (times, lengths): ([UInt32], [UInt32]) = ([], [])
      times.reserveCapacity(request.origins.count * request.destinations.count)
      for rows in blocks {
        guard !isCancelled() else { throw DirectionsError.cancelled }
        let block = fill(rows)
        for row in 0..<rows.count {
          times += block.times(row: row)
          if request.includesDistances { lengths += block.lengths(row: row) }
        }
      }
      return ETAMatrix(
        rows: request.origins.count, columns: request.destinations.count, times: times,
        lengths: request.includesDistances ? lengths : nil)
    }
  }

  /// For each of the request's origins its nearest destinations, nearest first; none where there is no route
  /// to one, or no street within the snap limit. Ties are broken by distance, then by the order of the request.
  ///
  /// One sweep over the network, whatever the number of destinations, then about a microsecond per origin; a few
  /// origins on a large map are rows of a matrix.
  ///
  /// - Throws: `DirectionsError.cancelled`.
  public func calculateNearest(_ request: NearestRequest) throws -> [[NearestPlace]] {
    try withRouter { router, isCancelled in
      let limit = request.timeLimit.map { UInt32(min(max(0, $0) * 1000, Double(MatrixBlock.unreachable - 1))) }
      let (count, longest) = (max(1, request.count), limit ?? MatrixBlock.unreachable - 1)
      let time = request.departureDate.map { Timestamp($0, request.timeZone, on: network).localTime }
      let (origins, destinations) = (ends(request.origins, router), ends(request.destinations, router))
      let nearest: (Int) -> [NearestTable.Found]
      if origins.count < network.hierarchy.stateCount / 1000 {
        let query = TripMatrixQuery(
          TripMatrix(network, from: origins, to: destinations, distances: true, at: time))
        nearest = { query.nearest(row: $0, count: count, within: longest) }
      } else {
        let table = TripNearest(network, to: destinations, count: count, within: longest, at: time)
        nearest = { origins[$0].map(table.nearest) ?? [] }
      }
      return try origins.indices.map { index in
        guard index % 4096 != 0 || !isCancelled() else { throw DirectionsError.cancelled }
        return nearest(index).map { found in
          NearestPlace(
            destination: found.target, expectedTravelTime: found.weight.seconds, distance: found.weight.metres)
        }
      }
    }
  }

  private func ends(_ places: [Place], _ router: Router) -> [TripEnd?] {
    router.ends(at: places.map(\.coordinate))
  }
}
