import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// The sample map, whole: 2,000 random pairs against the oracle, bit for bit.
@Suite(.enabled(if: Project.hasHelsinki, "the sample map is not there: make sample"))
struct HelsinkiTests {
  @Test func twoThousandRandomPairsAgainstTheOracle() throws {
    let network = try StreetNetwork(map: Project.helsinki, profile: .stock("walking"))
    let router = Router(network, Directions.Options())
    let oracle = Dijkstra(network.states.arcs)
    var random = SeededGenerator(seed: 2026)
    func place() -> Coordinate {
      Coordinate(
        latitude: .random(in: 60.1642...60.1790, using: &random),
        longitude: .random(in: 24.9353...24.9533, using: &random))
    }
    var found = 0
    for _ in 0..<2000 {
      guard let from = router.end(at: place()), let to = router.end(at: place()) else { continue }
      let way = oracle.path(from: network.sources(from.snap).seeds, to: network.targets(to.snap).seeds)?.weight
      let best = [way, network.direct(from.snap, to.snap)].compactMap(\.self).min()
      let expected = best.map { from.leg + $0 + to.leg }
      #expect(router.weight(from: from, to: to) == expected)
      guard let route = router.route(from: from, to: to) else {
        #expect(expected == nil)
        continue
      }
      found += 1
      #expect(route.weight == expected)
      #expect(route.steps.reduce(Weight.zero) { $0 + $1.weight } == route.weight)
      #expect(abs(route.polyline.length - route.distance) < 0.5 + route.distance * 0.000_5)
      #expect(isContinuous(route))
    }
    #expect(found > 1900)
  }

  /// Each step begins where the one before it ends, and the whole is the route's line.
  private func isContinuous(_ route: Route) -> Bool {
    var points: [FixedCoordinate] = []
    for step in route.steps {
      if let last = points.last, last != step.polyline.points.first { return false }
      points.append(contentsOf: points.isEmpty ? step.polyline.points[...] : step.polyline.points.dropFirst())
    }
    return points.elementsEqual(route.polyline.points)
  }

  @Test func theHierarchyHoldsItsInvariants() throws {
    let network = try StreetNetwork(map: Project.helsinki, profile: .stock("walking"))
    #expect(network.hierarchy.brokenInvariants(over: network.states.arcs).isEmpty)
  }
}
