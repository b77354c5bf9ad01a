/// A state: what a search settles. A junction for those on foot; the end of a street for those who pay for turns.
public struct StateID: Hashable, Comparable, Sendable, BitwiseCopyable {
  public let index: UInt32
  public init(_ index: UInt32) { self.index = index }
  public init(_ index: Int) { self.index = UInt32(index) }
  public static func < (a: StateID, b: StateID) -> Bool { a.index < b.index }
}

/// An arc of an `ArcGraph`, by its place there.
public struct ArcID: Hashable, Comparable, Sendable, BitwiseCopyable {
  public let index: UInt32
  public init(_ index: UInt32) { self.index = index }
  public init(_ index: Int) { self.index = UInt32(index) }
  public static func < (a: ArcID, b: ArcID) -> Bool { a.index < b.index }
}

/// A state's place in the contraction order, 0 the least important. Never mixed with `StateID`.
public struct Rank: Hashable, Comparable, Sendable, BitwiseCopyable {
  public let index: UInt32
  public init(_ index: UInt32) { self.index = index }
  public static func < (a: Rank, b: Rank) -> Bool { a.index < b.index }
}

/// A place where a search starts or ends: a state, and what it costs to get from the origin to it
/// (or from it to the destination).
public struct Seed: Hashable, Sendable, BitwiseCopyable {
  public var state: StateID
  public var weight: Weight
  public init(_ state: StateID, _ weight: Weight = .zero) {
    self.state = state
    self.weight = weight
  }
}

/// A shortest way: its whole weight, seeds included, its arcs in order, and which seeds it joins.
public struct Path: Hashable, Sendable {
  public var weight: Weight
  public var arcs: [ArcID]
  /// Indices into the seeds the question was asked with.
  public var source: Int
  public var target: Int

  package init(weight: Weight, arcs: [ArcID], source: Int, target: Int) {
    self.weight = weight
    self.arcs = arcs
    self.source = source
    self.target = target
  }
}
