/// A query for shortest paths between seeds on a hierarchy: searches upward from each end, then unpacks the shortcuts.
///
///     let query = PathQuery(hierarchy)
///     let weight = query.weight(from: [Seed(a)], to: [Seed(b)])
///     let path = query.path(from: [Seed(a)], to: [Seed(b)])
///
/// Holds the working memory of searches, 32 bytes per state; each thread needs its own object. The memory is reused, so
/// a query's cost depends only on the states it settles: about 5 to 15 µs on a city map, and as much again with the
/// path (Benchmarks/README.md).
///
/// Source: bidirectional upward search along the elimination tree (J. Dibbelt, B. Strasser, D. Wagner 2016).
public final class PathQuery {
  /// The hierarchy.
  public let hierarchy: Hierarchy
  private let memory: Memory
  var forward: UpwardSearch {
    get { memory.forward }
    set { memory.forward = newValue }
  }
  var backward: UpwardSearch {
    get { memory.backward }
    set { memory.backward = newValue }
  }
  var front: ClimbFront {
    get { memory.front }
    set { memory.front = newValue }
  }
  private var unpacker = PathUnpacker()
  /// The states by rank, built on first use.
  private lazy var states = hierarchy.statesByRank!

  /// A query on `hierarchy`, with working memory for one search at a time.
  public init(_ hierarchy: Hierarchy) {
    self.hierarchy = hierarchy
    memory = Memory(stateCount: hierarchy.stateCount)
  }

  /// A query on another hierarchy of the same states that shares the working memory of `other`: only one of them can
  /// be in use at a time.
  package init(_ hierarchy: Hierarchy, sharing other: PathQuery) {
    precondition(hierarchy.stateCount == other.hierarchy.stateCount, "a hierarchy of other states")
    (self.hierarchy, memory) = (hierarchy, other.memory)
  }

  deinit { unpacker.deallocate() }

  /// The searches of one query at a time.
  private final class Memory {
    var forward: UpwardSearch
    var backward: UpwardSearch
    var front = ClimbFront()

    init(stateCount: Int) {
      forward = UpwardSearch(stateCount: stateCount)
      backward = UpwardSearch(stateCount: stateCount)
    }

    deinit {
      forward.deallocate()
      backward.deallocate()
      front.deallocate()
    }
  }

  /// Returns the bytes for `stateCount` states.
  package static func memory(stateCount: Int) -> Int { 2 * UpwardSearch.memory(stateCount: stateCount) }

  /// Returns the weight of the shortest path from any of `sources` to any of `targets`, including seeds; nil if none.
  public func weight(from sources: [Seed], to targets: [Seed]) -> Weight? {
    meet(sources, targets).map { Weight(packed: $0.weight) }
  }

  /// Returns the weight of the shortest path between two states; nil if there is none.
  public func weight(from source: StateID, to target: StateID) -> Weight? {
    weight(from: [Seed(source)], to: [Seed(target)])
  }

  /// Returns the shortest path between two states; nil if there is none.
  public func path(from source: StateID, to target: StateID) -> Path? { path(from: [Seed(source)], to: [Seed(target)]) }

  /// Returns the shortest path from any of `sources` to any of `targets`; nil if there is none.
  public func path(from sources: [Seed], to targets: [Seed]) -> Path? {
    guard let meeting = meet(sources, targets) else { return nil }
    var unpacker = self.unpacker
    defer { self.unpacker = unpacker }
    unpacker.removeAll()
    let source = unpackUpward(to: meeting.rank, into: &unpacker)
    let target = unpackDownward(from: meeting.rank, into: &unpacker)
    return Path(weight: Weight(packed: meeting.weight), arcs: unpacker.result, source: source, target: target)
  }
}

// Work counters of the last query, computed from its working memory: nothing is counted during the search.

extension PathQuery {
  /// The number of states reached by the last query's two searches.
  package var reachedStates: Int { forward.touchedCount + backward.touchedCount }

  /// The number of upward arcs of the reached states. All of them are read, except at states that are too far away.
  package var reachedArcs: Int {
    [(forward, hierarchy.outgoing), (backward, hierarchy.incoming)].reduce(0) { sum, side in
      (0..<side.0.touchedCount).reduce(sum) { $0 + side.1[Rank(side.0.touched[$1])].count }
    }
  }
}

/// A candidate state for an alternate, and an upper bound on the weight of the path via it.
public struct ViaState: Hashable, Sendable {
  /// The state.
  public var state: StateID
  /// The weight of the best path via the state among those that the two searches found.
  public var weight: Weight
}

extension PathQuery {
  /// Returns the states that both upward searches reach by a path no heavier than `limit`, lightest first.
  ///
  /// The searches continue past the best meeting point and to states that no shortest path uses. Source: I. Abraham, D.
  /// Delling, A. V. Goldberg, R. F. Werneck 2013 (X-CHV without relaxation).
  public func viaStates(from sources: [Seed], to targets: [Seed], within limit: Weight) -> [ViaState] {
    explore(from: sources, to: targets, within: limit.packed)
    let (forward, backward) = (self.forward, self.backward)
    var found: [(weight: UInt64, rank: UInt32)] = []
    for index in 0..<forward.touchedCount {
      let rank = forward.touched[index]
      let weight = forward.distances[Int(rank)] &+ backward.distances[Int(rank)]
      if weight <= limit.packed { found.append((weight, rank)) }
    }
    found.sort { ($0.weight, $0.rank) < ($1.weight, $1.rank) }
    return found.map { ViaState(state: StateID(states[Int($0.rank)]), weight: Weight(packed: $0.weight)) }
  }
}
