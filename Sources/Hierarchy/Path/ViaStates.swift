/// A state that a good alternate may lead over, and what the way over it weighs at most.
public struct ViaState: Hashable, Sendable {
  public var state: StateID
  public var weight: Weight
}

extension PathQuery {
  /// States that both climbs reach, such that the way over them weighs no more than `limit`: the lightest first.
  ///
  /// The climbs go on past the best meeting and over states that a shortest way would not use. Source: I. Abraham,
  /// D. Delling, A. V. Goldberg, R. F. Werneck 2013 (X-CHV without relaxation).
  public func viaStates(from sources: [Seed], to targets: [Seed], within limit: Weight) -> [ViaState] {
    let ranks = hierarchy.ranks.base
    var (forward, backward) = (self.forward, self.backward)
    defer { (self.forward, self.backward) = (forward, backward) }
    forward.start(sources, ranks: ranks)
    backward.start(targets, ranks: ranks)
    forward.explore(hierarchy.outgoing, within: limit.packed)
    backward.explore(hierarchy.incoming, within: limit.packed)
    var found: [(weight: UInt64, rank: UInt32)] = []
    for index in 0..<forward.touchedCount {
      let rank = forward.touched[index]
      let weight = forward.labels[Int(rank)].distance &+ backward.labels[Int(rank)].distance
      if weight <= limit.packed { found.append((weight, rank)) }
    }
    found.sort { ($0.weight, $0.rank) < ($1.weight, $1.rank) }
    return found.map { ViaState(state: state(atRank: $0.rank), weight: Weight(packed: $0.weight)) }
  }
}
