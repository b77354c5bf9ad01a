import Hierarchy
import TestMaps
import Testing

/// Customized hierarchies agree with the textbook algorithm for any weights.
struct CustomizationTests {
  @Test func agreesWithDijkstraOnRandomGraphs() {
    let seeds = 1...max(100, ExactnessTests.graphCount / 2)
    #expect(TestGraph.firstFailure(seeds: seeds, withLong: true, mismatch(on:seed:)) == nil)
  }

  /// Checks the graph's weights, other weights, and the graph's weights without some arcs.
  private func mismatch(on test: TestGraph, seed: UInt64) -> String? {
    let (graph, shape) = (test.graph, CustomizationTests.shape(of: test, seed: seed))
    let other = CustomizationTests.graph(graph, with: CustomizationTests.metric(of: graph, seed: seed))
    let closed = ArcSet(
      (0..<UInt32(graph.arcCount)).filter { ($0 &* 7 &+ UInt32(truncatingIfNeeded: seed)) % 5 == 0 },
      arcCount: graph.arcCount)
    let hierarchies = shape.hierarchies(of: [graph.weights, other.weights])
    return ExactnessTests.mismatch(of: hierarchies[0], on: graph)
      ?? ExactnessTests.mismatch(of: hierarchies[1], on: other)
      ?? ExactnessTests.mismatch(of: shape.hierarchy(without: closed), on: graph, without: closed)
  }

  @Test func manyMetricsEqualSingleMetrics() {
    let test = TestGraph.grid(side: 12, seed: 3)
    let shape = CustomizationTests.shape(of: test, seed: 5)
    let metrics = (1...11).map { CustomizationTests.metric(of: test.graph, seed: $0) }
    for (metric, found) in zip(metrics, shape.hierarchies(of: metrics)) {
      let expected = shape.hierarchies(of: [metric])[0]
      for (a, b) in [(found.outgoing, expected.outgoing), (found.incoming, expected.incoming)] {
        #expect(a.first.elementsEqual(b.first) && a.arcs.elementsEqual(b.arcs) && a.parts.elementsEqual(b.parts))
      }
    }
  }

  @Test func dropsArcsThatNoShortestPathUses() {
    // c, between a and b, has the lowest rank; d, which has the highest, is on the shorter path from a to b.
    let graph = TestGraph("a>c 5, c>b 5, a>d 1, d>b 1").graph
    let shape = CustomizableHierarchy(graph, ranks: Column([2, 1, 0, 3] as [UInt32]))
    let hierarchy = shape.hierarchy()
    #expect(shape.arcCount == 5 && hierarchy.arcCount == 4)
    #expect(ExactnessTests.mismatch(of: hierarchy, on: graph) == nil)
  }

