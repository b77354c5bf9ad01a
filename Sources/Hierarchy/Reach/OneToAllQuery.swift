/// The weights of the ways from a place to all states.
///
///     let query = OneToAllQuery(hierarchy)
///     query.weights(from: SeedTable(states: squares)) { point, weights in … }
///
/// Swept over the hierarchy, sixteen places at once. One object a thread.
public final class OneToAllQuery {
  private let hierarchy: Hierarchy
  private let sweep: LaneSweep<WeightLanes16>

  public init(_ hierarchy: Hierarchy) {
    self.hierarchy = hierarchy
    sweep = LaneSweep(
      climbing: hierarchy.outgoing, over: hierarchy, sweeping: Selection(all: hierarchy.incoming))
  }

  /// Calls `body` with each point's number and the weights of the ways from it to all states, in their order;
  /// `infinity` where there is no way.
  ///
  /// PHAST in lanes (D. Delling, A. V. Goldberg, A. Nowatzyk, R. F. Werneck 2013).
  public func weights(from points: SeedTable, _ body: (_ point: Int, _ weights: [Weight]) throws -> Void) rethrows {
    for start in stride(from: 0, to: points.count, by: WeightLanes16.count) {
      let block = Array(start..<min(start + WeightLanes16.count, points.count))
      sweep.sweep(from: block[...], of: points)
      for (lane, point) in block.enumerated() {
        try body(point, hierarchy.ranks.map { sweep.weight(position: Int($0), lane: lane) })
      }
    }
  }
}
