/// The states that a sweep must visit to compute the values of some points: all states that upward searches from the
/// points reach in one half of the hierarchy, with a copy of their arcs in which heads are positions. Arcs lead to
/// higher positions; sweeps go from the highest to the lowest.
///
/// Alternatively, all states by rank, without a copy. Source: D. Delling, A. V. Goldberg, R. F. Werneck 2011 (RPHAST).
struct Selection: Sendable {
  /// `count + 1` offsets into `arcs`.
  let first: Column<UInt32>
  /// The arcs of each state; their heads are positions.
  let arcs: Column<UpwardArc>
  /// The position of each rank, `none` if not selected; nil if position and rank are equal.
  let positions: Column<UInt32>?

  static let none = UInt32.max

  var count: Int { first.count - 1 }

  /// All states.
  init(all half: UpwardArcs) {
    first = half.first
    arcs = half.arcs
    positions = nil
  }

  init(first: Column<UInt32>, arcs: Column<UpwardArc>, positions: Column<UInt32>) {
    self.first = first
    self.arcs = arcs
    self.positions = positions
  }

  /// Returns the seeds of points as arcs to positions; a point's value is the minimum over its seeds.
  func arcs(to seeds: some Collection<Seed>, _ hierarchy: Hierarchy) -> [UpwardArc] {
    seeds.map { seed in
      let rank = hierarchy.ranks[Int(seed.state.index)]
      return UpwardArc(
        head: positions?[Int(rank)] ?? rank, centimetres: seed.weight.centimetres,
        milliseconds: seed.weight.milliseconds)
    }
  }
}