  @Test func middleOfAGridRanksHighest() {
    let (side, grid) = (24, TestGraph.grid(side: 24, seed: 1).graph)
    let points = (0..<side * side).map { SIMD2(Int32($0 % side), Int32($0 / side)) }
    let ranks = CustomizableHierarchy.ranks(of: grid, at: points)
    #expect(Set(ranks) == Set(0..<UInt32(side * side)))
    // Approximately a row or a column, but not at the edge.
    let highest = ranks.indices.filter { Int(ranks[$0]) >= side * side - side }.map { points[$0] }
    #expect(
      highest.allSatisfy { (side / 4...side * 3 / 4).contains(Int($0.x)) }
        || highest.allSatisfy { (side / 4...side * 3 / 4).contains(Int($0.y)) })
    let rowByRow = CustomizableHierarchy(grid, ranks: Column((0..<UInt32(side * side)).map { $0 }))
    #expect(CustomizableHierarchy(grid, ranks: Column(ranks)).arcCount * 3 < rowByRow.arcCount * 2)
  }

  /// The grids are large enough to be divided, unlike most random graphs.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func agreesWithDijkstraOnGrids(seed: UInt64) {
    let test = TestGraph.grid(side: 12, seed: seed)
    #expect(mismatch(on: test, seed: seed) == nil)
  }

  @Test func orderIsTheSameForAnyNumberOfWorkers() {
    let (side, grid) = (60, TestGraph.grid(side: 60, seed: 4).graph)
    let points = (0..<side * side).map { SIMD2(Int32($0 % side), Int32($0 / side)) }
    let one = CustomizableHierarchy.ranks(of: grid, at: points)
    #expect(Set(one) == Set(0..<UInt32(side * side)))
    for workers in [2, 3, 7, 40] {
      #expect(CustomizableHierarchy.ranks(of: grid, at: points, workers: workers) == one)
    }
  }

  @Test func hierarchiesAreTheSameForAnyNumberOfWorkers() {
    let (side, grid) = (60, TestGraph.grid(side: 60, seed: 4).graph)
    let points = (0..<side * side).map { SIMD2(Int32($0 % side), Int32($0 / side)) }
    let ranks = Column(CustomizableHierarchy.ranks(of: grid, at: points))
    let shape = CustomizableHierarchy(grid, ranks: ranks)
    let metrics = [grid.weights, CustomizationTests.metric(of: grid, seed: 3)]
    let expected = shape.hierarchies(of: metrics) + [shape.hierarchy()]
    #expect(ExactnessTests.mismatch(of: expected[0], on: grid) == nil)
    for workers in [2, 3, 7, 40] {
      let shape = CustomizableHierarchy(grid, ranks: ranks, workers: workers)
      let found = shape.hierarchies(of: metrics, workers: workers) + [shape.hierarchy(workers: workers)]
      for (a, b) in zip(found, expected) {
        for (a, b) in [(a.outgoing, b.outgoing), (a.incoming, b.incoming)] {
          #expect(a.first.elementsEqual(b.first) && a.arcs.elementsEqual(b.arcs) && a.parts.elementsEqual(b.parts))
        }
      }
    }
  }

  /// a - b - c - d - (e, f, g, h), where the last four are fully connected: a dead end is ordered from its end, and the
  /// connected part keeps its order.
  @Test func needsNoShortcutOnADeadEnd() {
    let graph = TestGraph("a-b 1, b-c 1, c-d 1, d-e 1, e-f 1, e-g 1, e-h 1, f-g 1, f-h 1, g-h 1").graph
    let ranks = CustomizableHierarchy.ranks(of: graph, at: (0..<8).map { SIMD2(Int32($0), 0) })
    #expect(CustomizableHierarchy(graph, ranks: Column(ranks)).arcCount == graph.arcCount)
  }

  /// A street with a thousand bends is halved repeatedly: the highest state is about ten arcs above the lowest.
  @Test func keepsAChainShallow() {
    let count = 1000
    let arcs = (1..<count).flatMap { state in
      [(state - 1, state), (state, state - 1)].map {
        ArcGraph.Arc(from: StateID($0.0), to: StateID($0.1), weight: Weight(milliseconds: 1, centimetres: 1))
      }
    }
    let graph = ArcGraph(stateCount: count, arcs: arcs)
    let ranks = CustomizableHierarchy.ranks(of: graph, at: (0..<count).map { SIMD2(Int32($0), 7) })
    let hierarchy = CustomizableHierarchy(graph, ranks: Column(ranks)).hierarchy()
    var heights = [Int](repeating: 0, count: count)
    for rank in 0..<UInt32(count) {
      for position in hierarchy.outgoing[Rank(rank)] {
        let head = Int(hierarchy.outgoing.arcs[position].head)
        heights[head] = max(heights[head], heights[Int(rank)] + 1)
      }
    }
    #expect(heights.max()! < 20)
  }

  @Test(arguments: [0, 1, 7]) func ordersStatesAtOnePoint(count: Int) {
    let arcs = (0..<count).map {
      ArcGraph.Arc(
        from: StateID($0), to: StateID(($0 + 1) % count), weight: Weight(milliseconds: 2, centimetres: 1))
    }
    let graph = ArcGraph(stateCount: count, arcs: arcs)
    let ranks = CustomizableHierarchy.ranks(of: graph, at: Array(repeating: SIMD2(4, 4), count: count))
    let hierarchy = CustomizableHierarchy(graph, ranks: Column(ranks)).hierarchy()
    #expect(ExactnessTests.mismatch(of: hierarchy, on: graph) == nil)
  }

  /// Returns a hierarchy with states at random positions, some of them at the same point.
  static func shape(of test: TestGraph, seed: UInt64) -> CustomizableHierarchy {
    var random = SeededGenerator(seed: seed)
    let points = (0..<test.stateCount).map { _ in
      SIMD2(Int32.random(in: 0...6, using: &random), Int32.random(in: -6...0, using: &random))
    }
    return CustomizableHierarchy(
      test.graph, ranks: Column(CustomizableHierarchy.ranks(of: test.graph, at: points)))
  }

  /// Returns random weights, many of them equal.
  private static func metric(of graph: ArcGraph, seed: UInt64) -> Column<Weight> {
    var random = SeededGenerator(seed: seed &+ 1000)
    return Column(
      graph.weights.map {
        Weight(milliseconds: .random(in: 1...6, using: &random), centimetres: $0.centimetres)
      })
  }

  private static func graph(_ graph: ArcGraph, with weights: Column<Weight>) -> ArcGraph {
    ArcGraph(firstArc: graph.firstArc, heads: graph.heads, weights: weights)
  }
}
