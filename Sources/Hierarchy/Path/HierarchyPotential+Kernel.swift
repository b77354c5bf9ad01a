// One upward search from the far end; then, for each requested state, the minimum over its upward arcs, computed once
// per state. 8 bytes per rank.

/// A lower bound on the time from any state to the far end of a trip: the distance in a hierarchy with weights that are
/// at most the weights of the search.
///
/// Source: B. Strasser, T. Zeitz 2021 (CH potentials).
struct HierarchyPotential {
  private let count: Int
  /// By rank: the distance from the far end over upward arcs only, and the distance over all arcs; `unknown` until
  /// requested.
  private let climbed: UnsafeMutablePointer<UInt32>
  private let bounds: UnsafeMutablePointer<UInt32>
  /// Ranks to clear before the next search, added when a climb reaches them and when their bounds are requested. Not an
  /// array, which would be copied when a search works on a local copy of the potential.
  private var touched: UnsafeMutablePointer<UInt32>
  private var touchedCount = 0
  private var touchedCapacity = 1024
  private var waiting: RankSet
  private var ranks: UnsafePointer<UInt32>?
  private var first: UnsafePointer<UInt32>?
  private var arcs: UnsafePointer<UpwardArc>?
  private var slack: UInt32 = 0
  private var ends: [(state: StateID, time: UInt32)] = []
  private var isBackward = false
  /// The owner of the pointers' memory.
  private var hierarchy: Hierarchy?

  /// The bound of a state without a path.
  static let unreachable = Weight.infinity.milliseconds
  private static let unknown = UInt32.max

  init(stateCount: Int) {
    count = max(1, stateCount)
    (climbed, bounds) = (.allocate(capacity: count), .allocate(capacity: count))
    climbed.initialize(repeating: HierarchyPotential.unreachable, count: count)
    bounds.initialize(repeating: HierarchyPotential.unknown, count: count)
    touched = .allocate(capacity: touchedCapacity)
    waiting = RankSet(rankCount: stateCount)
  }

  /// Returns the bytes for `stateCount` states.
  static func memory(stateCount: Int) -> Int { stateCount * 2 * MemoryLayout<UInt32>.stride }

  func deallocate() {
    touched.deallocate()
    climbed.deallocate()
    bounds.deallocate()
    waiting.deallocate()
  }

  /// Sets the far ends. A bound is the distance to the nearest of `ends` (or from it, if `isBackward`), including the
  /// milliseconds of that end, minus `slack`.
  mutating func start(
    _ ends: [(state: StateID, time: UInt32)], _ hierarchy: Hierarchy, isBackward: Bool = false, slack: UInt32 = 0
  ) {
    // Consecutive searches for a trip's alternates have the same ends.
    let isKnown =
      isBackward == self.isBackward && slack == self.slack && self.hierarchy?.ranks.base == hierarchy.ranks.base
      && self.hierarchy?.outgoing.arcs.base == hierarchy.outgoing.arcs.base && ends.elementsEqual(self.ends, by: ==)
    guard !isKnown else { return }
    (self.slack, self.ends, self.isBackward) = (slack, ends, isBackward)
    for index in 0..<touchedCount {
      climbed[Int(touched[index])] = HierarchyPotential.unreachable
      bounds[Int(touched[index])] = HierarchyPotential.unknown
    }
    touchedCount = 0
    self.hierarchy = hierarchy
    ranks = hierarchy.ranks.base
    let (near, far) = isBackward ? (hierarchy.incoming, hierarchy.outgoing) : (hierarchy.outgoing, hierarchy.incoming)
    (first, arcs) = (near.first.base, near.arcs.base)
    waiting.restart()
    for end in ends { climb(to: hierarchy.ranks[Int(end.state.index)], end.time) }
    let (farFirst, farArcs) = (far.first.base, far.arcs.base)
    while let rank = waiting.popMin() {
      let time = climbed[Int(rank)]
      for index in Int(farFirst[Int(rank)])..<Int(farFirst[Int(rank) + 1]) {
        climb(to: farArcs[index].head, time &+ farArcs[index].milliseconds)
      }
    }
  }

  @inline(__always)
  private mutating func touch(_ rank: UInt32) {
    if touchedCount == touchedCapacity { touched.grow(count: touchedCount, capacity: &touchedCapacity) }
    touched[touchedCount] = rank
    touchedCount &+= 1
  }

  private mutating func climb(to rank: UInt32, _ time: UInt32) {
    guard time < climbed[Int(rank)] else { return }
    if climbed[Int(rank)] == HierarchyPotential.unreachable {
      touch(rank)
      waiting.insert(rank)
    }
    climbed[Int(rank)] = time
  }

  /// Returns the bound of a state; `unreachable` if there is no path.
  @inline(__always)
  mutating func bound(of state: UInt32) -> UInt32 {
    let distance = bound(ofRank: ranks![Int(state)])
    return distance < HierarchyPotential.unreachable ? distance - min(distance, slack) : distance
  }

  private mutating func bound(ofRank rank: UInt32) -> UInt32 {
    let known = bounds[Int(rank)]
    guard known == HierarchyPotential.unknown else { return known }
    var minimum = climbed[Int(rank)]
    for index in Int(first![Int(rank)])..<Int(first![Int(rank) + 1]) {
      let arc = arcs![index]
      minimum = min(minimum, bound(ofRank: arc.head) &+ arc.milliseconds)
    }
    touch(rank)
    bounds[Int(rank)] = minimum
    return minimum
  }
}
