/// A customizable contraction hierarchy without weights: the order of a graph's states, and all arcs that a hierarchy
/// in this order may need. Customizing it with a metric takes a fifth of the time needed to order the states.
///
///     let customizable = CustomizableHierarchy(graph, ranks: CustomizableHierarchy.ranks(of: graph, at: points))
///     let hierarchies = customizable.hierarchies(of: [night, morning])
///
/// A metric has one weight per arc of the graph; `infinity` closes the arc. The results are ordinary hierarchies for
/// all engines, with only the arcs on the metric's shortest paths.
///
/// Source: J. Dibbelt, B. Strasser, D. Wagner 2016; unused directions are omitted, as in V. Buchhold, P. Sanders, D.
/// Wagner 2019.
public struct CustomizableHierarchy: Sendable {
  /// The graph the hierarchy was built from.
  public let graph: ArcGraph
  /// The rank of each state.
  public let ranks: Column<UInt32>
  /// The parent of each rank in the elimination tree.
  let parents: Column<UInt32>
  /// The arcs whose tail is the lower end (`outgoing`), and the arcs whose head is (`incoming`), grouped by lower end.
  let outgoing: CustomizableArcs
  let incoming: CustomizableArcs
  /// For each arc of the graph, the index of its hierarchy arc times two, plus one if in `outgoing`; `none` for loops.
  let slots: Column<UInt32>

  static let none = UInt32.max

  /// The number of upward arcs in both halves.
  public var arcCount: Int { outgoing.heads.count + incoming.heads.count }

  /// Returns a nested dissection order of a graph's states, each of which lies at a point in an integer plane. This is
  /// the first step of building a customizable hierarchy; it does not depend on weights and can be stored. The result
  /// is the same for any number of workers (threads). *Complexity*: about 5 s per million junctions of a road map on
  /// one core.
  ///
  /// Simple states come first (`Elimination`); then the map is cut in two where few streets cross, the states at the
  /// cut are ranked highest, and both halves are cut in the same way, down to cells of a few dozen states. States at
  /// the same point form a junction. A cut is a set of arcs; their heads separate the halves, so cutting a street
  /// adds one or two states to the separator, not all states of a junction. The order is the same on every machine:
  /// points are whole numbers, and ties are broken by index.
  public static func ranks(of graph: ArcGraph, at points: [SIMD2<Int32>], workers: Int = 1) -> [UInt32] {
    precondition(points.count == graph.stateCount, "expected one point per state")
    var ranks = [UInt32](repeating: 0, count: graph.stateCount)
    func setRanks(of states: [UInt32], from first: Int) {
      for (index, state) in states.enumerated() { ranks[Int(state)] = UInt32(first + index) }
    }
    let elimination = Elimination(graph)
    setRanks(of: elimination.order, from: 0)
    var cells = [(cell: DissectionCell(elimination, at: points), firstRank: elimination.order.count)]
    // Cells are cut in parallel until there are enough for all workers; then each worker orders whole cells.
    while workers > 1 && !cells.isEmpty && cells.count < workers * 4 {
      let cuts: [(halves: [DissectionCell], separator: [UInt32])?]
      if cells.count < workers {
        // Too few cells for all workers: each is cut in several directions in parallel.
        cuts = cells.map(\.cell).map { cell in
          cell.isSmall ? nil : cell.split(into: InertialCut.sides(of: cell, workers: workers))
        }
      } else {
        cuts = inParallel(cells, workers: workers) {
          $0.cell.isSmall ? nil : $0.cell.split(into: InertialCut($0.cell).sides(of: $0.cell))
        }
      }
      let previousCells = cells
      cells = []
      for (entry, cut) in zip(previousCells, cuts) {
        guard let (halves, separator) = cut else {
          setRanks(of: entry.cell.eliminated(), from: entry.firstRank)
          continue
        }
        let middle = entry.firstRank + halves[0].states.count
        cells += [(halves[0], entry.firstRank), (halves[1], middle)]
        setRanks(of: separator, from: middle + halves[1].states.count)
      }
    }
    let orders = inParallel(cells, workers: workers) { $0.cell.ordered(by: InertialCut($0.cell)) }
    for (cell, order) in zip(cells, orders) { setRanks(of: order, from: cell.firstRank) }
    return ranks
  }

