import Geography
import StreetNetwork

/// A street that a place was snapped past: nearer than its own, but on an island or in a closed area, too small for
/// trips.
package struct PassedIsland: Sendable, Hashable {
  /// Its junctions.
  package var size: Int
  /// Metres from the place.
  package var distance: Double
}

extension Router {
  /// The street that a place, snapped to `end` (nil: not snapped), was snapped past; nil if no street is nearer.
  package func passedIsland(at place: Coordinate, _ end: TripEnd?) -> PassedIsland? {
    guard place.isValid else { return nil }
    let reach = min(limit, end.map(distanceOfChoice) ?? limit)
    guard let island = islands.snap(FixedCoordinate(place).coordinate, limit: reach) else { return nil }
    // A dead end from the same point is not nearer.
    let distance = island.distance + Double(network.attributes(of: island.street).snapPenalty)
    guard end.map({ distance < distanceOfChoice($0) - 0.05 }) ?? true else { return nil }
    return PassedIsland(size: network.componentSize(of: island.street), distance: island.distance)
  }

  /// The distance that decided the snap.
  private func distanceOfChoice(_ end: TripEnd) -> Double {
    end.snap.distance + Double(network.attributes(of: end.snap.street).snapPenalty)
  }
}

extension Directions {
  /// Notes about the places of a request: one sentence each.
  package func placeNotes(_ request: DirectionsRequest) throws -> [String] {
    try withRouter(avoiding: request.avoids) { router, _ in
      [("the source", request.source), ("the destination", request.destination)].compactMap { name, place in
        let end = router.end(at: place.coordinate)
        guard let island = router.passedIsland(at: place.coordinate, end) else { return nil }
        let passed = "\(metres(island.distance)) away on an island of \(island.size.counted("junction"))"
        return end.map { "\(name) was snapped to a street \(metres($0.snap.distance)) away, past one \(passed)" }
          ?? "\(name) has no street within the snap limit but one \(passed)"
      }
    }
  }

  private func metres(_ value: Double) -> String { "\(Int(value.rounded())) m" }
}
