import Geography
import StreetNetwork

/// A street that was skipped when a place was snapped: nearer than the place's own street, but on an island or in a
/// closed area that is too small for trips.
package struct PassedIsland: Sendable, Hashable {
  /// The number of junctions of the island or area.
  package var size: Int
  /// The distance from the place in metres.
  package var distance: Double
}

extension Router {
  /// Returns the street that was skipped when `place` was snapped to `end`; nil if no skipped street is nearer.
  ///
  /// - Parameter end: The snapped place; nil if no street is within the limit.
  package func passedIsland(at place: Coordinate, _ end: TripEnd?) -> PassedIsland? {
    guard place.isValid else { return nil }
    let reach = min(limit, end.map(distanceOfChoice) ?? limit)
    guard let island = islands.snap(FixedCoordinate(place).coordinate, limit: reach) else { return nil }
    // A dead end at the same point is not nearer.
    let distance = island.distance + Double(network.attributes(of: island.street).snapPenalty)
    guard end.map({ distance < distanceOfChoice($0) - 0.05 }) ?? true else { return nil }
    return PassedIsland(size: network.componentSize(of: island.street), distance: island.distance)
  }

  /// Returns the distance by which the street was chosen, which includes its snap penalty.
  private func distanceOfChoice(_ end: TripEnd) -> Double {
    end.snap.distance + Double(network.attributes(of: end.snap.street).snapPenalty)
  }
}

extension Directions {
  /// Returns notes about the places of a request, one sentence each.
  package func placeNotes(_ request: DirectionsRequest) throws -> [String] {
    try withRouter(avoiding: request.avoids) { router, _ in
      [("the source", request.source), ("the destination", request.destination)].compactMap { name, place in
        let end = router.end(at: place.coordinate)
        guard let island = router.passedIsland(at: place.coordinate, end) else { return nil }
        let passed = "\(metres(island.distance)) away on an island of \(island.size.counted("junction"))"
        return end.map { "\(name) was snapped to a street \(metres($0.snap.distance)) away, past one \(passed)" }
          ?? "\(name) has no street within the snap limit except one \(passed)"
      }
    }
  }

  private func metres(_ value: Double) -> String { "\(Int(value.rounded())) m" }
}
