/// The distances of the upper states of a hierarchy to and from all of their ancestors, for queries of millions of
/// pairs.
///
///     let labels = UpperLabels(hierarchy)
///     let query = LabelQuery(labels)
///     let weight = query.weight(from: [Seed(a)], to: [Seed(b)])
///
/// An upward search visits few states in the lower part of the elimination tree and most in the upper part, which has
/// few distinct states. Therefore, the states with the most descendants have labels, within limits of 400 bytes per
/// state of the graph and 1 GB in total. Immutable: many threads may share it, each with its own query.
///
/// Source: hub labels (E. Cohen, E. Halperin, H. Kaplan, U. Zwick 2003; I. Abraham, D. Delling, A. V. Goldberg, R. F.
/// Werneck 2011) by depth in the elimination tree (D. Ouyang, L. Qin, L. Chang, X. Lin, Y. Zhang, Q. Zhu 2018),
/// truncated at the bottom. *Complexity*: 0.1 s and 70 MB for the city in Benchmarks/README.md.
public struct UpperLabels: Sendable {
  /// The hierarchy.
  public let hierarchy: Hierarchy
  /// The start of each rank's label; `none` if the rank has no label.
  let starts: Column<UInt32>
  /// The depth of each rank below the root of its tree.
  let depths: Column<UInt32>
  /// The parent of a rank without a label; labelled ranks point to themselves, which ends a climb.
  let parents: Column<UInt32>
  /// The ancestors of each labelled rank by depth, ending with the rank itself; padded to whole blocks.
  let ancestors: Column<UInt32>
  /// The distances to these ancestors, as `Weight.signed`; `infinity` in the padding.
  let outgoing: Column<Int64>
  /// The distances from these ancestors.
  let incoming: Column<Int64>

  static let none = UInt32.max
  /// The number of entries that are added and compared together.
  static let blockSize = 8

  /// The maximum size of all labels in bytes: per state of the graph, and in total.
  private static let (bytesPerState, maximumBytes) = (400, 1 << 30)
  private static let bytesPerEntry = 20

  /// Returns the maximum memory in bytes for `stateCount` states and `queries` queries, during construction and later.
  package static func memory(stateCount: Int, queries: Int) -> Int {
    min(stateCount * bytesPerState, maximumBytes) + stateCount * 24
      + queries * LabelQuery.memory(stateCount: stateCount)
  }

  /// Labels as many states as the memory limit allows.
  public init(_ hierarchy: Hierarchy) { self.init(hierarchy, minimumSize: nil) }

  /// Labels the states with at least `minimumSize` descendants, including themselves; nil for as many as the memory
  /// limit allows.
  package init(_ hierarchy: Hierarchy, minimumSize: Int?) {
    self.hierarchy = hierarchy
    let parents = hierarchy.parents
    var depths = [UInt32](repeating: 0, count: parents.count)
    var sizes = [UInt32](repeating: 1, count: parents.count)
    for rank in parents.indices where Int(parents[rank]) != rank { sizes[Int(parents[rank])] += sizes[rank] }
    for rank in parents.indices.reversed() where Int(parents[rank]) != rank {
      depths[rank] = depths[Int(parents[rank])] + 1
    }
    let minimumSize = minimumSize ?? UpperLabels.minimumSize(sizes, depths)
    var starts = [UInt32](repeating: UpperLabels.none, count: hierarchy.stateCount)
    var climbs = Array(parents)
    var count = 0
    for rank in parents.indices.reversed() where sizes[rank] >= minimumSize {
      starts[rank] = UInt32(count)
      climbs[rank] = UInt32(rank)
      count += UpperLabels.paddedCount(depths[rank])
    }
    (self.starts, self.depths, self.parents) = (Column(starts), Column(depths), Column(climbs))
    ancestors = UpperLabels.ancestors(of: parents, starts: starts, depths: depths, count: count)
    func distances(_ half: UpwardArcs) -> Column<Int64> {
      UpperLabels.distances(over: half, starts: starts, depths: depths, count: count)
    }
    (outgoing, incoming) = (distances(hierarchy.outgoing), distances(hierarchy.incoming))
  }

  /// Returns the number of entries in the label of a state at `depth`, in whole blocks.
  static func paddedCount(_ depth: UInt32) -> Int { (Int(depth) + blockSize) / blockSize * blockSize }

  /// Returns the smallest power of two such that the labels of all states with at least that many descendants fit into
  /// the memory limit.
  private static func minimumSize(_ sizes: [UInt32], _ depths: [UInt32]) -> Int {
    let entries = min(sizes.count * bytesPerState, maximumBytes) / bytesPerEntry
    var sums = [Int](repeating: 0, count: 33)
    for (size, depth) in zip(sizes, depths) {
      sums[UInt32.bitWidth - 1 - size.leadingZeroBitCount] += paddedCount(depth)
    }
    var (power, sum) = (32, 0)
    while power > 0, sum + sums[power - 1] <= entries {
      power -= 1
      sum += sums[power]
    }
    return 1 << power
  }
}
