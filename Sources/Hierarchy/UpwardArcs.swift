/// One searchable half of a hierarchy: for every rank, the arcs to (or from) higher ranks.
///
/// The arcs of rank `r` are `first[r] ..< first[r + 1]`. The hot column takes 12 bytes per arc; the parts, needed only
/// to unpack a path, are in a separate, cold column.
public struct UpwardArcs: Sendable {
  /// `stateCount + 1` offsets into `arcs`, ascending.
  public let first: Column<UInt32>
  /// The arcs, sorted by the rank of their lower end.
  public let arcs: Column<UpwardArc>
  /// The parts of each arc.
  public let parts: Column<ArcParts>

  package init(first: Column<UInt32>, arcs: Column<UpwardArc>, parts: Column<ArcParts>) {
    precondition(arcs.count == parts.count, "columns of different hierarchies")
    self.first = first
    self.arcs = arcs
    self.parts = parts
  }

  /// The indices of the arcs of `rank`.
  public subscript(rank: Rank) -> Range<Int> { Int(first[Int(rank.index)])..<Int(first[Int(rank.index) + 1]) }
}

/// An arc to a higher rank (`outgoing`) or from one (`incoming`).
public struct UpwardArc: Hashable, Sendable, BitwiseCopyable {
  /// The rank at the upper end.
  public var head: UInt32
  /// The length of the path it stands for.
  public var centimetres: UInt32
  /// The time of the path it stands for.
  public var milliseconds: UInt32

  @inline(__always)
  var packed: UInt64 { UInt64(milliseconds) << 32 | UInt64(centimetres) }

  /// The time and length of the path it stands for.
  public var weight: Weight { Weight(packed: packed) }
}

/// The parts of an upward arc: an arc of the graph, or two arcs via a lower rank.
public struct ArcParts: Hashable, Sendable, BitwiseCopyable {
  /// The index in `incoming` of the part that leads down; `original` for an arc of the graph.
  public var down: UInt32
  /// The index in `outgoing` of the part that leads up; the `ArcID` for an arc of the graph.
  public var up: UInt32

  /// Marks an arc of the graph.
  public static let original = UInt32.max
  /// Whether it is an arc of the graph rather than a shortcut.
  public var isOriginal: Bool { down == ArcParts.original }
}
