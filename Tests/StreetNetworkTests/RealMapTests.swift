import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Complete real maps: 2,000 random pairs are compared with the oracle, bit for bit. The maps are the sample map, and
/// those named in the environment (ODOMETER_MAPS=a.osm.pbf,b.osm.pbf).
@Suite(.enabled(if: Project.hasHelsinki, "the sample map is missing: make sample"))
struct RealMapTests {
  static let maps =
    [Project.helsinki]
    + (ProcessInfo.processInfo.environment["ODOMETER_MAPS"]?.split(separator: ",").map(String.init) ?? [])

  @Test(arguments: maps, Profile.stockNames)
  func agreesWithDijkstraOnTwoThousandRandomPairs(map: String, profile: String) throws {
    let network = try StreetNetwork(map: map, profile: .stock(profile))
    let router = Router(network, Directions.Options())
    let oracle = Dijkstra(network.arcs(without: nil))
    var random = SeededGenerator(seed: 2026)
    /// Returns a place up to about 60 m from a random point of a street.
    func place() -> Coordinate {
      var place = network.points[Int.random(in: 0..<network.points.count, using: &random)].coordinate
      place.latitude += .random(in: -0.0005...0.0005, using: &random)
      place.longitude += .random(in: -0.0005...0.0005, using: &random)
      return place
    }
    var found = 0
    for _ in 0..<2000 {
      guard let from = router.end(at: place()), let to = router.end(at: place()) else { continue }
      let way = oracle.path(from: network.sources(from.snap).seeds, to: network.targets(to.snap).seeds)?.weight
      let best = [way, network.direct(from.snap, to.snap)?.weight].compactMap(\.self).min()
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
    #expect(found > 1000)
  }

  /// A single origin is a row of a matrix; many origins are one sweep.
  @Test func nearestPlacesAgreeWithAMatrix() throws {
    let network = try StreetNetwork(map: Project.helsinki, profile: .stock("walking"))
    let directions = Directions(network: network)
    func places(_ step: Int) -> [Place] {
      stride(from: 0, to: network.points.count, by: step).map { Place(coordinate: network.points[$0].coordinate) }
    }
    let many = try directions.calculateNearestAndWait(
      NearestRequest(sources: places(91), destinations: places(301), count: 4))
    for (place, found) in zip(places(91), many).prefix(20) {
      let alone = try directions.calculateNearestAndWait(
        NearestRequest(sources: [place], destinations: places(301), count: 4))
      #expect(alone == [found])
    }
    #expect(many.contains { $0.count == 4 })
  }

  /// A third of a million cells for each profile.
  @Test(arguments: maps, Profile.stockNames)
  func matrixCellsEqualSingleTrips(map: String, profile: String) throws {
    let network = try StreetNetwork(map: map, profile: .stock(profile))
    let router = Router(network, Directions.Options())
    var random = SeededGenerator(seed: 11)
    func ends() -> [TripEnd?] {
      (0..<580).map { _ in
        router.end(at: network.points[Int.random(in: 0..<network.points.count, using: &random)].coordinate)
      }
    }
    let (origins, destinations) = (ends(), ends())
    let trips = TripMatrix(network, from: origins, to: destinations, distances: true)
    let fill = trips.makeFill()
    var (cells, wrong) = (0, 0)
    for rows in trips.blocks {
      let block = fill(rows)
      for row in rows {
        for column in destinations.indices {
          guard let from = origins[row], let to = destinations[column] else { continue }
          let alone = router.weight(from: from, to: to) ?? .infinity
          cells += 1
          if block.weight(row: row - rows.lowerBound, column: column) != alone { wrong += 1 }
        }
      }
    }
    #expect(cells > 300_000 && wrong == 0, "\(wrong) of \(cells) cells are wrong")
  }

  /// Returns whether each step starts where the previous one ends, and together they form the route's line.
  private func isContinuous(_ route: Route) -> Bool {
    var points: [FixedCoordinate] = []
    for step in route.steps {
      if let last = points.last, last != step.polyline.points.first { return false }
      points.append(contentsOf: points.isEmpty ? step.polyline.points[...] : step.polyline.points.dropFirst())
    }
    return points.elementsEqual(route.polyline.points)
  }

  @Test(arguments: maps, Profile.stockNames) func hierarchyInvariantsHold(map: String, profile: String) throws {
    let network = try StreetNetwork(map: map, profile: .stock(profile))
    #expect(network.hierarchy.brokenInvariant(over: network.states.arcs) == nil)
  }
}
