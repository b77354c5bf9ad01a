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
    explore(from: sources, to: targets, within: limit.packed)
    var found: [(weight: UInt64, rank: UInt32)] = []
    for index in 0..<forward.touchedCount {
      let rank = forward.touched[index]
      let weight = forward.distances[Int(rank)] &+ backward.distances[Int(rank)]
      if weight <= limit.packed { found.append((weight, rank)) }
    }
    found.sort { ($0.weight, $0.rank) < ($1.weight, $1.rank) }
    return found.map { ViaState(state: state(atRank: $0.rank), weight: Weight(packed: $0.weight)) }
  }
}
