import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// On random maps, every place that an engine reaches within a time limit is within this limit by a single trip.
struct RandomReachTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>, TransportType.allCases)
  func reachedPlacesEqualSingleTrips(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed &+ 2000)
    let scene = try Scene(type, &random)
    for direction in [NearestTable.Direction.toTargets, .fromTargets] {
      let query = ReachedPlaces.Query(ReachedPlaces(scene.network, direction, scene.origins))
      for _ in 0..<4 {
        let limit = UInt32.random(in: 0...300_000, using: &random)
        let doors = scene.doors.shuffled(using: &random).prefix(3).compactMap(\.self)
        var found: [Int: Weight] = [:]
        query.forEachPlace(around: doors, within: limit) { found[$0] = $1 }
        for (number, origin) in scene.origins.enumerated() {
          let trips = doors.compactMap { scene.weight(origin, $0, direction) }
          let expected = trips.min().flatMap { $0.milliseconds <= limit ? $0 : nil }
          #expect(found[number] == expected, "seed \(seed), \(type), \(direction), \(limit)\n\(scene.map.opl)")
        }
      }
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>, TransportType.allCases)
  func stationsAreAsNearAsTheirNearestEntrance(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed &+ 3000)
    let scene = try Scene(type, &random)
    let stations = scene.doors.map { _ in UInt32.random(in: 0..<5, using: &random) }
    let (count, limit) = (Int.random(in: 1...6, using: &random), UInt32.random(in: 1...300_000, using: &random))
    for direction in [NearestTable.Direction.toTargets, .fromTargets] {
      let nearest = TripNearest(
        scene.network, direction, to: scene.doors, groups: stations, count: count, within: limit)
      for origin in scene.origins.compactMap(\.self) {
        let doors = scene.doors.enumerated().compactMap { number, door in
          scene.weight(origin, door, direction).map { NearestTable.Found(weight: $0, target: number) }
        }
        var seen: Set<UInt32> = []
        let expected = doors.sorted().filter {
          $0.weight.milliseconds <= limit && seen.insert(stations[$0.target]).inserted
        }
        #expect(
          nearest.nearest(to: origin) == Array(expected.prefix(count)),
          "seed \(seed), \(type), \(direction)\n\(scene.map.opl)")
      }
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>, TransportType.allCases)
  func cutsStreetsAtTheThreshold(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed &+ 4000)
    let scene = try Scene(type, &random)
    for direction in [NearestTable.Direction.toTargets, .fromTargets] {
      let query = TripReachQuery(TripReach(scene.network, direction))
      for place in scene.doors.compactMap(\.self).prefix(6) {
        let limit = UInt32.random(in: 0...300_000, using: &random)
        let states = query.states(around: [place], within: limit + 1000)[0]
        let pieces = query.pieces(around: [(place, 0)], states, within: limit)
        for point in scene.origins.compactMap(\.self) where point.place != place.place {
          let trip = scene.weight(point, place, direction)
          // Times are whole milliseconds, so either answer is right at the limit.
          if let trip, abs(Int(trip.milliseconds) - Int(limit)) <= 1 { continue }
          let isReached = trip.map { $0.milliseconds <= limit } ?? false
          // If streets overlap, it is sufficient that one of them is reached.
          let isCovered = point.snap.positions.contains { position in
            pieces.contains {
              $0.street == position.street && $0.from <= position.fraction && position.fraction <= $0.to
            }
          }
          // At a junction, it is sufficient that one of its streets is reached to its end.
          guard point.snap.positions.allSatisfy({ $0.fraction > 0 && $0.fraction < 1 }) else { continue }
          #expect(
            isCovered == isReached,
            "seed \(seed), \(type), \(direction), \(limit): \(String(describing: trip)), \(point.snap), \(pieces)\n\(scene.map.opl)"
          )
        }
      }
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>, TransportType.allCases)
  func freeFlowReachesTheSameStreetsAtAllHours(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed &+ 5000)
    let scene = try Scene(type, &random)
    let timed = TimedNetwork(scene.network, nil, on: nil, waitLimit: 0)
    for direction in [NearestTable.Direction.toTargets, .fromTargets] {
      let time = TripTime(
        weekday: 2, seconds: .random(in: 0..<86_400, using: &random), isArrival: direction == .toTargets)
      let queries = [TripReach(scene.network, direction), TripReach(timed, at: [time])].map(TripReachQuery.init)
      for place in scene.doors.compactMap(\.self).prefix(6) {
        let comment = Comment(rawValue: "seed \(seed), \(type), \(direction), \(time)\n\(scene.map.opl)")
        let limit = UInt32.random(in: 0...300_000, using: &random)
        let states = queries.map { $0.states(around: [place], within: limit)[0] }
        let times = states.map { Set($0.map { [$0.state.index, $0.weight.milliseconds] }) }
        #expect(times[0] == times[1], comment)
        let stretches = zip(queries, states).map { query, states in
          Set(
            query.stretches(around: [(place, 0)], states, within: limit).map {
              [Double($0.street.index), $0.from, $0.to, Double($0.start), Double($0.end)]
            })
        }
        #expect(stretches[0] == stretches[1], comment)
        let lengths = zip(queries, states).map { query, states in
          query.pieces(around: [(place, 0)], states, within: limit).reduce(0) { $0 + scene.network.length(of: $1) }
        }
        // Fractions are rounded differently.
        #expect(abs(lengths[0] - lengths[1]) < 1e-6, comment)
      }
    }
  }

  /// A random map, places on it, and single trips between them.
  private struct Scene {
    let map: TestMap
    let network: StreetNetwork
    let origins: [TripEnd?]
    let doors: [TripEnd?]
    private let router: Router

    init(_ type: TransportType, _ random: inout SeededGenerator) throws {
      map = RandomStateTests.map(&random).0
      network = try map.network(profile: .stock(type.rawValue))
      var options = Directions.Options()
      options.snapLimit = 120
      options.countsSnapLegs = false
      router = Router(network, options)
      origins = RandomStateTests.ends(30, router, &random)
      doors = RandomStateTests.ends(12, router, &random)
    }

    func weight(_ origin: TripEnd?, _ door: TripEnd?, _ direction: NearestTable.Direction) -> Weight? {
      direction == .toTargets
        ? RandomStateTests.weight(origin, door, router) : RandomStateTests.weight(door, origin, router)
    }
  }
}
