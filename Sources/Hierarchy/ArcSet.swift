/// A set of a graph's arcs, such as those that may not be used: one bit per arc.
public struct ArcSet: Sendable {
  private let bits: [UInt64]

  /// The set of the given indices, of a graph with `arcCount` arcs.
  public init(_ arcs: some Sequence<UInt32>, arcCount: Int) {
    var bits = [UInt64](repeating: 0, count: (arcCount + 63) / 64)
    for arc in arcs { bits[Int(arc >> 6)] |= 1 << UInt64(arc & 63) }
    self.bits = bits
  }

  /// Whether `arc` is in the set. *Complexity*: O(1).
  public func contains(_ arc: ArcID) -> Bool { bits[Int(arc.index >> 6)] >> UInt64(arc.index & 63) & 1 == 1 }
}
