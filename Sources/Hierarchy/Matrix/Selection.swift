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

  init(all half: UpwardArcs) {
    first = half.first
    arcs = half.arcs
    positions = nil
  }
}

/// The points on the swept side: their seeds as arcs to positions of the selection. A point's value is the minimum over
/// its seeds.
struct SweptPoints: Sendable {
  let first: Column<UInt32>
  let arcs: Column<UpwardArc>
  var count: Int { first.count - 1 }

  /// Takes the seeds of `points`, a range of the table's points.
  init(_ table: SeedTable, _ points: Range<Int>, in selection: Selection, of hierarchy: Hierarchy) {
    let start = table.first[points.lowerBound]
    first = Column(table.first[points.lowerBound...points.upperBound].map { $0 - start })
    arcs = Column(
      table.seeds[Int(start)..<Int(table.first[points.upperBound])].map { seed in
        let rank = hierarchy.ranks[Int(seed.state.index)]
        return UpwardArc(
          head: selection.positions?[Int(rank)] ?? rank, centimetres: seed.weight.centimetres,
          milliseconds: seed.weight.milliseconds)
      })
  }
}

/// The seeds of many points: the starts of searches for each source of a matrix, or the ends for each target.
///
/// A point may have several seeds (trips from an address along a street may start in both directions), or none (if it
/// is too far from any street).
public struct SeedTable: Sendable {
  /// `count + 1` offsets into `seeds`.
  public let first: [UInt32]
  /// The seeds of all points, point by point.
  public let seeds: [Seed]

  /// The number of points.
  public var count: Int { first.count - 1 }

  /// Creates `count` points; `seeds` is called with the index of each.
  public init(count: Int, _ seeds: (_ point: Int) -> [Seed]) {
    var (first, all): ([UInt32], [Seed]) = ([0], [])
    first.reserveCapacity(count + 1)
    all.reserveCapacity(count * 2)
    for point in 0..<count {
      all += seeds(point)
      first.append(UInt32(all.count))
    }
    (self.first, self.seeds) = (first, all)
  }

  /// Creates `count` points with several threads; the table is the same as with one.
  package init(count: Int, workers: Int, _ seeds: @Sendable (_ point: Int) -> [Seed]) {
    let parts = inParallel((0..<count).batches(of: 4096), workers: workers) { range in
      SeedTable(count: range.count) { seeds(range.lowerBound + $0) }
    }
    var (first, all): ([UInt32], [Seed]) = ([0], [])
    first.reserveCapacity(count + 1)
    all.reserveCapacity(parts.reduce(0) { $0 + $1.seeds.count })
    for part in parts {
      first += part.first.dropFirst().map { UInt32(all.count) + $0 }
      all += part.seeds
    }
    (self.first, self.seeds) = (first, all)
  }

  /// One point per list of seeds.
  public init(_ points: [[Seed]]) { self.init(count: points.count) { points[$0] } }

  /// One point per state, with a seed of zero weight.
  public init(states: [StateID]) {
    seeds = states.map { Seed($0) }
    first = (0...states.count).map { UInt32($0) }
  }

  /// The seeds of a point.
  public subscript(point: Int) -> ArraySlice<Seed> { seeds[Int(first[point])..<Int(first[point + 1])] }
}
