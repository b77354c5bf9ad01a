import Foundation
import Hierarchy
import TestMaps
import Testing

/// Every engine agrees with the textbook algorithm, bit for bit in milliseconds and centimetres.
struct ExactnessTests {
  /// The number of random graphs; can be increased by the environment (ODOMETER_RANDOM_GRAPHS=1000000).
  static let graphCount =
    ProcessInfo.processInfo.environment["ODOMETER_RANDOM_GRAPHS"].flatMap { UInt64($0) } ?? 10_000

  @Test func agreesWithDijkstraOnRandomGraphs() {
    let failure = TestGraph.firstFailure(seeds: 1...ExactnessTests.graphCount, withLong: true) { graph, _ in
      mismatch(on: graph)
    }
    #expect(failure == nil)
  }

  private func mismatch(on test: TestGraph) -> String? {
    ExactnessTests.mismatch(of: Hierarchy(contracting: test.graph), on: test.graph)
  }

  /// Returns the first error of a hierarchy on a graph: all pairs, or from some 200 states of a large one, their paths,
  /// and queries with many seeds.
  static func mismatch(of hierarchy: Hierarchy, on graph: ArcGraph, without closed: ArcSet? = nil) -> String? {
    if let broken = hierarchy.brokenInvariant(over: graph) { return broken }
    let oracle = Dijkstra(closed.map { graph.without($0) } ?? graph)
    let query = PathQuery(hierarchy)
    for source in stride(from: 0, to: graph.stateCount, by: max(1, graph.stateCount / 200)) {
      let expected = oracle.weights(from: [Seed(StateID(source))])
      for target in 0..<graph.stateCount {
        let (from, to) = ([Seed(StateID(source))], [Seed(StateID(target))])
        let found = query.weight(from: from, to: to) ?? .infinity
        guard found == expected[target] else { return "\(source) to \(target): \(found), expected \(expected[target])" }
        guard target % 5 == 0, let path = query.path(from: from, to: to) else { continue }
        if let broken = brokenPath(path, from, to, graph) { return "\(source) to \(target): \(broken)" }
      }
    }
    let several = (0..<min(4, graph.stateCount)).map {
      Seed(StateID($0), Weight(milliseconds: UInt32($0), centimetres: 1))
    }
    let others = (0..<min(4, graph.stateCount)).map {
      Seed(StateID(graph.stateCount - 1 - $0), Weight(milliseconds: 3, centimetres: UInt32($0)))
    }
    let (found, expected) = (query.path(from: several, to: others), oracle.path(from: several, to: others))
    guard found?.weight == expected?.weight else { return "several seeds: \(String(describing: found?.weight))" }
    return found.flatMap { brokenPath($0, several, others, graph) }
  }

  /// Returns the error of a path if its arcs are not connected from seed to seed, or do not add up to its weight.
  private static func brokenPath(_ path: Path, _ sources: [Seed], _ targets: [Seed], _ graph: ArcGraph) -> String? {
    var state = sources[path.source].state
    var weight = sources[path.source].weight
    for arc in path.arcs {
      guard graph.arcs(from: state).contains(Int(arc.index)) else {
        return "arc \(arc.index) does not leave \(state.index)"
      }
      weight = weight + graph.weight(of: arc)
      state = graph.head(of: arc)
    }
    guard state == targets[path.target].state else { return "ends at \(state.index)" }
    weight = weight + targets[path.target].weight
    return weight == path.weight ? nil : "the arcs add up to \(weight), got \(path.weight)"
  }

  /// Any subset of the states may have labels: all, none, or those with a minimum number of descendants.
  @Test func labelsAgreeWithDijkstraOnRandomGraphs() {
    let failure = TestGraph.firstFailure(seeds: 1...ExactnessTests.graphCount, withLong: true) { test, seed in
      let hierarchy = Hierarchy(contracting: test.graph)
      let query = LabelQuery(UpperLabels(hierarchy, minimumSize: [1, 2, 3, 5, 1000][Int(seed % 5)]))
      var random = SeededGenerator(seed: seed)
      let oracle = Dijkstra(test.graph)
      for _ in 0..<test.stateCount {
        let (sources, targets) = ([Seed].random(test.graph, &random), [Seed].random(test.graph, &random))
        let found = query.weight(from: sources, to: targets)
        guard found == oracle.path(from: sources, to: targets)?.weight else { return "\(sources) to \(targets)" }
      }
      return nil
    }
    #expect(failure == nil)
  }

  /// As many states have labels as fit in memory, and paths to the root have many blocks.
  @Test func labelsOfALargeGraphAgreeWithClimbs() {
    let graph = TestGraph.grid(side: 70, seed: 4).graph
    let hierarchy = Hierarchy(contracting: graph)
    let (byLabels, climbing) = (LabelQuery(UpperLabels(hierarchy)), PathQuery(hierarchy))
    var random = SeededGenerator(seed: 4)
    for _ in 0..<5000 {
      let (sources, targets) = ([Seed].random(graph, &random), [Seed].random(graph, &random))
      #expect(byLabels.weight(from: sources, to: targets) == climbing.weight(from: sources, to: targets))
    }
  }

  /// Searches on the graph itself find the same paths with and without guidance by a hierarchy: around closed arcs,
  /// avoiding penalized ones, from and to several seeds; the paths are as short as those of the textbook algorithm.
  @Test func detoursAreTheSameWithGuidanceByAHierarchy() {
    let failure = TestGraph.firstFailure(seeds: 1...1000, withLong: true) { test, seed -> String? in
      var random = SeededGenerator(seed: seed)
      return (0..<8).compactMap { _ in misled(on: test.graph, &random) }.first
    }
    #expect(failure == nil)
  }

