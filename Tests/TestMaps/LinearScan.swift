import Foundation
import Geography
import Routing
import StreetNetwork

/// Snapping as a scan of all segments: the oracle for searches, in this module because tests are not optimised.
package enum LinearScan {
  package struct Found {
    package var point: FixedCoordinate
    package var street = StreetID(0)
    package var segment = 0
    var distance = 0.0
    var isEndsOnly = false
    var rank: (Int, StreetID, Int) { (isEndsOnly ? 1 : 0, street, segment) }
  }

  /// Returns the nearest segment in the plane tangent to the earth at the place; of equally near segments with the same
  /// point, the first.
  package static func snap(_ place: Coordinate, limit: Double, _ network: StreetNetwork) -> Found? {
    scan(place, limit: limit, reach: limit * 1.02, network) ?? scan(place, limit: limit, reach: limit, network)
  }

  private static func scan(_ place: Coordinate, limit: Double, reach: Double, _ network: StreetNetwork) -> Found? {
    let reach = reach / Coordinate.metresPerDegree * 1e7
    var all: [Found] = []
    for street in (0..<network.streetCount).map({ StreetID($0) }) {
      guard network.street(street).flags.contains(.snappable) else { continue }
      let shape = network.shape(of: street)
      let flags = network.street(street).flags
      for first in shape.dropLast() {
        let (a, b) = (network.points[first], network.points[first + 1])
        var candidates = [nearest(place, a, b)]
        if flags.contains(.unsnapped) {
          // Ferries count only at their landings.
          candidates = []
          if flags.contains(.landsAtTail), first == shape.lowerBound { candidates.append(nearest(place, a, a)) }
          if flags.contains(.landsAtHead), first == shape.upperBound - 2 { candidates.append(nearest(place, b, b)) }
        }
        let farthest =
          flags.contains(.unsnapped) ? min(reach, Snap.landingLimit / Coordinate.metresPerDegree * 1e7) : reach
        for (candidate, metres) in candidates where metres <= farthest {
          var found = candidate
          (found.street, found.segment) = (street, first - shape.lowerBound)
          found.isEndsOnly = flags.contains(StreetFlags(rawValue: 4))
          found.distance =
            metres + Double(network.attributes(of: street).snapPenalty) / Coordinate.metresPerDegree * 1e7
          all.append(found)
        }
      }
    }
    guard let nearest = all.min(by: { ($0.distance, $0.rank.0) < ($1.distance, $1.rank.0) }) else { return nil }
    let same = all.filter { $0.distance <= nearest.distance + 3 && isSame($0.point, nearest.point) }
    return same.min { $0.rank < $1.rank }.flatMap { place.distance(to: $0.point.coordinate) <= limit ? $0 : nil }
  }

  private static func isSame(_ a: FixedCoordinate, _ b: FixedCoordinate) -> Bool {
    abs(a.longitude - b.longitude) <= 1 && abs(a.latitude - b.latitude) <= 1
  }

  private static func nearest(_ place: Coordinate, _ a: FixedCoordinate, _ b: FixedCoordinate) -> (Found, Double) {
    let shrink = max(1e-6, cos(place.latitude * .pi / 180))
    let (x, y) = (place.longitude * 1e7, place.latitude * 1e7)
    let (ax, ay) = ((Double(a.longitude) - x) * shrink, Double(a.latitude) - y)
    let (dx, dy) = ((Double(b.longitude) - Double(a.longitude)) * shrink, Double(b.latitude) - Double(a.latitude))
    let squaredLength = dx * dx + dy * dy
    let along = squaredLength > 0 ? min(1, max(0, -(ax * dx + ay * dy) / squaredLength)) : 0
    let px = along < 1 ? ax + along * dx : (Double(b.longitude) - x) * shrink
    let py = along < 1 ? ay + along * dy : Double(b.latitude) - y
    func between(_ a: Int32, _ b: Int32) -> Int32 { Int32((Double(a) + along * (Double(b) - Double(a))).rounded()) }
    let point = FixedCoordinate(longitude: between(a.longitude, b.longitude), latitude: between(a.latitude, b.latitude))
    return (Found(point: point), (px * px + py * py).squareRoot())
  }
}
