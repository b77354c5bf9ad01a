import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Random maps with one-ways, restrictions, signals, gates and streets for a trip's ends: the states of the network
/// against a search that knows nothing of states, and the hierarchy against the textbook.
struct RandomStateTests {
  @Test(arguments: 1...150 as ClosedRange<UInt64>)
  func answersAreThoseOfTheTextbookAndTurnsAreAllowed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let map = RandomStateTests.map(&random)
    for type in [TransportType.automobile, .cycling] {
      let network = try map.network(profile: .stock(type.rawValue))
      #expect(network.hierarchy.brokenInvariants(over: network.states.arcs).isEmpty)
      let router = Router(network, Directions.Options())
      let oracle = Dijkstra(network.states.arcs)
      for _ in 0..<12 {
        func place() -> Coordinate {
          Coordinate(
            latitude: .random(in: -0.0045...0.0005, using: &random),
            longitude: .random(in: -0.0005...0.0045, using: &random))
        }
        guard let from = router.end(at: place()), let to = router.end(at: place()) else { continue }
        let way = oracle.path(from: network.sources(from.snap).seeds, to: network.targets(to.snap).seeds)?.weight
        let expected = [way, network.direct(from.snap, to.snap)?.weight].compactMap(\.self).min()
        #expect(router.weight(from: from, to: to) == expected, "seed \(seed), \(type)\n\(map.opl)")
        let route = router.route(from: from, to: to)
        #expect(route?.weight == expected, "seed \(seed), \(type)\n\(map.opl)")
        if let route { #expect(route.steps.reduce(Weight.zero) { $0 + $1.weight } == route.weight) }
      }
    }
  }

  /// A grid of 5 x 5 nodes with most of its streets.
  static func map(_ random: inout SeededGenerator) -> TestMap {
    let letters = Array("abcdefghijklmnopqrstuvwxy")
    var map = TestMap(
      (0..<5).map { row in letters[row * 5..<row * 5 + 5].map(String.init).joined(separator: " ") }.joined(
        separator: "\n"))
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }
    var ways: [String] = []
    for row in 0..<5 {
      for column in 0..<5 {
        for (down, right) in [(0, 1), (1, 0)] where row + down < 5 && column + right < 5 {
          guard Int.random(in: 0..<10, using: &random) > 0 else { continue }
          let way = String([letters[row * 5 + column], letters[(row + down) * 5 + column + right]])
          ways.append(way)
          map = map.way(
            way,
            pick([
              [:], [:], [:], ["oneway": "yes"], ["oneway": "-1"], ["highway": "primary"], ["access": "private"],
              ["highway": "footway"],
              ["highway": "service"], ["toll": "yes"], ["junction": "roundabout"],
            ]))
        }
      }
    }
    for letter in letters where Int.random(in: 0..<6, using: &random) == 0 {
      map = map.node(
        letter,
        pick([
          ["highway": "traffic_signals"], ["highway": "stop"], ["barrier": "gate"],
          ["barrier": "gate", "access": "private"],
          ["barrier": "bollard"], ["highway": "turning_circle"],
        ]))
    }
    for from in ways {
      for to in ways where from != to && Int.random(in: 0..<12, using: &random) == 0 {
        guard let via = from.first(where: to.contains) else { continue }
        let kind = pick(["no_left_turn", "no_right_turn", "no_straight_on", "only_straight_on", "no_u_turn"])
        map = map.restriction(kind, from: from, via: String(via), to: to)
        // And over the second way into a third.
        guard let far = to.first(where: { $0 != via }), let third = ways.first(where: { $0 != to && $0.contains(far) })
        else {
          continue
        }
        map = map.restriction(pick(["no_left_turn", "only_straight_on"]), from: from, via: to, to: third)
      }
    }
    return map
  }
}
