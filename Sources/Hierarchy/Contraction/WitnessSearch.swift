/// Finds which shortcuts a state's contraction needs: those paths over it that no other path equals or beats.
///
/// One object per thread; the graph must not change meanwhile. The searches are in `WitnessSearch+Kernel.swift`.
final class WitnessSearch: @unchecked Sendable {
  let graph: RemainingGraph
  let labels: UnsafeMutablePointer<Label>
  let touched: UnsafeMutablePointer<UInt32>
  var heap = SearchHeap()
  /// The shortcuts found by `contract`, state after state.
  var shortcuts: [Shortcut] = []
  /// States settled by all searches so far.
  var settledStates = 0

  /// Per state: the distance from the tail in hand, and the weight a witness must not exceed (0: not sought).
  struct Label: BitwiseCopyable {
    var distance: UInt64
    var sought: UInt64
  }

  /// An estimate looks at fewer than twice as many incoming arcs.
  private static let sampledArcs = 16

  /// What contracting a state would do to the graph.
  struct Estimate: BitwiseCopyable {
    var addedArcs: UInt64 = 0
    var addedHops: UInt64 = 0
    var removedArcs: UInt64 = 0
    var removedHops: UInt64 = 0
  }

  init(_ graph: RemainingGraph) {
    self.graph = graph
    labels = .allocate(capacity: max(1, graph.stateCount))
    labels.initialize(
      repeating: Label(distance: Weight.infinity.packed, sought: 0), count: max(1, graph.stateCount))
    touched = .allocate(capacity: max(1, graph.stateCount))
  }

  deinit {
    labels.deallocate()
    touched.deallocate()
    heap.deallocate()
  }

  /// What contracting `state` would do, from searches that give up after `limit` settled states.
  func estimate(_ state: UInt32, limit: Int) -> Estimate {
    var estimate = Estimate()
    for arc in graph.arcs(graph.outgoing[Int(state)]) {
      estimate.removedArcs += 1
      estimate.removedHops += UInt64(graph.hops(of: arc))
    }
    for arc in graph.arcs(graph.incoming[Int(state)]) {
      estimate.removedArcs += 1
      estimate.removedHops += UInt64(graph.hops(of: arc))
    }
    // Of many incoming arcs, every n-th stands for n: the cost grows with the square of the degree, not with its cube.
    let step = max(1, Int(graph.incoming[Int(state)].count) / WitnessSearch.sampledArcs)
    search(around: state, limit: limit, step: step) { incoming, outgoing in
      estimate.addedArcs += UInt64(step)
      estimate.addedHops += UInt64(step) * (UInt64(graph.hops(of: incoming)) + UInt64(graph.hops(of: outgoing)))
    }
    return estimate
  }

  /// Appends to `shortcuts` what contracting `state` needs.
  func contract(_ state: UInt32, limit: Int) {
    search(around: state, limit: limit, step: 1) { incoming, outgoing in
      shortcuts.append(
        Shortcut(
          tail: incoming.state, head: outgoing.state, weight: incoming.weight &+ outgoing.weight,
          down: incoming.id, up: outgoing.id))
    }
  }
}
