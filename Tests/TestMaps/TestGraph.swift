import Geography
import Hierarchy

/// States and arcs in one line: `-` for both directions, `>` for one; milliseconds, or milliseconds/centimetres.
///
///     TestGraph("a-b 5, b-c 3, a>c 9/700")
public struct TestGraph: CustomStringConvertible, Sendable {
  public var arcs: [ArcGraph.Arc] = []
  public var stateCount = 0

  public init(stateCount: Int, arcs: [ArcGraph.Arc]) {
    self.stateCount = stateCount
    self.arcs = arcs
  }

  public init(_ text: String) {
    for entry in text.split(separator: ",") {
      let words = entry.split(separator: " ")
      let ends = Array(words[0])
      let numbers = words[1].split(separator: "/").map { UInt32($0)! }
      let weight = Weight(milliseconds: numbers[0], centimetres: numbers.count > 1 ? numbers[1] : numbers[0])
      let (a, b) = (TestGraph.state(ends[0]), TestGraph.state(ends[2]))
      arcs.append(.init(from: a, to: b, weight: weight))
      if ends[1] == "-" { arcs.append(.init(from: b, to: a, weight: weight)) }
      stateCount = max(stateCount, Int(max(a.index, b.index)) + 1)
    }
  }

  public static func state(_ letter: Character) -> StateID { StateID(Int(letter.asciiValue! - 97)) }

  public var graph: ArcGraph { ArcGraph(stateCount: stateCount, arcs: arcs) }

  /// The graph with arcs of up to 298 hours: many paths exceed 597 hours and count as missing.
  private var long: TestGraph {
    let arcs = arcs.map { arc in
      let weight = Weight(
        milliseconds: arc.weight.milliseconds * (Weight.arcTimeLimit / 9), centimetres: arc.weight.centimetres << 20)
      return ArcGraph.Arc(from: arc.tail, to: arc.head, weight: weight)
    }
    return TestGraph(stateCount: stateCount, arcs: arcs)
  }

  public var description: String {
    arcs.map { "\($0.tail.index)>\($0.head.index) \($0.weight)" }.joined(separator: ", ")
  }
}

package typealias SeededGenerator = Geography.SeededGenerator

extension TestGraph {
  /// Returns a graph of 2–40 states with ties, loops, parallel arcs, dead ends and unconnected parts.
  public static func random(seed: UInt64) -> TestGraph {
    var random = SeededGenerator(seed: seed)
    let stateCount = Int.random(in: 2...40, using: &random)
    let arcCount = Int.random(in: 1...(stateCount * 3), using: &random)
    let isTied = Bool.random(using: &random)
    var arcs: [ArcGraph.Arc] = []
    for _ in 0..<arcCount {
      let (tail, head) = (
        Int.random(in: 0..<stateCount, using: &random), Int.random(in: 0..<stateCount, using: &random)
      )
      // A third of the times (in half of the graphs, all) are equal, so ties are common; some arcs differ only in
      // length.
      let milliseconds =
        isTied || UInt8.random(in: 0..<3, using: &random) == 0 ? 5 : UInt32.random(in: 1...9, using: &random)
      let weight = Weight(milliseconds: milliseconds, centimetres: UInt32.random(in: 0...3, using: &random))
      arcs.append(.init(from: StateID(tail), to: StateID(head), weight: weight))
      if UInt8.random(in: 0..<4, using: &random) > 0 {
        arcs.append(.init(from: StateID(head), to: StateID(tail), weight: weight))
      }
    }
    return TestGraph(stateCount: stateCount, arcs: arcs)
  }

  /// Returns a square grid of two-way streets with random weights.
  public static func grid(side: Int, seed: UInt64) -> TestGraph {
    var random = SeededGenerator(seed: seed)
    var arcs: [ArcGraph.Arc] = []
    for y in 0..<side {
      for x in 0..<side {
        for (dx, dy) in [(1, 0), (0, 1)] where x + dx < side && y + dy < side {
          let weight = Weight(milliseconds: .random(in: 1...20, using: &random), centimetres: 100)
          let (a, b) = (StateID(y * side + x), StateID((y + dy) * side + x + dx))
          arcs += [.init(from: a, to: b, weight: weight), .init(from: b, to: a, weight: weight)]
        }
      }
    }
    return TestGraph(stateCount: side * side, arcs: arcs)
  }

  /// Returns the first failure reported by `check` on random graphs, with a shrunk graph that still fails. Optionally,
  /// every eighth graph has long paths.
  public static func firstFailure(
    seeds: ClosedRange<UInt64>, withLong: Bool = false, _ check: (_ graph: TestGraph, _ seed: UInt64) -> String?
  ) -> String? {
    for seed in seeds {
      let graph = withLong && seed % 8 == 0 ? random(seed: seed).long : random(seed: seed)
      guard let failure = check(graph, seed) else { continue }
      let smallest = graph.shrunk { check($0, seed) != nil }
      return "seed \(seed): \(failure)\nsmallest graph: \(smallest): \(check(smallest, seed) ?? "")"
    }
    return nil
  }

  /// Removes arcs one by one while the graph still fails, for readable messages.
  public func shrunk(whileFailing fails: (TestGraph) -> Bool) -> TestGraph {
    var smallest = self
    var index = 0
    while index < smallest.arcs.count {
      var smaller = smallest
      smaller.arcs.remove(at: index)
      if fails(smaller) { smallest = smaller } else { index += 1 }
    }
    return smallest
  }
}
