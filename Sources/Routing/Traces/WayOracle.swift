import Hierarchy
import StreetNetwork

/// A search for ways between candidates by the textbook algorithm (E. W. Dijkstra 1959): a separate search from each
/// source, without a goal or a beam, comparing every target with every source. The oracle for `StepSearch`.
final class WayOracle: WaySearch {
  private let network: StreetNetwork

  init(_ network: StreetNetwork) { self.network = network }

  func labels(
    of candidates: inout [Candidate], _ observation: Observation, after lattice: inout Lattice, _ cost: StepCost
  ) -> [Lattice.Label]? {
    let layer = lattice.layers[lattice.layers.count - 1].range
    let sources = layer.map { (lattice.candidates[$0], lattice.labels[$0]) }
    let minimumScore = sources.map(\.1.score).min()!
    var labels = candidates.map { Lattice.Label(centimetres: $0.centimetres) }
    func offer(_ target: Int, _ label: Lattice.Label) -> Bool {
      guard label.score < labels[target].score, label.score <= cost.limit else { return false }
      labels[target] = label
      return true
    }
    for (source, (from, known)) in sources.enumerated() where known.isReachable {
      for (target, to) in candidates.enumerated() {
        for (way, wayCost, at) in direct(from, known.centimetres, to, cost) {
          let score = known.score - minimumScore + wayCost
          _ = offer(target, .init(score: score, centimetres: at, from: Int32(source), way: way))
        }
      }
    }
    for (source, (from, known)) in sources.enumerated() where known.isReachable {
      let tree = Tree(network, seeds(from, known.centimetres, cost), known.score - minimumScore, cost)
      for (target, to) in candidates.enumerated() {
        guard let (score, arcs, isTurned) = tree.way(to: to) else { continue }
        var label = Lattice.Label(score: score, centimetres: to.centimetres, from: Int32(source))
        label.way = isTurned ? .turnedThrough : .through
        (label.firstArc, label.arcCount) = (UInt32(lattice.arcs.count), UInt32(arcs.count))
        if offer(target, label) { lattice.arcs += arcs }
      }
    }
    let reachable = labels.indices.filter { labels[$0].isReachable }
    guard let best = reachable.map({ labels[$0].score + candidates[$0].emission }).min() else { return nil }
    for target in reachable {
      let score = labels[target].score + candidates[target].emission
      labels[target].score = score <= best + StepCost.beam ? score + minimumScore : Lattice.Label.unreachable
    }
    return labels
  }

  /// Returns the ways within a street: the kind, the cost and the end of each.
  private func direct(
    _ from: Candidate, _ at: UInt32, _ to: Candidate, _ cost: StepCost
  ) -> [(Lattice.Way, UInt64, UInt32)] {
    func forward(_ candidate: Candidate, _ start: UInt32, _ end: UInt32) -> UInt64 {
      cost.of(end - start, candidate.milliseconds(upTo: end) - candidate.milliseconds(upTo: start))
    }
    if to.street == from.street {
      if at <= to.centimetres { return [(.along, forward(from, at, to.centimetres), to.centimetres)] }
      let back = at - to.centimetres
      return back <= cost.tolerance ? [(.along, cost.staying(back), at)] : []
    }
    guard to.street == from.street.opposite else { return [] }
    let turn = to.length - to.centimetres
    let way = turn >= at ? forward(from, at, turn) : forward(to, to.length - at, to.centimetres)
    return [(.turned, cost.uTurn + way, to.centimetres)]
  }

