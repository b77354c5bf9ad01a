/// Shortest ways between seeds on a hierarchy: one climb from each end, then the shortcuts unpacked.
///
///     let query = PathQuery(hierarchy)
///     let weight = query.weight(from: [Seed(a)], to: [Seed(b)])
///     let path = query.path(from: [Seed(a)], to: [Seed(b)])
///
/// Holds the room that searches work in: one object a thread, 40 bytes a state.
/// Two climbs with stall-on-demand (R. Geisberger et al. 2008), rank by rank. The loops are in `PathQuery+Kernel.swift`.
public final class PathQuery {
  public let hierarchy: Hierarchy
  var forward: Climb
  var backward: Climb
  var waiting: RankSet
  private var unpacking = Unpacking()
  /// States by rank: made when first asked for.
  private lazy var states: [UInt32] = {
    var states = [UInt32](repeating: 0, count: hierarchy.stateCount)
    for (state, rank) in hierarchy.ranks.enumerated() { states[Int(rank)] = UInt32(state) }
    return states
  }()

  /// Where the two climbs of the last question met.
  struct Meeting {
    var weight: UInt64
    var rank: UInt32
  }

  public init(_ hierarchy: Hierarchy) {
    self.hierarchy = hierarchy
    forward = Climb(stateCount: hierarchy.stateCount)
    backward = Climb(stateCount: hierarchy.stateCount)
    waiting = RankSet(rankCount: hierarchy.stateCount)
  }

  deinit {
    forward.deallocate()
    backward.deallocate()
    waiting.deallocate()
    unpacking.deallocate()
  }

  func state(atRank rank: UInt32) -> StateID { StateID(states[Int(rank)]) }

  /// The weight of the lightest way from any of `sources` to any of `targets`, seeds included; nil where
  /// there is none.
  public func weight(from sources: [Seed], to targets: [Seed]) -> Weight? {
    meet(sources, targets).map { Weight(packed: $0.weight) }
  }

  /// The lightest way from any of `sources` to any of `targets`, or nil where there is none.
  public func path(from sources: [Seed], to targets: [Seed]) -> Path? {
    guard let meeting = meet(sources, targets) else { return nil }
    var unpacking = self.unpacking
    defer { self.unpacking = unpacking }
    unpacking.removeAll()
    let source = unpackClimb(to: meeting.rank, into: &unpacking)
    let target = unpackDescent(from: meeting.rank, into: &unpacking)
    return Path(weight: Weight(packed: meeting.weight), arcs: unpacking.result, source: source, target: target)
  }
}
