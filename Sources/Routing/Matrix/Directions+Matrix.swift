import Foundation
import Geography
import Hierarchy
import OpeningHours
import StreetNetwork

extension Directions {
  /// Returns the travel times from all sources to all destinations. Takes 4 bytes of memory per cell, 8 with distances.
  /// Jobs of kind `matrix` write larger matrices without keeping them in memory. Blocks the thread.
  ///
  /// - Throws: `DirectionsError`.
  public func calculateMatrixAndWait(_ request: MatrixRequest) throws -> ETAMatrix {
    try request.sources.check(isSource: true)
    try request.destinations.check(isSource: false)
    return try counted { try isByTransit(request.transportType) ? transitMatrix(request) : streetMatrix(request) }
  }

  private func streetMatrix(_ request: MatrixRequest) throws -> ETAMatrix {
    let isCancelled = cancellation()
    let index = try indices(of: request.transportType)[0]
    let matrix = try prepareMatrix(
      from: request.sources.map(\.coordinate), to: request.destinations.map(\.coordinate),
      at: try TripTime(
        departure: request.departureDate, arrival: request.arrivalDate, request.timeZone, on: networks[index]),
      distances: request.includesDistances, on: index,
      avoiding: Profile.Avoidance(tolls: request.tollPreference, highways: request.highwayPreference), isCancelled)
    let fill = matrix.makeFill()
    var (times, lengths): ([UInt32], [UInt32]) = ([], [])
    times.reserveCapacity(request.sources.count * request.destinations.count)
    for rows in matrix.blocks {
      guard !isCancelled() else { throw DirectionsError.cancelled }
      let block = fill(rows)
      for row in 0..<rows.count {
        times += block.times(row: row)
        if request.includesDistances { lengths += block.lengths(row: row) }
      }
    }
    return ETAMatrix(
      rows: request.sources.count, columns: request.destinations.count, times: times,
      lengths: request.includesDistances ? lengths : nil)
  }

  /// Snaps the places of a matrix, and returns the engine for it. *Throws*: `DirectionsError.cancelled`.
  ///
  /// - Parameters:
  ///   - time: The departure or arrival of all trips; nil for free flow.
  ///   - index: The index of the network.
  ///   - avoids: The kinds of road to avoid in addition to the avoidances of the network's profile.
  package func prepareMatrix(
    from origins: [Coordinate], to destinations: [Coordinate], at time: TripTime?, distances: Bool, on index: Int = 0,
    avoiding avoids: Profile.Avoidance = [], _ isCancelled: @escaping () -> Bool
  ) throws -> any MatrixEngine {
    try withRouter(on: index, avoiding: networks[index].profile.avoids.union(avoids), isCancelled) { router, _ in
      let (from, to) = (router.ends(at: origins), router.ends(at: destinations))
      if let time, router.isTimed(time) {
        return HourlyMatrix(router.hours.network(at: time), from: from, to: to, at: [time], distances: distances)
      }
      return TripMatrix(router.network, from: from, to: to, distances: distances)
    }
  }

  /// Returns the nearest destinations of each origin, nearest first; none if no destination is reachable, or if the
  /// origin has no street within the snap limit. Ties are broken by distance, then by the order of the request.
  ///
  /// Takes one sweep over the network for any number of destinations, then about a microsecond per origin; a few
  /// origins on a large map are computed as rows of a matrix. Blocks the thread.
  ///
  /// - Throws: `DirectionsError`.
  public func calculateNearestAndWait(_ request: NearestRequest) throws -> [[NearestPlace]] {
    try request.sources.check(isSource: true)
    try request.destinations.check(isSource: false)
    try request.timeLimit?.checkDuration("timeLimit")
    guard request.count >= 1 else {
      throw DirectionsError.invalidValue("count: got \(request.count), expected at least 1 destination")
    }
    var nearest: [[NearestPlace]] = []
    nearest.reserveCapacity(request.sources.count)
    let index = try indices(of: request.transportType)[0]
    try forEachNearest(
      from: request.sources.map(\.coordinate), to: request.destinations.map(\.coordinate), count: request.count,
      within: request.timeLimit,
      at: try TripTime(
        departure: request.departureDate, arrival: request.arrivalDate, request.timeZone, on: networks[index]),
      on: index, avoiding: Profile.Avoidance(tolls: request.tollPreference, highways: request.highwayPreference)
    ) { _, found in
      nearest.append(
        found.map {
          NearestPlace(destination: $0.target, expectedTravelTime: $0.weight.seconds, distance: $0.weight.metres)
        })
    }
    return nearest
  }

  /// Calls `body` with the nearest destinations of each origin. *Throws*: `DirectionsError.cancelled`.
  package func forEachNearest(
    from origins: [Coordinate], to destinations: [Coordinate], count: Int, within seconds: Double?,
    at time: TripTime?, on index: Int = 0, avoiding avoids: Profile.Avoidance = [],
    _ body: (_ origin: Int, _ found: [NearestTable.Found]) -> Void
  ) throws {
    try withRouter(on: index, avoiding: networks[index].profile.avoids.union(avoids)) { router, isCancelled in
      let limit = seconds.map { UInt32(min($0 * 1000, Double(MatrixBlock.unreachable - 1))) }
      let longest = limit ?? MatrixBlock.unreachable - 1
      let (from, to) = (router.ends(at: origins), router.ends(at: destinations))
      let matrix: any MatrixEngine
      if let time, router.hours.speeds != nil {
        matrix = HourlyMatrix(router.hours.network(at: time), from: from, to: to, at: [time], distances: true)
      } else {
        let time = time?.day
        let network = router.network.slowed(at: time)
        guard from.count < network.hierarchy.stateCount / 1000 else {
          let table = TripNearest(network, to: to, count: count, within: longest, at: time)
          for index in origins.indices {
            guard index % 4096 != 0 || !isCancelled() else { throw DirectionsError.cancelled }
            body(index, from[index].map(table.nearest) ?? [])
          }
          return
        }
        matrix = TripMatrix(network, from: from, to: to, distances: true, at: time)
      }
      let fill = matrix.makeFill()
      for rows in matrix.blocks {
        guard !isCancelled() else { throw DirectionsError.cancelled }
        let block = fill(rows)
        for row in rows { body(row, block.nearest(row: row - rows.lowerBound, count: count, within: longest)) }
      }
    }
  }
}