  /// Returns the starts of ways through junctions, each with its cost and whether the way turns around first.
  private func seeds(_ from: Candidate, _ at: UInt32, _ cost: StepCost) -> [(
    state: UInt32, key: UInt64, isTurned: Bool
  )] {
    var seeds: [(UInt32, UInt64, Bool)] = []
    if let state = network.states.start(of: from.street) {
      seeds.append((state, cost.of(from.length - at, from.milliseconds - from.milliseconds(upTo: at)), false))
    }
    let opposite = from.street.opposite
    let street = network.street(from.street.street)
    if street.isOpen(isReversed: opposite.isReversed), let state = network.states.start(of: opposite) {
      var back = from
      back.milliseconds = street.milliseconds(isReversed: opposite.isReversed)
      let way = cost.of(at, back.milliseconds - back.milliseconds(upTo: back.length - at))
      seeds.append((state, cost.uTurn + way, true))
    }
    return seeds
  }

  /// The tree of the cheapest ways from some seeds, up to the cost limit.
  private struct Tree {
    private let network: StreetNetwork
    private let cost: StepCost
    private var keys: [UInt32: UInt64] = [:]
    /// The last arc to each state, and the arc's tail; none at a seed.
    private var parents: [UInt32: (arc: UInt32, tail: UInt32)] = [:]
    private var turned: Set<UInt32> = []

    init(
      _ network: StreetNetwork, _ seeds: [(state: UInt32, key: UInt64, isTurned: Bool)], _ offset: UInt64,
      _ cost: StepCost
    ) {
      (self.network, self.cost) = (network, cost)
      var heap = SearchHeap()
      defer { heap.deallocate() }
      for seed in seeds where offset + seed.key < keys[seed.state] ?? .max {
        keys[seed.state] = offset + seed.key
        if seed.isTurned { turned.insert(seed.state) } else { turned.remove(seed.state) }
        heap.push(key: offset + seed.key, state: seed.state)
      }
      while let (key, state) = heap.popMin(), key <= cost.limit {
        guard key == keys[state] else { continue }
        for arc in network.states.arcs.arcs(from: StateID(state)) {
          let weight = network.states.arcs.weights[arc]
          let head = network.states.arcs.heads[arc]
          let sum = key + cost.of(weight.centimetres, weight.milliseconds)
          guard sum < keys[head] ?? .max else { continue }
          keys[head] = sum
          parents[head] = (UInt32(arc), state)
          heap.push(key: sum, state: head)
        }
      }
    }

    /// Returns the cheapest way to a candidate through the start of its street, including the turn into the street and
    /// the part before the candidate; nil if there is none within the cost limit.
    func way(to target: Candidate) -> (score: UInt64, arcs: [UInt32], isTurned: Bool)? {
      let street = network.street(target.street.street)
      let junction = Int(target.street.isReversed ? street.head : street.tail)
      let states = network.states
      var best: (score: UInt64, state: UInt32, arc: UInt32)?
      for state in states.junctions[junction].first..<states.junctions[junction + 1].first {
        guard let key = keys[state], key <= cost.limit else { continue }
        for arc in states.arcs.arcs(from: StateID(state)) where states.streets[arc] == target.street {
          let turn = states.arcs.weights[arc].milliseconds - target.milliseconds
          let score = key + cost.of(target.centimetres, turn + target.milliseconds(upTo: target.centimetres))
          if score < best?.score ?? .max { best = (score, state, UInt32(arc)) }
        }
      }
      guard let best else { return nil }
      var arcs = [best.arc]
      var state = best.state
      while let parent = parents[state] {
        arcs.append(parent.arc)
        state = parent.tail
      }
      return (best.score, arcs, turned.contains(state))
    }
  }
}

/// A search for the best ways between the candidates of two observations: `StepSearch`, or the textbook algorithm for
/// comparison.
protocol WaySearch: AnyObject {
  /// Returns the labels of the candidates of `observation`, reached from the lattice's last layer; nil if none is
  /// reached. Appends the arcs of ways to the lattice.
  ///
  /// A candidate beyond the beam or above the limit is unreachable; nothing else depends on how far a search goes.
  func labels(
    of candidates: inout [Candidate], _ observation: Observation, after lattice: inout Lattice, _ cost: StepCost
  ) -> [Lattice.Label]?
}
