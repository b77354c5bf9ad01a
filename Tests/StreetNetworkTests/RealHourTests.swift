import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// The hours of a morning on real maps: every metric, and trips by all engines, compared with the textbook algorithm.
struct RealHourTests {
  /// Returns speeds for seven groups of streets, all but one of which are slower between 7:00 and 10:00.
  private static func speeds(of network: StreetNetwork) -> StreetSpeeds {
    let profiles = (0..<7).map { kind in
      (0..<672).map { period in
        let minute = Double(period % 96 * 15)
        return Slowness(1 + Double(kind) * 0.15 * max(0, 1 - abs(minute - 510) / 90))
      }
    }
    return StreetSpeeds(
      SpeedProfiles(period: 900_000, [Array(repeating: .one, count: 672)] + profiles),
      streets: Column((0..<UInt32(network.streetCount * 2)).map { $0 / 2 % 7 + 1 }))
  }

  @Test(arguments: RealMapTests.maps)
  func everyMetricOfAMorningAgreesWithDijkstra(map: String) throws {
    let network = try StreetNetwork(map: map, profile: .stock(.automobile))
    let (arcs, speeds) = (network.states.arcs, RealHourTests.speeds(of: network))
    let timed = TimedGraph(
      arcs, profiles: Column(network.states.streets.map { speeds.profile(of: $0) }),
      closings: Column([UInt32](repeating: 0, count: arcs.arcCount)), clock: StreetClock(speeds.profiles))
    let metrics = (0..<16).map { quarter in
      FrozenClock(timed.clock, at: UInt32(420 + quarter * 15) * 60_000).weights(of: timed)
    }
    for (weights, hierarchy) in zip(metrics, network.customizable.hierarchies(of: metrics)) {
      let oracle = Dijkstra(ArcGraph(firstArc: arcs.firstArc, heads: arcs.heads, weights: weights))
      let query = PathQuery(hierarchy)
      for source in stride(from: 5, to: arcs.stateCount, by: arcs.stateCount / 2) {
        let expected = oracle.weights(from: [Seed(StateID(source))])
        for target in stride(from: 0, to: arcs.stateCount, by: 97) {
          let found = query.weight(from: [Seed(StateID(source))], to: [Seed(StateID(target))]) ?? .infinity
          #expect(found == expected[target])
        }
      }
    }
  }

  @Test(arguments: RealMapTests.maps)
  func tripsAtAnHourAgreeWithDijkstra(map: String) throws {
    let network = try StreetNetwork(map: map, profile: .stock(.automobile))
    let speeds = RealHourTests.speeds(of: network)
    let timed = TimedNetwork(network, speeds, on: nil, waitLimit: 3_600_000)
    let router = Router(network, Directions.Options(), TimedNetworks(network, speeds, waitLimit: 3_600_000))
    let oracle = TripOracle(timed)
    var random = SeededGenerator(seed: 8)
    for number in 0..<60 {
      let ends = (0..<2).map { _ in
        router.end(at: network.points[Int.random(in: 0..<network.points.count, using: &random)].coordinate)
      }
      guard let from = ends[0], let to = ends[1] else { continue }
      let time = TripTime(weekday: 0, seconds: 25_200 + number * 119, isArrival: number % 2 == 1)
      let expected = oracle.weight(from: from, to: to, at: time)
      #expect(router.eta(from: from, to: to, at: time)?.weight == expected)
      #expect(router.route(from: from, to: to, at: time)?.weight == expected)
      guard time.isArrival, let expected else { continue }
      // A trip that starts at this time arrives in time; one that starts a millisecond later does not.
      let start = time.clock - expected.milliseconds
      for (delay, isInTime) in [(UInt32(0), true), (1, false)] {
        let trip = oracle.weight(
          from: from, to: to, at: TripTime(clock: start + delay, day: nil, isArrival: false))
        #expect((start + delay + (trip?.milliseconds ?? 0) <= time.clock) == isInTime)
      }
    }
  }
}