  private func misled(on graph: ArcGraph, _ random: inout SeededGenerator) -> String? {
    let (closed, penalized) = (ArcSet.random(oneOf: 10, graph, &random), ArcSet.random(oneOf: 3, graph, &random))
    let (sources, targets) = ([Seed].random(graph, &random), [Seed].random(graph, &random))
    let (hierarchy, query) = (Hierarchy(contracting: graph), DetourQuery(graph))
    let plain = query.path(from: sources, to: targets, without: closed)
    let expected = Dijkstra(graph.without(closed)).path(from: sources, to: targets)
    guard plain?.weight == expected?.weight else { return "not as short as Dijkstra's" }
    guard query.path(from: sources, to: targets, without: closed, guidedBy: hierarchy) == plain else {
      return "differs with guidance"
    }
    let around = query.path(from: sources, to: targets, without: closed, penalized: penalized)
    let led = query.path(from: sources, to: targets, without: closed, penalized: penalized, guidedBy: hierarchy)
    return led == around ? nil : "differs with guidance and penalized arcs"
  }

  @Test func dijkstraAgreesWithFloydAndWarshall() {
    for seed in 1...500 as ClosedRange<UInt64> {
      let test = TestGraph.random(seed: seed)
      let all = floydWarshall(test)
      let oracle = Dijkstra(test.graph)
      for source in 0..<test.stateCount {
        #expect(oracle.weights(from: [Seed(StateID(source))]) == all[source], "seed \(seed), from \(source): \(test)")
      }
    }
  }

  /// Returns the weights of all pairs (R. Floyd 1962, S. Warshall 1962).
  private func floydWarshall(_ test: TestGraph) -> [[Weight]] {
    var all = Array(repeating: Array(repeating: Weight.infinity, count: test.stateCount), count: test.stateCount)
    for state in 0..<test.stateCount { all[state][state] = .zero }
    for arc in test.arcs {
      let (tail, head) = (Int(arc.tail.index), Int(arc.head.index))
      all[tail][head] = min(all[tail][head], arc.weight)
    }
    for via in 0..<test.stateCount {
      for a in 0..<test.stateCount {
        for b in 0..<test.stateCount { all[a][b] = min(all[a][b], all[a][via] + all[via][b]) }
      }
    }
    return all
  }

  @Test func buildsTheSameHierarchyWithAnyNumberOfWorkers() {
    // The grid is large enough for parts that justify several threads.
    let graph = TestGraph.grid(side: 70, seed: 4).graph
    let one = Hierarchy(contracting: graph, workers: 1)
    for workers in [2, 3, 7] {
      let several = Hierarchy(contracting: graph, workers: workers)
      #expect(one.ranks.elementsEqual(several.ranks))
      for (a, b) in [(one.outgoing, several.outgoing), (one.incoming, several.incoming)] {
        #expect(a.first.elementsEqual(b.first) && a.arcs.elementsEqual(b.arcs) && a.parts.elementsEqual(b.parts))
      }
    }
    #expect(one.brokenInvariant(over: graph) == nil)
  }

  @Test func comparesTimeFirstAndLengthSecond() {
    // From a to d: 6 ms and 20 cm via b, 6 ms and 19 cm via c, 7 ms and 1 cm directly.
    let graph = TestGraph("a>b 3/10, b>d 3/10, a>c 2/10, c>d 4/9, a>d 7/1").graph
    let path = PathQuery(Hierarchy(contracting: graph)).path(from: [Seed(StateID(0))], to: [Seed(StateID(3))])
    #expect(path?.weight == Weight(milliseconds: 6, centimetres: 19))
    #expect(path?.arcs.count == 2)
  }

  @Test func returnsNilIfTheTargetIsUnreachable() {
    let graph = TestGraph("a>b 1, c-d 1").graph
    let query = PathQuery(Hierarchy(contracting: graph))
    #expect(query.weight(from: [Seed(StateID(1))], to: [Seed(StateID(0))]) == nil)
    #expect(query.weight(from: [Seed(StateID(0))], to: [Seed(StateID(2))]) == nil)
    #expect(query.path(from: [], to: [Seed(StateID(0))]) == nil)
  }

  @Test func pathFromAStateToItselfIsEmpty() {
    let graph = TestGraph("a-b 4").graph
    let path = PathQuery(Hierarchy(contracting: graph)).path(from: [Seed(StateID(1))], to: [Seed(StateID(1))])
    #expect(path?.weight == .zero && path?.arcs == [])
  }
}

extension ArcSet {
  /// Returns a random set that includes each arc of a graph with probability 1 in `count`.
  fileprivate static func random(oneOf count: Int, _ graph: ArcGraph, _ random: inout SeededGenerator) -> ArcSet {
    var arcs: [UInt32] = []
    for arc in 0..<UInt32(graph.arcCount) where Int.random(in: 0..<count, using: &random) == 0 { arcs.append(arc) }
    return ArcSet(arcs, arcCount: graph.arcCount)
  }
}

extension [Seed] {
  /// Returns seeds at three random states of a graph.
  fileprivate static func random(_ graph: ArcGraph, _ random: inout SeededGenerator) -> [Seed] {
    var seeds: [Seed] = []
    for _ in 0..<3 {
      let weight = Weight(milliseconds: .random(in: 0..<9000, using: &random), centimetres: 7)
      seeds.append(Seed(StateID(Int.random(in: 0..<graph.stateCount, using: &random)), weight))
    }
    return seeds
  }
}
