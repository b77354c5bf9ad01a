import Foundation
import Hierarchy
import StreetNetwork
import TestMaps
import Testing

/// The work for fixed tasks, counted exactly: an engine that does more work fails here, on slow and fast machines
/// alike. The counts are in Benchmarks/counts.json; `ODOMETER_COUNTS=write` updates them.
struct CountsTests {
  typealias Counts = [String: Int]
  private static let path = Project.path("Benchmarks/counts.json")

  @Test func doesAsMuchWorkAsRecorded() throws {
    var scenes = [
      "500 random graphs": CountsTests.random(), "grid of 60 x 60": CountsTests.counts(of: CountsTests.grid),
    ]
    for profile in Project.hasHelsinki ? ["walking", "cycling", "automobile"] : [] {
      scenes["Helsinki, \(profile)"] = try CountsTests.helsinki(profile)
    }
    guard ProcessInfo.processInfo.environment["ODOMETER_COUNTS"] != "write" else {
      return try CountsTests.write(scenes)
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: CountsTests.path))
    let recorded = try JSONDecoder().decode([String: Counts].self, from: data)
    #expect(scenes.keys.allSatisfy { recorded[$0] != nil })
    for (scene, counts) in scenes.sorted(by: { $0.key < $1.key }) {
      for key in Set(counts.keys).union(recorded[scene]?.keys.map { $0 } ?? []).sorted() {
        let (old, new) = (recorded[scene]?[key], counts[key])
        #expect(
          old == new,
          """
          \(scene), \(key): \(old.map(String.init) ?? "none") before, \(new.map(String.init) ?? "none") now. If this \
          is intended, run ODOMETER_COUNTS=write swift test -c release --filter CountsTests
          """)
      }
    }
  }

  /// The counts must reveal an engine that does more work.
  @Test func detectsAnEngineWithoutPruning() {
    let hierarchy = Hierarchy(contracting: CountsTests.grid)
    let query = PathQuery(hierarchy)
    let (from, to) = ([Seed(StateID(17))], [Seed(StateID(3011))])
    _ = query.weight(from: from, to: to)
    let reached = query.reachedStates
    // All states above the two ends, some of which are pruned by the best path found so far.
    let all =
      CountsTests.above(from[0].state, hierarchy.outgoing, hierarchy)
      + CountsTests.above(to[0].state, hierarchy.incoming, hierarchy)
    #expect(reached > 20 && reached < all)
    #expect(query.reachedArcs > reached)
  }

  private static func above(_ state: StateID, _ half: UpwardArcs, _ hierarchy: Hierarchy) -> Int {
    var (found, waiting): (Set<UInt32>, [UInt32]) = ([], [hierarchy.ranks[Int(state.index)]])
    while let rank = waiting.popLast() {
      guard found.insert(rank).inserted else { continue }
      waiting += half[Rank(rank)].map { half.arcs[$0].head }
    }
    return found.count
  }

  // MARK: Scenes

  private static let grid = TestGraph.grid(side: 60, seed: 1).graph

  private static func random() -> Counts {
    (1...500 as ClosedRange<UInt64>).reduce(into: [:]) { sum, seed in
      sum.merge(counts(of: TestGraph.random(seed: seed).graph, queries: 20)) { $0 + $1 }
    }
  }

  private static func helsinki(_ profile: String) throws -> Counts {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(map: Project.helsinki, profile: .stock(profile), cache: scratch.folder)
    return counts(of: network.states.arcs)
  }

  /// Counts the cost of preprocessing a graph, and of queries on its hierarchy.
  private static func counts(of graph: ArcGraph, queries: Int = 1000) -> Counts {
    let hierarchy = Hierarchy(contracting: graph)
    var counts = [
      "states": graph.stateCount, "arcs": graph.arcCount, "upward arcs": hierarchy.arcCount,
      "shortcuts": shortcuts(hierarchy.outgoing) + shortcuts(hierarchy.incoming),
    ]
    var random = SeededGenerator(seed: 1)
    func state() -> StateID { StateID(Int.random(in: 0..<graph.stateCount, using: &random)) }
    let query = PathQuery(hierarchy)
    for _ in 0..<queries {
      _ = query.weight(from: [Seed(state())], to: [Seed(state())])
      counts["states reached by \(queries) queries", default: 0] += query.reachedStates
      counts["arcs of those states", default: 0] += query.reachedArcs
    }
    let points = (0..<min(300, graph.stateCount)).map { _ in state() }
    let matrix = Matrix(hierarchy, from: SeedTable(states: points), to: SeedTable(states: points), lengths: false)
    counts["states swept for a matrix"] = matrix.plan.sweptStates
    counts["arcs swept for a matrix"] = matrix.sweptArcs
    return counts
  }

  private static func shortcuts(_ half: UpwardArcs) -> Int { half.parts.count { !$0.isOriginal } }

  private static func write(_ scenes: [String: Counts]) throws {
    try #require(Project.hasHelsinki, "the sample map is missing: make sample")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(scenes) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }
}
