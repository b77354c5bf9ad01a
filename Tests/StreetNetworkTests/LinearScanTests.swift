import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// The results of a search with boxes, bounds and vectors equal those of a scan of all segments, to the last bit.
struct LinearScanTests {
  static let tags = ["", "", ",tunnel=yes", ",access=private", ",route=ferry"]

  @Test(arguments: [1, 2, 5, 40, 300], 1...8 as ClosedRange<UInt64>)
  func agreesWithAScan(ways: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let network = try RandomStreets(tags: LinearScanTests.tags, ways: ways, &random).network
    let search = StreetSearch(network)
    for _ in 0..<(ways == 300 ? 15 : 60) {
      let (place, limit) = (RandomStreets.place(network, &random), [50, 1000, 1e7].randomElement(using: &random)!)
      let snap = search.snap(place, limit: limit)
      let found = scan(place, limit: limit, network)
      #expect(snap?.street == found?.street && snap?.segment == found?.segment && snap?.point == found?.point)
    }
  }

  /// The previous place only provides a bound.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func resultsDoNotDependOnThePreviousSearch(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 100)
    let network = try RandomStreets(tags: LinearScanTests.tags, ways: 100, &random).network
    let places = (0..<300).map { _ in RandomStreets.place(network, &random) } + [Coordinate(latitude: 91, longitude: 0)]
    let alone = places.map { Router(network, Directions.Options()).end(at: $0) }
    #expect(Router(network, Directions.Options()).ends(at: places) == alone)
    #expect(alone.contains { $0 != nil } && alone.contains(nil))
  }

  private struct Found {
    var point: FixedCoordinate
    var street = StreetID(0)
    var segment = 0
    var distance = 0.0
    var isEndsOnly = false
    var rank: (Int, StreetID, Int) { (isEndsOnly ? 1 : 0, street, segment) }
  }

  /// Returns the nearest segment in the plane tangent to the earth at the place; of equally near segments with the same
  /// point, the first.
  private func scan(_ place: Coordinate, limit: Double, _ network: StreetNetwork) -> Found? {
    scan(place, limit: limit, reach: limit * 1.02, network) ?? scan(place, limit: limit, reach: limit, network)
  }

  private func scan(_ place: Coordinate, limit: Double, reach: Double, _ network: StreetNetwork) -> Found? {
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

  private func isSame(_ a: FixedCoordinate, _ b: FixedCoordinate) -> Bool {
    abs(a.longitude - b.longitude) <= 1 && abs(a.latitude - b.latitude) <= 1
  }

  private func nearest(_ place: Coordinate, _ a: FixedCoordinate, _ b: FixedCoordinate) -> (Found, Double) {
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

/// Ways of up to thirty nodes across a town; some are drawn twice.
struct RandomStreets {
  let network: StreetNetwork

  init(tags: [String], ways: Int, _ random: inout SeededGenerator) throws {
    var opl = ""
    for node in 1...400 {
      let x = Double.random(in: 24.9...25, using: &random)
      opl += "n\(node) v1 T x\(x) y\(Double.random(in: 60.1...60.15, using: &random))\n"
    }
    for way in 1...ways {
      let nodes = (0..<Int.random(in: 2...30, using: &random)).map { _ in "n\(Int.random(in: 1...400, using: &random))"
      }
      let line = "v1 Thighway=footway\(tags.randomElement(using: &random)!) N\(nodes.joined(separator: ","))\n"
      opl += "w\(way) \(line)"
      if tags.count > 1, way % 5 == 0 { opl += "w\(way + 1000) \(line)" }
    }
    let scratch = try Scratch()
    defer { scratch.remove() }
    network = try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
  }

  static func place(_ random: inout SeededGenerator) -> Coordinate {
    Coordinate(
      latitude: .random(in: 60.08...60.17, using: &random), longitude: .random(in: 24.85...25.05, using: &random))
  }

  /// Returns a place anywhere, at a point of a street, or next to one.
  static func place(_ network: StreetNetwork, _ random: inout SeededGenerator) -> Coordinate {
    guard let point = network.points.randomElement(using: &random), Bool.random(using: &random) else {
      return place(&random)
    }
    let by = Int32.random(in: 0...2, using: &random)
    return FixedCoordinate(longitude: point.longitude + by, latitude: point.latitude - by).coordinate
  }
}
