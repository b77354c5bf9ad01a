import Foundation
import Hierarchy
import TestMaps
import Testing

/// Every time-dependent engine agrees with the textbook algorithm, bit for bit.
struct TimedTests {
  @Test func lanesAgreeWithDijkstraOnRandomGraphs() {
    let count = ExactnessTests.graphCount / 25
    for direction in [LaneGraph.Direction.departing, .arriving] {
      let failure = TestGraph.firstFailure(seeds: 1...count) { test, seed in
        mismatch(on: test, seed: seed, direction)
      }
      #expect(failure == nil, "\(direction)")
    }
  }

  /// Returns the first error of lanes on a graph: random times of equal phase, each with different ends.
  private func mismatch(on test: TestGraph, seed: UInt64, _ direction: LaneGraph.Direction) -> String? {
    var random = SeededGenerator(seed: seed)
    let timed = TestGraph.timed(test.graph, &random)
    let graph = LaneGraph(timed, direction)
    let oracle = TimedDijkstra(timed)
    let period = timed.clock.profiles.period
    let phase = UInt32.random(in: 0..<period, using: &random)
    let times = (0..<Int.random(in: 1...16, using: &random)).map { _ in
      SpeedProfiles.week + UInt32.random(in: 0..<UInt32(timed.clock.profiles.periodCount), using: &random) * period
        + phase
    }
    let ends = times.map { _ in seeds(test.stateCount, &random) }
    let places =
      (0..<test.stateCount).map { [TimedSeed(StateID($0))] } + (0..<4).map { _ in seeds(test.stateCount, &random) }
    let lanes = DepartureLanes(graph, lengths: true)
    let stops = Bool.random(using: &random) ? LaneStops(places, on: graph) : nil
    lanes.search(ends, LaneTable(times, for: graph), until: stops)
    let found = places.map { lanes.weights(of: $0, times.count) }
    guard lanes.memory <= DepartureLanes.expectedMemory(stateCount: test.stateCount, lengths: true, waits: false) else {
      return "\(lanes.memory) bytes of memory"
    }
    for (lane, time) in times.enumerated() {
      let expected =
        direction == .departing
        ? oracle.weights(from: ends[lane], at: time, to: places)
        : oracle.weights(from: places, to: ends[lane], by: time)
      for (place, weight) in expected.enumerated() where found[place][lane] != weight {
        return "lane \(lane) at \(time), place \(place): \(found[place][lane]), expected \(weight)"
      }
    }
    return nil
  }

  private func seeds(_ stateCount: Int, _ random: inout SeededGenerator) -> [TimedSeed] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      TimedSeed(
        StateID(Int.random(in: 0..<stateCount, using: &random)),
        TimedWeight(
          Weight(
            milliseconds: .random(in: 0...(Bool.random(using: &random) ? 9 : 150_000), using: &random),
            centimetres: .random(in: 0...3, using: &random)),
          profile: .random(in: 0...3, using: &random), closing: .random(in: 0...2, using: &random)),
        leg: Weight(milliseconds: .random(in: 0...3, using: &random), centimetres: .random(in: 0...2, using: &random)))
    }
  }
}
