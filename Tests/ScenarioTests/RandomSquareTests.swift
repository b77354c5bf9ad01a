import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Random places on a square with a hole and a notch: all engines find the same distances as a search that tests every
/// line against every edge.
///
///     p─a─────────────b─q
///       │   e───f     │
///       │   │   │     │
///       │   h───g     │
///       │       j───k │
///       d───────i   l─c─r
struct RandomSquareTests {
  private static let map = TestMap(
    """
    p-a-------------b-q
      |   e---f     |
      |   |   |     |
      |   h---g     |
      |       j---k |
      d-------i   l-c-r
    """, spacing: 20
  ).way("pa").way("bq").way("cr").way("abclkjida", ["highway": ""]).way("efghe", ["highway": "", "building": "yes"])
    .relation(
      [("w", "abclkjida", "outer"), ("w", "efghe", "inner")],
      ["type": "multipolygon", "highway": "pedestrian", "name": "plaza"])
  private static let outline = Array("abclkji").map { map[$0] } + [map["d"]]
  private static let hole = Array("efgh").map { map[$0] }

  @Test(arguments: 1...20 as ClosedRange<UInt64>, [TransportType.walking, .cycling])
  func allEnginesWalkStraight(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed)
    let network = try RandomSquareTests.map.network(profile: .stock(type))
    let router = Router(network, Directions.Options())
    let places =
      (0..<12).map { _ in RandomSquareTests.place(&random) } + ["p", "q", "r"].map { RandomSquareTests.map[$0] }
    let ends = try places.map { try #require(router.end(at: $0)) }
    let metres = RandomSquareTests.distances(places)
    let matrix = TripMatrix(network, from: ends, to: ends, distances: true)
    let block = matrix.makeFill()(ends.indices)
    let oracle = TripOracle(network)
    for (row, from) in ends.enumerated() {
      let all = oracle.weights(from: [from], to: ends)[0]
      for (column, to) in ends.enumerated() where row != column {
        let weight = try #require(router.weight(from: from, to: to))
        // By bicycle, turns between streets and the square take time, so the fastest path is not the shortest.
        if type == .walking || max(row, column) < 12 {
          #expect(
            abs(weight.metres - metres[row][column]) < 0.02 + metres[row][column] * 0.002,
            "seed \(seed), \(places[row]) \(places[column])")
        }
        #expect(all[column] == weight && block.weight(row: row, column: column) == weight)
        let route = try #require(router.route(from: from, to: to))
        #expect(route.weight == weight)
        // The line drawn has the length of the walk.
        #expect(abs(route.polyline.length - weight.metres) < 0.2)
        #expect(route.steps.reduce(Weight.zero) { $0 + $1.weight } == weight)
      }
    }
  }

  private static func place(_ random: inout SeededGenerator) -> Coordinate {
    while true {
      let place = Coordinate(
        latitude: .random(in: map["d"].latitude...map["a"].latitude, using: &random),
        longitude: .random(in: map["a"].longitude...map["b"].longitude, using: &random))
      if isInside(place, outline) && !isInside(place, hole) { return place }
    }
  }

  /// Returns the lengths of shortest paths along edges, streets, and lines that cross no edge.
  private static func distances(_ places: [Coordinate]) -> [[Double]] {
    let points = places + outline + hole
    let rings = [outline, hole]
    let edges = rings.flatMap { ring in ring.indices.map { (ring[$0], ring[($0 + 1) % ring.count]) } }
    let streets = [("p", "a"), ("q", "b"), ("r", "c")].map { (map[$0], map[$1]) }
    func isJoined(_ a: Coordinate, _ b: Coordinate) -> Bool {
      if (edges + streets).contains(where: { ($0 == a && $1 == b) || ($0 == b && $1 == a) }) { return true }
      guard !edges.contains(where: { crosses(a, b, $0, $1) }) else { return false }
      // Lines between two corners may cross no edge and still run outside the square or through the hole.
      return [-1e-9, 1e-9].allSatisfy { aside in
        let middle = Coordinate(
          latitude: (a.latitude + b.latitude) / 2 + aside, longitude: (a.longitude + b.longitude) / 2)
        return isInside(middle, outline) && !isInside(middle, hole)
      }
    }
    var metres = points.map { a in points.map { b in a == b ? 0 : isJoined(a, b) ? a.distance(to: b) : .infinity } }
    for middle in points.indices {
      for a in points.indices {
        for b in points.indices { metres[a][b] = min(metres[a][b], metres[a][middle] + metres[middle][b]) }
      }
    }
    return metres
  }

  private static func side(_ a: Coordinate, _ b: Coordinate, _ point: Coordinate) -> Double {
    (b.longitude - a.longitude) * (point.latitude - a.latitude)
      - (b.latitude - a.latitude) * (point.longitude - a.longitude)
  }

  private static func crosses(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate) -> Bool {
    let ends = [a, b]
    if ends.contains(c) || ends.contains(d) { return false }
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }

  private static func isInside(_ point: Coordinate, _ ring: [Coordinate]) -> Bool {
    var isInside = false
    for (index, a) in ring.enumerated() {
      let b = ring[(index + 1) % ring.count]
      guard (a.latitude > point.latitude) != (b.latitude > point.latitude) else { continue }
      if (side(a, b, point) > 0) == (b.latitude > a.latitude) { isInside.toggle() }
    }
    return isInside
  }
}
