/// The ID of a state, a node that searches settle: its index in an `ArcGraph`.
///
/// A state is a junction for pedestrians, or the end of a street if turns have costs.
public struct StateID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The index, from 0.
  public let index: UInt32
  /// Creates the ID with this index.
  public init(_ index: UInt32) { self.index = index }
  /// Creates the ID with this index, which must fit into 32 bits.
  public init(_ index: Int) { self.index = UInt32(index) }
  /// Whether `a` has the smaller index.
  public static func < (a: StateID, b: StateID) -> Bool { a.index < b.index }
}

/// The ID of an arc: its index among the arcs of an `ArcGraph`, sorted by tail.
public struct ArcID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The index, from 0.
  public let index: UInt32
  /// Creates the ID with this index.
  public init(_ index: UInt32) { self.index = index }
  /// Creates the ID with this index, which must fit into 32 bits.
  public init(_ index: Int) { self.index = UInt32(index) }
  /// Whether `a` has the smaller index.
  public static func < (a: ArcID, b: ArcID) -> Bool { a.index < b.index }
}

/// A state's position in the order of the hierarchy; 0 is the least important. Never mixed with `StateID`.
public struct Rank: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The index, from 0.
  public let index: UInt32
  /// Creates the rank with this index.
  public init(_ index: UInt32) { self.index = index }
  /// Whether `a` has the smaller index.
  public static func < (a: Rank, b: Rank) -> Bool { a.index < b.index }
}

/// The start or end of a search: a state, and the cost from the origin to the state or from the state to the
/// destination.
public struct Seed: Hashable, Sendable, BitwiseCopyable {
  /// The state.
  public var state: StateID
  /// The cost from the origin to the state, or from the state to the destination.
  public var weight: Weight
  /// Creates a seed at `state`; by default without a cost.
  public init(_ state: StateID, _ weight: Weight = .zero) {
    self.state = state
    self.weight = weight
  }
}

/// A shortest path: its weight, its arcs, and the seeds that it connects.
public struct Path: Hashable, Sendable {
  /// The sum of the weights of its arcs and both seeds.
  public var weight: Weight
  /// Its arcs in order; empty if source and target are the same state.
  public var arcs: [ArcID]
  /// The index of its source seed.
  public var source: Int
  /// The index of its target seed.
  public var target: Int

  package init(weight: Weight, arcs: [ArcID], source: Int, target: Int) {
    self.weight = weight
    self.arcs = arcs
    self.source = source
    self.target = target
  }
}
