import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// On random maps, every matrix cell, however it is computed, and every nearest place equals the single trip.
struct RandomMatrixTests {
  private static let plans: [MatrixPlan?] = [
    nil, MatrixPlan(.pairs), MatrixPlan(.sourceLanes, rowsPerBlock: 7), MatrixPlan(.sourceLanes, lanes: 32),
    MatrixPlan(.targetLanes), MatrixPlan(.targetLanes, lanes: 32, sweepsAll: true, rowsPerBlock: 5),
  ]

  @Test(arguments: 1...60 as ClosedRange<UInt64>, TransportType.allCases)
  func cellsEqualSingleTrips(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed)
    let (map, _) = RandomStateTests.map(&random)
    let network = try map.network(profile: .stock(type.rawValue))
    var options = Directions.Options()
    options.snapLimit = 120
    options.countsSnapLegs = seed.isMultiple(of: 2)
    let router = Router(network, options)
    let (origins, destinations) = (
      RandomStateTests.ends(20, router, &random), RandomStateTests.ends(25, router, &random)
    )
    // Some places are in both lists, some are twice in one list.
    let (rows, columns) = (origins + origins.prefix(3) + destinations.prefix(4), destinations + destinations.suffix(2))
    for distances in [false, true] {
      for plan in RandomMatrixTests.plans {
        let trips = TripMatrix(network, from: rows, to: columns, distances: distances, plan: plan)
        let fill = trips.makeFill()
        for part in trips.blocks {
          let block = fill(part)
          for row in part {
            for column in columns.indices {
              let found = block.weight(row: row - part.lowerBound, column: column)
              let right = RandomStateTests.weight(rows[row], columns[column], router) ?? .infinity
              let isRight = distances ? found == right : found.milliseconds == right.milliseconds
              #expect(
                isRight, "seed \(seed), \(type), \(String(describing: plan)): \(found), alone \(right)\n\(map.opl)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>, TransportType.allCases)
  func nearestPlacesEqualAllPairsSorted(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed &+ 1000)
    let (map, _) = RandomStateTests.map(&random)
    let network = try map.network(profile: .stock(type.rawValue))
    var options = Directions.Options()
    options.snapLimit = 120
    let router = Router(network, options)
    let origins = RandomStateTests.ends(20, router, &random)
    let places = RandomStateTests.ends(12, router, &random)
    let (count, limit) = (Int.random(in: 1...5, using: &random), UInt32.random(in: 1...200_000, using: &random))
    for direction in [NearestTable.Direction.toTargets, .fromTargets] {
      let nearest = TripNearest(network, direction, to: places, count: count, within: limit)
      for end in origins.compactMap(\.self) {
        let all = places.enumerated().compactMap { number, place -> NearestTable.Found? in
          let trip =
            direction == .toTargets
            ? RandomStateTests.weight(end, place, router) : RandomStateTests.weight(place, end, router)
          return trip.flatMap { $0.milliseconds <= limit ? .init(weight: $0, target: number) : nil }
        }
        let expected = Array(all.sorted().prefix(count))
        #expect(nearest.nearest(to: end) == expected, "seed \(seed), \(type), \(direction)\n\(map.opl)")
        guard direction == .toTargets else { continue }
        let row = TripMatrix(network, from: [end], to: places, distances: true).makeFill()(0..<1)
        #expect(row.nearest(row: 0, count: count, within: limit) == expected, "seed \(seed), \(type), as a row")
      }
    }
  }
}

extension RandomStateTests {
  /// Returns places on streets of `map`, about half of them at junctions, where trips may start on any street.
  static func ends(_ count: Int, _ router: Router, _ random: inout SeededGenerator) -> [TripEnd?] {
    (0..<count).map { _ in
      let isJunction = Bool.random(using: &random)
      let step = 100 / Coordinate.metresPerDegree
      let (x, y) = (Double.random(in: -0.5...4.5, using: &random), Double.random(in: -0.5...4.5, using: &random))
      return router.end(
        at: Coordinate(
          latitude: -(isJunction ? y.rounded() : y) * step, longitude: (isJunction ? x.rounded() : x) * step))
    }
  }

  static func weight(_ from: TripEnd?, _ to: TripEnd?, _ router: Router) -> Weight? {
    guard let from, let to else { return nil }
    return router.weight(from: from, to: to)
  }
}
