extension Hierarchy {
  /// Contracts `graph`: takes its states out, least important first, leaving shortcuts so that no distance changes.
  ///
  /// Arcs in `closed` are left out; the others keep their IDs. The hierarchy is the same, byte for byte, for any number of workers (threads).
  ///
  /// Source: R. Geisberger, P. Sanders, D. Schultes, D. Delling 2008; rounds of independent states as by C. Vetter
  /// 2009. *Complexity*: about 10 s per million junctions of a road map on one core.
  public init(contracting graph: ArcGraph, without closed: ArcSet? = nil, workers: Int = 1) {
    self = Hierarchy.contracting(graph, without: closed, workers: workers).hierarchy
  }

  /// Contracts `graph`, and counts the states that its witness searches settle: its work, whatever the processor.
  ///
  /// - Parameter firstSlot: Where the pool of arcs starts: tests let it start beyond 32 bits.
  package static func contracting(
    _ graph: ArcGraph, without closed: ArcSet? = nil, workers: Int = 1, firstSlot: Int = 0
  ) -> (hierarchy: Hierarchy, settledStates: Int) {
    let remaining = RemainingGraph(graph, without: closed, firstSlot: firstSlot)
    let (levels, settledStates) = contract(remaining, workers: max(1, workers))
    return (Hierarchy(remaining, levels: levels), settledStates)
  }
}

/// How many states a witness search settles before it gives up: when a state's importance is estimated, and when it
/// is contracted. Giving up costs a shortcut that was not needed, never an answer.
private let estimateLimit = 8
private let contractLimit = 100

/// Contracts every state of `graph` in rounds and returns the level of each.
private func contract(_ graph: RemainingGraph, workers: Int) -> (levels: [UInt32], settledStates: Int) {
  let searches = (0..<workers).map { _ in WitnessSearch(graph) }
  var order = ContractionOrder(stateCount: graph.stateCount)
  estimate(order.remaining, with: searches, into: &order)
  var isStale = [Bool](repeating: false, count: graph.stateCount)
  while !order.remaining.isEmpty {
    let round = order.nextRound(in: graph)
    inParallel(searches, over: round) { search, states in
      search.shortcuts.removeAll(keepingCapacity: true)
      for state in states { search.contract(state, limit: contractLimit) }
    }
    var stale: [UInt32] = []
    for state in round {
      graph.detach(state) { neighbour in
        order.raise(neighbour, above: state)
        guard !isStale[Int(neighbour)] else { return }
        isStale[Int(neighbour)] = true
        stale.append(neighbour)
      }
    }
    for search in searches {
      for shortcut in search.shortcuts { graph.insert(shortcut) }
      search.shortcuts.removeAll(keepingCapacity: true)
    }
    estimate(stale, with: searches, into: &order)
    for state in stale { isStale[Int(state)] = false }
  }
  return (order.levels, searches.reduce(0) { $0 + $1.settledStates })
}

/// Sets the priorities of `states` by what contracting each would do.
private func estimate(_ states: [UInt32], with searches: [WitnessSearch], into order: inout ContractionOrder) {
  let estimates = Estimates(count: states.count)
  inParallel(searches, over: states) { search, part in
    for position in part.indices {
      estimates.values[position] = search.estimate(states[position], limit: estimateLimit)
    }
  }
  for (position, state) in states.enumerated() {
    order.setPriority(of: state, estimates.values[position])
  }
}

/// Memory for one estimate per state, which workers fill in disjoint parts.
private final class Estimates: @unchecked Sendable {
  let values: UnsafeMutablePointer<WitnessSearch.Estimate>
  init(count: Int) {
    values = .allocate(capacity: max(1, count))
    values.initialize(repeating: WitnessSearch.Estimate(), count: count)
  }
  deinit { values.deallocate() }
}

/// Gives each search a contiguous part of `states`, in parallel where the parts are worth a thread.
private func inParallel(
  _ searches: [WitnessSearch], over states: [UInt32],
  body: @Sendable (WitnessSearch, ArraySlice<UInt32>) -> Void
) {
  let workers = states.count < 128 ? 1 : searches.count
  let bounds = (0...workers).map { states.count * $0 / workers }
  let parts = (0..<workers).map { (search: searches[$0], states: states[bounds[$0]..<bounds[$0 + 1]]) }
  _ = inParallel(parts, workers: workers) { body($0.search, $0.states) }
}

extension Hierarchy {
  /// Numbers the states by level and lays their lists out in that order.
  private init(_ graph: RemainingGraph, levels: [UInt32]) {
    var states = Array(0..<UInt32(graph.stateCount))
    states.sort { (levels[Int($0)], $0) < (levels[Int($1)], $1) }
    var ranks = [UInt32](repeating: 0, count: states.count)
    for (rank, state) in states.enumerated() { ranks[Int(state)] = UInt32(rank) }

    // An arc is listed by its lower end: a part that leads down is found in `incoming`, one that leads up in
    // `outgoing`.
    var positions = [UInt32](repeating: 0, count: graph.originalCount + graph.parts.count)
    let outgoing = Half(graph, states, ranks, lists: graph.outgoing, positions: &positions)
    let incoming = Half(graph, states, ranks, lists: graph.incoming, positions: &positions)
    self.init(
      ranks: Column(ranks),
      outgoing: outgoing.upwardArcs(graph, positions), incoming: incoming.upwardArcs(graph, positions))
  }

  private struct Half {
    var first: [UInt32] = [0]
    var arcs: [UpwardArc] = []
    var ids: [UInt32] = []

    init(
      _ graph: RemainingGraph, _ states: [UInt32], _ ranks: [UInt32],
      lists: UnsafeMutablePointer<RemainingGraph.List>, positions: inout [UInt32]
    ) {
      first.reserveCapacity(states.count + 1)
      let count = states.reduce(0) { $0 + Int(lists[Int($1)].count) }
      arcs.reserveCapacity(count)
      ids.reserveCapacity(count)
      for state in states {
        var list = graph.arcs(lists[Int(state)])
        list.sort { ranks[Int($0.state)] < ranks[Int($1.state)] }
        for arc in list {
          positions[Int(arc.id)] = UInt32(arcs.count)
          let weight = Weight(packed: arc.weight)
          arcs.append(
            UpwardArc(
              head: ranks[Int(arc.state)], centimetres: weight.centimetres, milliseconds: weight.milliseconds))
          ids.append(arc.id)
        }
        first.append(UInt32(arcs.count))
      }
    }

    func upwardArcs(_ graph: RemainingGraph, _ positions: [UInt32]) -> UpwardArcs {
      let parts = ids.map { id in
        guard id >= graph.originalCount else { return ArcParts(down: ArcParts.original, up: id) }
        let (down, up) = graph.parts[Int(id) - graph.originalCount]
        return ArcParts(down: positions[Int(down)], up: positions[Int(up)])
      }
      return UpwardArcs(first: Column(first), arcs: Column(arcs), parts: Column(parts))
    }
  }
}
