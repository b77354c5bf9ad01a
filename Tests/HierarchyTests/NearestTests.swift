import Hierarchy
import TestMaps
import Testing

/// The nearest few points, and everything within a time limit, compared with the textbook algorithm.
struct NearestTests {
  @Test func agreesWithDijkstraOnRandomGraphs() {
    let failure = TestGraph.firstFailure(
      seeds: 1...max(200, ExactnessTests.graphCount / 10), withLong: true, mismatch(on:seed:))
    #expect(failure == nil)
  }

  private func mismatch(on test: TestGraph, seed: UInt64) -> String? {
    var random = SeededGenerator(seed: seed)
    let targets = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Seed(
          StateID(Int.random(in: 0..<test.stateCount, using: &random)),
          Weight(milliseconds: .random(in: 0...3, using: &random), centimetres: 0))
      }
    }
    let hierarchy = Hierarchy(contracting: test.graph)
    let (count, limit) = (Int.random(in: 1...9, using: &random), UInt32.random(in: 0...30, using: &random))
    let table = NearestTable(hierarchy, to: SeedTable(targets), count: count, within: limit)
    let from = NearestTable(hierarchy, .fromTargets, to: SeedTable(targets), count: count, within: limit)
    let reverse = TestGraph(
      stateCount: test.stateCount, arcs: test.arcs.map { .init(from: $0.head, to: $0.tail, weight: $0.weight) })
    for state in 0..<test.stateCount {
      let seeds = [Seed(StateID(state), Weight(milliseconds: 1, centimetres: 2)), Seed(StateID(0))]
      for (table, graph, name) in [(table, test.graph, "to"), (from, reverse.graph, "from")] {
        let weights = Dijkstra(graph).weights(from: seeds)
        let all = targets.enumerated().compactMap { index, target -> NearestTable.Found? in
          let weight = target.map { weights[Int($0.state.index)] + $0.weight }.min() ?? .infinity
          return weight.isFinite && weight.milliseconds <= limit ? .init(weight: weight, target: index) : nil
        }
        let expected = Array(all.sorted().prefix(count))
        let found = table.nearest(from: seeds)
        guard found == expected else { return "\(name) \(state): \(found), expected \(expected)" }
      }
    }
    return reachFailure(test, hierarchy, limit)
  }

  private func reachFailure(_ test: TestGraph, _ hierarchy: Hierarchy, _ limit: UInt32) -> String? {
    let query = ReachQuery(test.graph)
    var failure: String?
    OneToAllQuery(hierarchy).weights(from: SeedTable(states: (0..<test.stateCount).map { StateID($0) })) {
      point, weights in
      let expected = Dijkstra(test.graph).weights(from: [Seed(StateID(point))])
      if weights != expected { failure = "to everywhere from \(point): \(weights), expected \(expected)" }
      let reached = query.reached(from: [Seed(StateID(point))], within: limit)
      let within = expected.enumerated().filter { $0.element.isFinite && $0.element.milliseconds <= limit }
      if Set(reached) != Set(within.map { Seed(StateID($0.offset), $0.element) })
        || reached.map(\.weight) != reached.map(\.weight).sorted()
      {
        failure = "within \(limit) from \(point): \(reached)"
      }
    }
    return failure
  }

  @Test func breaksTiesByLengthThenByIndex() {
    // a is 5 ms from b, c and d; the arc to d is shorter.
    let hierarchy = Hierarchy(contracting: TestGraph("a-b 5/9, a-c 5/9, a-d 5/8").graph)
    let table = NearestTable(hierarchy, to: SeedTable(states: [StateID(2), StateID(1), StateID(3)]), count: 2)
    #expect(table.nearest(from: [Seed(StateID(0))]).map(\.target) == [2, 0])
    #expect(table.nearest(from: []).isEmpty)
  }

  @Test func countsPathsOutsideTheGraph() {
    let hierarchy = Hierarchy(contracting: TestGraph("a-b 5").graph)
    let table = NearestTable(hierarchy, to: SeedTable(states: [StateID(1)]), count: 1, within: 4)
    let direct = NearestTable.Found(weight: Weight(milliseconds: 3, centimetres: 3), target: 0)
    #expect(table.nearest(from: [Seed(StateID(0))]).isEmpty)
    #expect(table.nearest(from: [Seed(StateID(0))], or: [direct]) == [direct])
  }
}
