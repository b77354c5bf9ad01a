/// The nearest targets of every state, computed for all states at once.
///
///     let table = NearestTable(hierarchy, to: SeedTable(states: stations), count: 3)
///     for found in table.nearest(from: [Seed(home)]) { print(found.target, found.weight) }
///
/// Takes one sweep up from the targets and one down over all states, regardless of the number of targets; a query then
/// only looks up the entries of its seeds. Targets are ordered by time, then length, then index: the same targets in
/// the same order as if all pairs were sorted. Takes 12 bytes per state and entry. Immutable, safe to share between
/// threads.
///
/// Each state keeps its k best entries, merged along the arcs of the hierarchy as PHAST sweeps distances (D. Delling,
/// A. V. Goldberg, A. Nowatzyk, R. F. Werneck 2013). *Complexity*: O(count · arcs) to build, tens of nanoseconds per
/// state.
public struct NearestTable: Sendable {
  /// The hierarchy.
  public let hierarchy: Hierarchy
  /// The maximum number of targets per state or point.
  public let count: Int
  /// The maximum time of a path, in milliseconds.
  public let limit: UInt32
  private let entries: NearestEntries
  private let groups: Column<UInt32>

  /// A target and the weight of the path to it.
  public struct Found: Hashable, Sendable, Comparable {
    /// The weight of the path, seeds included.
    public var weight: Weight
    /// The target's index in the seed table.
    public var target: Int
    /// A target at this weight.
    public init(weight: Weight, target: Int) {
      self.weight = weight
      self.target = target
    }
    /// Whether `a` is nearer: by time, then length, then index.
    public static func < (a: Found, b: Found) -> Bool { (a.weight, a.target) < (b.weight, b.target) }
  }

  /// Whether paths lead to the targets or from them.
  public enum Direction: Sendable {
    /// From a state to its nearest targets.
    case toTargets
    /// To a state from its nearest targets.
    case fromTargets
  }

  /// Sweeps `hierarchy` once for all states.
  ///
  /// - Parameters:
  ///   - hierarchy: The hierarchy to sweep.
  ///   - direction: Whether paths lead to the targets or from them.
  ///   - targets: The ends of the paths or, with `fromTargets`, their starts.
  ///   - groups: The group of each target, if some targets belong together (entrances of a station): only the nearest
  ///     of each group is found. If nil, each target forms its own group.
  ///   - count: The number of targets to find, at least 1.
  ///   - limit: The maximum time of a path, in milliseconds.
  public init(
    _ hierarchy: Hierarchy, _ direction: Direction = .toTargets, to targets: SeedTable,
    groups: [UInt32]? = nil, count: Int, within limit: UInt32 = Weight.infinity.milliseconds - 1
  ) {
    precondition(count > 0, "count must be at least 1")
    precondition(groups == nil || groups!.count == targets.count, "there must be one group per target")
    self.hierarchy = hierarchy
    self.count = count
    self.limit = limit
    let (upward, downward) =
      direction == .toTargets ? (hierarchy.incoming, hierarchy.outgoing) : (hierarchy.outgoing, hierarchy.incoming)
    self.groups = groups.map { Column($0) } ?? Column(0..<UInt32(targets.count))
    entries = NearestEntries(stateCount: hierarchy.stateCount, count: count, limit: limit, groups: self.groups)
    entries.fill(from: targets, ranks: hierarchy.ranks, upward: upward, downward: downward)
  }

  /// Returns the nearest target of a state (`index` 0), the second nearest (1) and so on; nil if there are fewer.
  ///
  /// *Complexity*: O(1).
  public func nearest(to state: StateID, index: Int) -> Found? {
    precondition(index >= 0 && index < count, "index out of range")
    return entries.found(rank: hierarchy.ranks[Int(state.index)], index: index)
  }

  /// Returns the nearest targets of a point with the given seeds (the starts of its paths or, with `fromTargets`, their
  /// ends), nearest first: at most `count`, each within `limit`. *Complexity*: O(seeds · count).
  ///
  /// - Parameters:
  ///   - seeds: The starts of the paths, or their ends.
  ///   - others: Targets with paths that are not in the graph, such as within a single arc.
  public func nearest(from seeds: [Seed], or others: [Found] = []) -> [Found] {
    var found = others
    for seed in seeds { entries.append(to: &found, rank: hierarchy.ranks[Int(seed.state.index)], seed.weight) }
    found.sort()
    var nearest: [Found] = []
    for candidate in found where candidate.weight.milliseconds <= limit {
      guard nearest.count < count else { break }
      let group = groups[candidate.target]
      if !nearest.contains(where: { groups[$0.target] == group }) { nearest.append(candidate) }
    }
    return nearest
  }
}
