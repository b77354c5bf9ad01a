/// A query for the weights of the shortest paths from a point to all states.
///
///     let query = OneToAllQuery(hierarchy)
///     query.weights(from: SeedTable(states: squares)) { point, weights in … }
///
/// Sweeps the hierarchy for sixteen points at once. Each thread needs its own object, which takes 128 bytes per state.
///
/// Source: PHAST in lanes (D. Delling, A. V. Goldberg, A. Nowatzyk, R. F. Werneck 2013). *Complexity*: O(arcs) per
/// sixteen points.
public final class OneToAllQuery {
  private let hierarchy: Hierarchy
  private let sweep: LaneSweep<WeightLanes16>

  /// A query on `hierarchy`.
  public init(_ hierarchy: Hierarchy) {
    self.hierarchy = hierarchy
    sweep = LaneSweep(upward: hierarchy.outgoing, over: hierarchy, sweeping: Selection(all: hierarchy.incoming))
  }

  /// Calls `body` with each point's index and the weights of the paths from it to all states, in order; `infinity` if
  /// unreachable.
  public func weights(from points: SeedTable, _ body: (_ point: Int, _ weights: [Weight]) throws -> Void) rethrows {
    for block in Array(0..<points.count).batches(of: WeightLanes16.count) {
      sweep.sweep(from: block, of: points)
      for (lane, point) in block.enumerated() {
        try body(point, hierarchy.ranks.map { sweep.weight(position: Int($0), lane: lane) })
      }
    }
  }
}
