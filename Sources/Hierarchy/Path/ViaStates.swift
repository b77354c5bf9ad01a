/// A candidate state for an alternate, and an upper bound on the weight of the path via it.
public struct ViaState: Hashable, Sendable {
  /// The state.
  public var state: StateID
  /// The weight of the best path via the state that the two searches found.
  public var weight: Weight
}

extension PathQuery {
  /// Returns the states that both upward searches reach by a path no heavier than `limit`, lightest first.
  ///
  /// The searches continue past the best meeting point and to states that no shortest path uses. Source: I. Abraham, D.
  /// Delling, A. V. Goldberg, R. F. Werneck 2013 (X-CHV without relaxation).
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
