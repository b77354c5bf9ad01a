/// The nearest few of some targets, for every state at once.
///
///     let table = NearestTable(hierarchy, to: SeedTable(states: stations), count: 3)
///     for found in table.nearest(from: [Seed(home)]) { print(found.target, found.weight) }
///
/// One sweep up from the targets and one down over all states, whatever the number of targets; then every origin reads
/// its answer. Nearness is time, then length, then the target's number: the same targets in the same order as all pairs
/// sorted. 12 bytes a state and target kept. Immutable, safe to share between threads.
///
/// *Complexity*: O(count · arcs) to build; tens of nanoseconds a state.
public struct NearestTable: Sendable {
  public let hierarchy: Hierarchy
  /// The most targets an answer has.
  public let count: Int
  /// The longest time that is looked for, in milliseconds.
  public let limit: UInt32
  private let entries: NearestEntries
  private let groups: Column<UInt32>

  /// A target and the weight of the way to it.
  public struct Found: Hashable, Sendable, Comparable {
    public var weight: Weight
    /// Its number in the table that was asked about.
    public var target: Int
    public init(weight: Weight, target: Int) {
      self.weight = weight
      self.target = target
    }
    public static func < (a: Found, b: Found) -> Bool { (a.weight, a.target) < (b.weight, b.target) }
  }

  /// Which way trips go.
  public enum Direction: Sendable { case toTargets, fromTargets }

  /// - Parameters:
  ///   - groups: The group of each target, where targets belong together (doors of a station): an answer has at most one
  ///     of each group, the nearest. Nil: each target is a group.
  ///   - count: How many targets to find, at least 1.
  ///   - limit: The longest time to look for, in milliseconds.
  public init(
    _ hierarchy: Hierarchy, _ direction: Direction = .toTargets, to targets: SeedTable,
    groups: [UInt32]? = nil, count: Int, within limit: UInt32 = Weight.infinity.milliseconds - 1
  ) {
    precondition(count > 0, "the nearest none")
    precondition(groups == nil || groups!.count == targets.count, "groups of other targets")
    self.hierarchy = hierarchy
    self.count = count
    self.limit = limit
    let (climbing, descending) =
      direction == .toTargets ? (hierarchy.incoming, hierarchy.outgoing) : (hierarchy.outgoing, hierarchy.incoming)
    self.groups = groups.map { Column($0) } ?? Column(0..<UInt32(targets.count))
    entries = NearestEntries(stateCount: hierarchy.stateCount, count: count, limit: limit, groups: self.groups)
    entries.fill(from: targets, ranks: hierarchy.ranks, climbing: climbing, descending: descending)
  }

  /// The nearest target of a state that comes at `place`, from 0; nil where there are not so many.
  public func found(at state: StateID, place: Int) -> Found? {
    precondition(place >= 0 && place < count, "the table has no such place")
    return entries.found(rank: hierarchy.ranks[Int(state.index)], place: place)
  }

  /// The nearest targets of a place with these seeds (its sources, or with `fromTargets` its targets), nearest first: at
  /// most `count`, each within `limit`.
  ///
  /// - Parameter others: Ways that the states do not know, such as along one street.
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