  /// Creates the customizable hierarchy of `graph` in the order `ranks`. Any order is valid; `ranks(of:at:workers:)`
  /// returns a good one. The result is the same for any number of workers (threads).
  public init(_ graph: ArcGraph, ranks: Column<UInt32>, workers: Int = 1) {
    precondition(ranks.count == graph.stateCount, "expected one rank per state")
    self.graph = graph
    self.ranks = ranks
    parents = Column(CustomizableHierarchy.parents(of: graph, ranks: ranks))
    let workers = min(workers, RankShares.maximumWorkers)
    let shares = RankShares(parents: parents, workers: workers)
    (outgoing, incoming) = CustomizableArcs.halves(graph, ranks, shares, workers: workers)
    let (outgoing, incoming) = (outgoing, incoming)
    let parts = inParallel((0..<graph.stateCount).shares(workers > 1 ? workers * 4 : 1), workers: workers) { states in
      var slots: [UInt32] = []
      slots.reserveCapacity(Int(graph.firstArc[states.upperBound] - graph.firstArc[states.lowerBound]))
      for state in states {
        for arc in graph.arcs(from: StateID(state)) {
          let (tail, head) = (ranks[state], ranks[Int(graph.heads[arc])])
          if tail < head {
            slots.append(outgoing.position(of: head, from: tail) << 1 | 1)
          } else if head < tail {
            slots.append(incoming.position(of: tail, from: head) << 1)
          } else {
            slots.append(CustomizableHierarchy.none)
          }
        }
      }
      return slots
    }
    slots = Column(parts.flatMap(\.self))
  }
}

extension CustomizableHierarchy {
  /// Returns the hierarchy of each metric. A metric has one weight per arc of the graph; `infinity` closes the arc.
  ///
  /// Eight metrics together take little longer than one. The result is the same for any number of workers (threads).
  /// *Complexity*: O(triangles) per eight metrics; 0.3 s for eight metrics of greater Porto by car.
  public func hierarchies(of metrics: [Column<Weight>], workers: Int = 1) -> [Hierarchy] {
    precondition(metrics.allSatisfy { $0.count == graph.arcCount }, "a metric must have one weight per arc")
    guard metrics.count > 1 else {
      return Customization<OneMetric>(self, workers: workers).hierarchies(of: metrics[...])
    }
    let customization = Customization<EightMetrics>(self, workers: workers)
    return metrics.batches(of: EightMetrics.count).flatMap { customization.hierarchies(of: $0) }
  }

  /// Returns the hierarchy of the graph's weights without the arcs in `closed`.
  public func hierarchy(without closed: ArcSet? = nil, workers: Int = 1) -> Hierarchy {
    guard let closed else { return hierarchies(of: [graph.weights], workers: workers)[0] }
    var weights = Array(graph.weights)
    for arc in weights.indices where closed.contains(ArcID(arc)) { weights[arc] = .infinity }
    return hierarchies(of: [Column(weights)], workers: workers)[0]
  }

  /// Returns the elimination tree of a graph in an order of its states: the parent of a rank is the lowest higher rank
  /// connected to it via lower ranks, in either direction; a root is its own parent. In any hierarchy in this order,
  /// all upward arcs of a rank lead to its ancestors, so a search goes from parent to parent.
  ///
  /// Source: J. W. H. Liu 1990. *Complexity*: O(arcs log states), about 30 ns per arc.
  private static func parents(of graph: ArcGraph, ranks: Column<UInt32>) -> [UInt32] {
    let (ranks, heads) = (ranks.buffer, graph.heads.buffer)
    let lowerNeighbours = Grouped<UInt32>(graph.stateCount) { add in
      for state in 0..<graph.stateCount {
        for arc in graph.arcs(from: StateID(state)) {
          let (tail, head) = (ranks[state], ranks[Int(heads[arc])])
          if tail != head { add(max(tail, head), min(tail, head)) }
        }
      }
    }
    var parents = Array(0..<UInt32(graph.stateCount))
    /// The highest known ancestor of each rank, or a lower ancestor that leads to it.
    var tops = parents
    for rank in 0..<UInt32(graph.stateCount) {
      for neighbour in lowerNeighbours[rank] {
        var lower = neighbour
        while lower != rank {
          let top = tops[Int(lower)]
          tops[Int(lower)] = rank
          if top == lower { parents[Int(lower)] = rank }
          lower = top == lower ? rank : top
        }
      }
    }
    return parents
  }
}

extension DissectionCell {
  /// Returns the states in order: both halves, then the separator.
  fileprivate func ordered(by cuts: InertialCut) -> [UInt32] {
    guard !isSmall else { return eliminated() }
    let (halves, separator) = split(into: cuts.sides(of: self))
    return halves.flatMap { $0.ordered(by: cuts) } + separator
  }
}

/// The weights of an arc, or its parts, in one or several metrics: a vector of 64-bit words. Finding an arc costs more
/// than adding its weights, so eight metrics take about as long as one.
protocol MetricLanes: BitwiseCopyable, SendableMetatype {
  static var count: Int { get }
  /// The same word in all lanes.
  init(repeating word: Int64)
  /// Replaces the weight with the sum of two weights, and its parts with `mark`, in lanes where the sum is smaller.
  mutating func lower(to a: Self, plus b: Self, marking marks: inout Self, _ mark: Int64)
}

struct OneMetric: MetricLanes {
  // In the form of `Weight.signed`; the sum of two such numbers needs its sign bit flipped.
  private var word: Int64

  static let count = 1

  @inline(__always)
  init(repeating word: Int64) { self.word = word }

  @inline(__always)
  mutating func lower(to a: OneMetric, plus b: OneMetric, marking marks: inout OneMetric, _ mark: Int64) {
    let sum = (a.word &+ b.word) ^ .min
    guard sum < word else { return }
    word = sum
    marks.word = mark
  }
}

