/// A directed graph as plain data: the arcs from state `s` are `firstArc[s] ..< firstArc[s + 1]`, each with its head
/// and weight.
///
///     let graph = ArcGraph(stateCount: 3, arcs: [
///       .init(from: StateID(0), to: StateID(1), weight: Weight(milliseconds: 5_000, centimetres: 700)),
///       …])
///
/// Parallel arcs and loops are allowed. The weight of every arc is more than zero, and at most `Weight.arcTimeLimit`
/// and `Weight.arcLimit`.
public struct ArcGraph: Sendable {
  /// `stateCount + 1` offsets, ascending.
  public let firstArc: Column<UInt32>
  /// The head of each arc: the index of a state.
  public let heads: Column<UInt32>
  /// The weight of each arc.
  public let weights: Column<Weight>

  /// The number of states.
  public var stateCount: Int { firstArc.count - 1 }
  /// The number of arcs.
  public var arcCount: Int { heads.count }

  /// An arc from its `tail` to its `head`.
  public struct Arc: Hashable, Sendable {
    /// The state at which the arc starts.
    public var tail: StateID
    /// The state at which the arc ends.
    public var head: StateID
    /// The arc's weight: more than zero, at most `Weight.arcTimeLimit` and `Weight.arcLimit`.
    public var weight: Weight
    /// An arc from `tail` to `head`.
    public init(from tail: StateID, to head: StateID, weight: Weight) {
      self.tail = tail
      self.head = head
      self.weight = weight
    }
  }

  /// Sorts `arcs` by tail, and keeps the order of arcs with the same tail; an `ArcID` is an index in the sorted order.
  /// *Complexity*: O(states + arcs).
  public init(stateCount: Int, arcs: [Arc]) {
    for arc in arcs {
      precondition(arc.tail.index < stateCount && arc.head.index < stateCount, "an arc's tail or head is not a state")
    }
    let byTail = Grouped<UInt32>(stateCount) { add in
      for (index, arc) in arcs.enumerated() { add(arc.tail.index, UInt32(index)) }
    }
    self.init(
      firstArc: Column(byTail.first), heads: Column(byTail.values.map { arcs[Int($0)].head.index }),
      weights: Column(byTail.values.map { arcs[Int($0)].weight }))
  }

  /// Wraps existing columns without copying them.
  public init(firstArc: Column<UInt32>, heads: Column<UInt32>, weights: Column<Weight>) {
    precondition(firstArc.count > 0 && heads.count == weights.count, "columns of different graphs")
    precondition(Int(firstArc[firstArc.count - 1]) == heads.count, "the last offset is not the number of arcs")
    for weight in weights {
      precondition(
        weight > .zero && weight.milliseconds <= Weight.arcTimeLimit && weight.centimetres <= Weight.arcLimit,
        "an arc's weight is out of range")
    }
    self.firstArc = firstArc
    self.heads = heads
    self.weights = weights
  }

  /// Returns the graph without the arcs in `closed`. The remaining arcs get new IDs.
  package func without(_ closed: ArcSet) -> ArcGraph {
    let arcs = (0..<stateCount).flatMap { state in
      self.arcs(from: StateID(state)).lazy.map { ArcID($0) }.filter { !closed.contains($0) }.map { arc in
        Arc(from: StateID(state), to: self.head(of: arc), weight: self.weight(of: arc))
      }
    }
    return ArcGraph(stateCount: stateCount, arcs: arcs)
  }

  /// Returns the graph with all arcs reversed.
  package func reversed() -> ArcGraph {
    let reversed = ReversedArcs(self)
    return ArcGraph(
      firstArc: reversed.first, heads: Column(reversed.arcs.map(\.tail)),
      weights: Column(reversed.arcs.map { weights[Int($0.index)] }))
  }

  /// Returns the indices of the arcs from `state`.
  public func arcs(from state: StateID) -> Range<Int> {
    Int(firstArc[Int(state.index)])..<Int(firstArc[Int(state.index) + 1])
  }

  /// Returns the head of an arc.
  public func head(of arc: ArcID) -> StateID { StateID(heads[Int(arc.index)]) }
  /// Returns the weight of an arc.
  public func weight(of arc: ArcID) -> Weight { weights[Int(arc.index)] }
}

/// A set of a graph's arcs, such as closed ones: one bit per arc.
public struct ArcSet: Sendable {
  private let bits: [UInt64]

  /// A set of the arcs with the given indices in a graph with `arcCount` arcs.
  public init(_ arcs: some Sequence<UInt32>, arcCount: Int) {
    var bits = [UInt64](repeating: 0, count: (arcCount + 63) / 64)
    for arc in arcs { bits[Int(arc >> 6)] |= 1 << UInt64(arc & 63) }
    self.bits = bits
  }

  /// Returns whether `arc` is in the set. *Complexity*: O(1).
  public func contains(_ arc: ArcID) -> Bool { bits[Int(arc.index >> 6)] >> UInt64(arc.index & 63) & 1 == 1 }
}
