import Geography
import Hierarchy
import StreetNetwork

extension Directions {
  /// The areas within the request's times of its place, in their order; each holds those of shorter times. A point of a
  /// street is within one if and only if its trip takes no longer, to the millisecond.
  ///
  /// Costs a search of what lies within the longest time, and as many areas.
  ///
  /// - Throws: `DirectionsError.placemarkNotFound`, `DirectionsError.cancelled`.
  public func calculateIsochrones(_ request: IsochroneRequest) throws -> [Isochrone] {
    try calculateIsochrones(request, cancellation())
  }

  /// The same, as a part of a request that may be cancelled.
  package func calculateIsochrones(_ request: IsochroneRequest, _ isCancelled: @escaping () -> Bool) throws
    -> [Isochrone]
  {
    try withRouter(isCancelled) { router, isCancelled in
      guard let end = router.end(at: request.place.coordinate) else {
        throw DirectionsError.placemarkNotFound(source: request.direction == .fromPlace)
      }
      let time = request.departureDate.map { Timestamp($0, request.timeZone, on: network).localTime }
      let direction = request.direction == .fromPlace ? NearestTable.Direction.fromTargets : .toTargets
      let query = TripReachQuery(TripReach(network.slowed(at: time), direction, at: time))
      let limits = request.travelTimes.map { UInt32(min(max(0, $0 * 1000), Double(MatrixBlock.unreachable - 1))) }
      let states = query.states(around: [end], within: limits.max() ?? 0)
      // From the shortest time to the longest, each area the one before it and what is new: as jobs do.
      let builder = AreaBuilder(around: end.place, buffer: request.buffer, AreaContext())
      var drawn: Set<StreetPiece> = []
      var isochrones = [Isochrone?](repeating: nil, count: limits.count)
      for index in limits.indices.sorted(by: { (limits[$0], $0) < (limits[$1], $1) }) {
        guard !isCancelled() else { throw DirectionsError.cancelled }
        let pieces = query.pieces(around: end, states, within: limits[index])
        let area = builder.add(
          pieces.filter { !drawn.contains($0) }.map(network.points)
            + network.lines(overSquareAround: end, within: limits[index]))
        drawn.formUnion(pieces)
        isochrones[index] = Isochrone(
          travelTime: request.travelTimes[index], polygons: area.polygons.map { $0.map { $0.map(\.coordinate) } },
          area: area.squareMetres, streetLength: pieces.reduce(0) { $0 + network.length(of: $1) })
      }
      return isochrones.compactMap(\.self)
    }
  }
}