struct EightMetrics: MetricLanes {
  private var words: SIMD8<Int64>

  static let count = 8

  @inline(__always)
  init(repeating word: Int64) { words = SIMD8(repeating: word) }

  @inline(__always)
  mutating func lower(to a: EightMetrics, plus b: EightMetrics, marking marks: inout EightMetrics, _ mark: Int64) {
    let sum = (a.words &+ b.words) ^ SIMD8(repeating: .min)
    let isLess = sum .< words
    words.replace(with: sum, where: isLess)
    marks.words.replace(with: SIMD8(repeating: mark), where: isLess)
  }
}

/// One half of a customizable hierarchy: arcs without weights.
struct CustomizableArcs: Sendable {
  /// The first arc of each lower rank, plus the end offset.
  let first: Column<UInt32>
  /// The upper rank of each arc, ascending for each lower rank.
  let heads: Column<UInt32>
  /// The same arcs by upper rank: the offset in `below` of the first arc of each, plus the end offset.
  let firstBelow: Column<UInt32>
  let below: Column<ArcBelow>

  /// An arc seen from its upper end: its lower rank, and its index in `heads`.
  typealias ArcBelow = (rank: UInt32, position: UInt32)

  private init(first: [UInt32], heads: [UInt32]) {
    let byHead = Grouped<ArcBelow>(first.count - 1) { add in
      for rank in 0..<first.count - 1 {
        for position in first[rank]..<first[rank + 1] {
          add(heads[Int(position)], ArcBelow(rank: UInt32(rank), position: position))
        }
      }
    }
    (self.first, self.heads) = (Column(first), Column(heads))
    (firstBelow, below) = (Column(byHead.first), Column(byHead.values))
  }

  /// Returns the index of the arc to `head`, which must exist.
  func position(of head: UInt32, from rank: UInt32) -> UInt32 {
    (first[Int(rank)]..<first[Int(rank) + 1]).partitionPoint { heads[Int($0)] >= head }
  }

  /// Builds both halves: there is an arc from x up to y if all intermediate states of some path between them rank below
  /// x.
  static func halves(
    _ graph: ArcGraph, _ ranks: Column<UInt32>, _ shares: RankShares, workers: Int
  ) -> (outgoing: CustomizableArcs, incoming: CustomizableArcs) {
    let rows = GrowingArcs(graph, ranks, shares, workers: workers).rows(workers: workers)
    return inParallel(workers: workers) {
      CustomizableArcs(first: rows.outgoing.first, heads: rows.outgoing.heads)
    } _: {
      CustomizableArcs(first: rows.incoming.first, heads: rows.incoming.heads)
    }
  }
}

/// The ranks of an elimination tree, split into independent shares and the ranks above all shares.
///
/// Work on a rank needs only its descendants or its ancestors: subtrees can be processed in parallel, before or after
/// the ranks above them.
struct RankShares: Sendable {
  /// The shares: each consists of the ranks of whole subtrees, in ascending order.
  let shares: [[UInt32]]
  /// The ranks above all shares, ascending.
  let top: [UInt32]
  /// Whether each rank is in `top`.
  let isTop: [Bool]
  /// The maximum number of workers: a thread needs ten bytes per rank, so for a country, more threads would need more
  /// memory than everything else.
  static let maximumWorkers = 8

  /// Creates several shares per worker; a single worker gets one share with all ranks.
  init(parents: Column<UInt32>, workers: Int) {
    let parents = parents.buffer
    guard workers > 1 else {
      (shares, top) = ([Array(0..<UInt32(parents.count))], [])
      isTop = Array(repeating: false, count: parents.count)
      return
    }
    var sizes = [Int](repeating: 1, count: parents.count)
    for (rank, parent) in parents.enumerated() where parent != rank { sizes[Int(parent)] += sizes[rank] }
    let maximumSize = max(1, parents.count / (workers * 8))
    var shareOf = [Int](repeating: -1, count: parents.count)
    // Small subtrees are added to a share until it is full.
    var counts = [0]
    for (rank, parent) in parents.enumerated().reversed() {
      if parent != rank, shareOf[Int(parent)] >= 0 {
        shareOf[rank] = shareOf[Int(parent)]
      } else if sizes[rank] <= maximumSize {
        if counts[counts.count - 1] + sizes[rank] > maximumSize { counts.append(0) }
        shareOf[rank] = counts.count - 1
        counts[counts.count - 1] += sizes[rank]
      }
    }
    var shares = counts.map { count in
      var share: [UInt32] = []
      share.reserveCapacity(count)
      return share
    }
    var top: [UInt32] = []
    for (rank, share) in shareOf.enumerated() {
      if share >= 0 { shares[share].append(UInt32(rank)) } else { top.append(UInt32(rank)) }
    }
    (self.shares, self.top, isTop) = (shares, top, shareOf.map { $0 < 0 })
  }
}
