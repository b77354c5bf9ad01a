/// One half of a customizable hierarchy: arcs without weights.
struct CustomizableArcs: Sendable {
  /// The arcs of each lower rank, and their end.
  let first: Column<UInt32>
  /// Their upper ranks, ascending for each lower one.
  let heads: Column<UInt32>
  /// The same arcs by their upper ranks, and their end.
  let firstBelow: Column<UInt32>
  let below: Column<ArcBelow>

  /// An arc as its upper end sees it.
  struct ArcBelow: BitwiseCopyable {
    var rank: UInt32
    /// Among `heads`.
    var position: UInt32
  }

  private init(first: [UInt32], heads: [UInt32]) {
    var firstBelow = [UInt32](repeating: 0, count: first.count)
    for head in heads { firstBelow[Int(head) + 1] += 1 }
    for rank in 1..<max(1, first.count) { firstBelow[rank] += firstBelow[rank - 1] }
    var below = [ArcBelow](repeating: ArcBelow(rank: 0, position: 0), count: heads.count)
    var next = firstBelow
    for rank in 0..<first.count - 1 {
      for position in first[rank]..<first[rank + 1] {
        let head = Int(heads[Int(position)])
        below[Int(next[head])] = ArcBelow(rank: UInt32(rank), position: position)
        next[head] += 1
      }
    }
    (self.first, self.heads) = (Column(first), Column(heads))
    (self.firstBelow, self.below) = (Column(firstBelow), Column(below))
  }

  /// Where the arc to `head` is, which must be there.
  func position(of head: UInt32, from rank: UInt32) -> UInt32 {
    var (low, high) = (first[Int(rank)], first[Int(rank) + 1])
    while low < high {
      let middle = (low + high) / 2
      if heads[Int(middle)] < head { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Both halves: an arc leads from x up to y if a path does whose other states all rank below x.
  static func halves(_ graph: ArcGraph, _ ranks: Column<UInt32>) -> (
    outgoing: CustomizableArcs, incoming: CustomizableArcs
  ) {
    var (outgoing, incoming) = (GrowingHalf(graph.stateCount), GrowingHalf(graph.stateCount))
    var (above, below) = (
      [[UInt32]](repeating: [], count: graph.stateCount), [[UInt32]](repeating: [], count: graph.stateCount)
    )
    for state in 0..<graph.stateCount {
      for arc in graph.arcs(from: StateID(state)) {
        let (tail, head) = (ranks[state], ranks[Int(graph.heads[arc])])
        if tail < head { above[Int(tail)].append(head) }
        if head < tail { below[Int(head)].append(tail) }
      }
    }
    for rank in 0..<graph.stateCount {
      // Up from here: over arcs of the graph, or down to a lower state and up from there.
      outgoing.begin(above[rank])
      incoming.forEachBelow(rank) { outgoing.add(from: $0, above: UInt32(rank)) }
      incoming.begin(below[rank])
      outgoing.forEachBelow(rank) { incoming.add(from: $0, above: UInt32(rank)) }
      outgoing.end()
      incoming.end()
    }
    return (
      CustomizableArcs(first: outgoing.first, heads: outgoing.heads),
      CustomizableArcs(first: incoming.first, heads: incoming.heads)
    )
  }

  /// A half up to a rank.
  private struct GrowingHalf {
    var first: [UInt32] = [0]
    var heads: [UInt32] = []
    private var row: [UInt32] = []
    private var isIn: [Bool]
    /// The last arc below each rank, and for each arc its lower end and the one before.
    private var lastBelow: [UInt32]
    private var chain: [(rank: UInt32, before: UInt32)] = []

    init(_ count: Int) {
      isIn = Array(repeating: false, count: count)
      lastBelow = Array(repeating: .max, count: count)
    }

    mutating func begin(_ heads: [UInt32]) {
      for head in heads { insert(head) }
    }

    /// What is reached from a lower rank.
    mutating func add(from lower: UInt32, above rank: UInt32) {
      for position in (first[Int(lower)]..<first[Int(lower) + 1]).reversed() {
        guard heads[Int(position)] > rank else { break }
        insert(heads[Int(position)])
      }
    }

    mutating func end() {
      row.sort()
      let rank = UInt32(first.count - 1)
      for head in row {
        isIn[Int(head)] = false
        chain.append((rank, lastBelow[Int(head)]))
        lastBelow[Int(head)] = UInt32(heads.count)
        heads.append(head)
      }
      row.removeAll(keepingCapacity: true)
      first.append(UInt32(heads.count))
    }

    func forEachBelow(_ rank: Int, _ body: (UInt32) -> Void) {
      var position = lastBelow[rank]
      while position != .max {
        body(chain[Int(position)].rank)
        position = chain[Int(position)].before
      }
    }

    private mutating func insert(_ head: UInt32) {
      guard !isIn[Int(head)] else { return }
      isIn[Int(head)] = true
      row.append(head)
    }
  }
}
