import Foundation
import Hierarchy
import TestMaps
import Testing

/// Time-dependent paths agree with the textbook algorithm, bit for bit.
struct TimedPathTests {
  @Test func agreesWithDijkstraOnRandomGraphs() {
    let failure = TestGraph.firstFailure(seeds: 1...max(100, ExactnessTests.graphCount / 20)) { test, seed in
      mismatch(on: test, seed: seed)
    }
    #expect(failure == nil)
  }

  private func mismatch(on test: TestGraph, seed: UInt64) -> String? {
    var random = SeededGenerator(seed: seed)
    let timed = TestGraph.timed(test.graph, &random)
    // Most trips take longer than the shortest of these units.
    let unit = UInt32.random(in: 1...3 * timed.clock.profiles.period, using: &random)
    let shape = CustomizationTests.shape(of: TestGraph(stateCount: test.stateCount, arcs: test.arcs), seed: seed)
    let windows = TimedWindows(
      CustomizableHierarchy(timed.graph, ranks: shape.ranks), arcProfiles: timed.profiles, timed.clock.profiles,
      unit: unit)
    let (query, oracle) = (TimedPathQuery(timed, windows), TimedDijkstra(timed))
    for _ in 0..<6 {
      let time = SpeedProfiles.week + UInt32.random(in: 0..<SpeedProfiles.week, using: &random)
      let ends = [seeds(test.stateCount, &random), seeds(test.stateCount, &random)]
      let leaving = query.path(from: ends[0], to: ends[1], departingAt: time)
      let arriving = query.path(from: ends[0], to: ends[1], arrivingBy: time)
      for (found, expected) in [
        (leaving, oracle.weights(from: ends[0], at: time, to: [ends[1]])[0]),
        (arriving, oracle.weights(from: [ends[0]], to: ends[1], by: time)[0]),
      ] where found?.weight ?? .infinity != expected {
        return "at \(time): \(found?.weight.description ?? "none"), expected \(expected)"
      }
      for path in [leaving, arriving].compactMap(\.self) {
        if let broken = brokenPath(path, ends[0], ends[1], timed) { return "at \(time): \(broken)" }
      }
    }
    return nil
  }

  /// Returns the error of a path if it is not connected, an arc is left too early, or its length is not the sum of its
  /// arcs.
  private func brokenPath(
    _ path: TimedPath, _ sources: [TimedSeed], _ targets: [TimedSeed], _ timed: TimedGraph
  ) -> String? {
    let (source, target) = (sources[path.source], targets[path.target])
    var (state, length) = (source.state, source.street.weight.centimetres + source.leg.centimetres)
    guard path.moments.count == path.arcs.count + 1 else { return "\(path.moments.count) moments" }
    for (index, arc) in path.arcs.enumerated() {
      guard timed.graph.arcs(from: state).contains(Int(arc.index)) else { return "arc \(arc.index) is not connected" }
      let arrival = timed.clock.arrival(timed.weight(of: arc), at: path.moments[index])
      guard arrival <= path.moments[index + 1] else { return "arc \(arc.index) takes until \(arrival)" }
      length += timed.graph.weight(of: arc).centimetres
      state = timed.graph.head(of: arc)
    }
    guard state == target.state else { return "ends at \(state.index)" }
    length += target.street.weight.centimetres + target.leg.centimetres
    return length == path.weight.centimetres ? nil : "the arcs add up to \(length) cm"
  }

  @Test func repeatsSearchesBeyondTheFirstWindow() {
    // Free flow in the first period, then eight times the speed: the trip on the longer streets arrives first.
    let graph = TestGraph("a>b 9000000/1, a>c 3600000/1, c>b 40000000/1").graph
    let fast = [Slowness.one] + Array(repeating: Slowness.minimum, count: 167)
    let timed = TimedGraph(
      graph, profiles: Column([0, 0, 1] as [UInt32]), closings: Column([0, 0, 0] as [UInt32]),
      clock: StreetClock(SpeedProfiles(period: 3_600_000, [Array(repeating: .one, count: 168), fast])))
    let shape = CustomizableHierarchy(graph, ranks: Column([0, 1, 2] as [UInt32]))
    let query = TimedPathQuery(timed, TimedWindows(shape, arcProfiles: timed.profiles, timed.clock.profiles))
    let path = query.path(
      from: [TimedSeed(StateID(0))], to: [TimedSeed(StateID(1))], departingAt: SpeedProfiles.week)
    #expect(path?.weight == Weight(milliseconds: 8_600_000, centimetres: 2))
  }

  @Test func findsTripsThatWouldTakeWeeksAtOneHoursSpeed() {
    // Ten streets of two hours each: 64 times as slow in the first hour, then eight times as fast.
    let graph = TestGraph(
      (0..<10).map { "\("abcdefghijk".map { $0 }[$0])>\("abcdefghijk".map { $0 }[$0 + 1]) 7200000/1" }
        .joined(separator: ", ")
    ).graph
    let speeds = [Slowness.maximum] + Array(repeating: Slowness.minimum, count: 167)
    let timed = TimedGraph(
      graph, profiles: Column(Array(repeating: 1 as UInt32, count: 10)),
      closings: Column(Array(repeating: 0 as UInt32, count: 10)),
      clock: StreetClock(SpeedProfiles(period: 3_600_000, [Array(repeating: .one, count: 168), speeds])))
    let shape = CustomizableHierarchy(graph, ranks: Column((0..<11).map { UInt32($0) }))
    let query = TimedPathQuery(timed, TimedWindows(shape, arcProfiles: timed.profiles, timed.clock.profiles))
    let (from, to) = ([TimedSeed(StateID(0))], [TimedSeed(StateID(10))])
    let week = SpeedProfiles.week
    #expect(
      query.path(from: from, to: to, departingAt: week)?.weight
        == TimedDijkstra(timed).weights(from: from, at: week, to: [to])[0])
  }

  private func seeds(_ stateCount: Int, _ random: inout SeededGenerator) -> [TimedSeed] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      TimedSeed(
        StateID(Int.random(in: 0..<stateCount, using: &random)),
        TimedWeight(
          Weight(milliseconds: .random(in: 0...9, using: &random), centimetres: .random(in: 0...3, using: &random)),
          profile: .random(in: 0...3, using: &random), closing: .random(in: 0...2, using: &random)),
        leg: Weight(milliseconds: .random(in: 0...3, using: &random), centimetres: .random(in: 0...2, using: &random)))
    }
  }
}
