/// A graph whose arcs take as long as the hour wants: the arcs in free flow, and each one's profile and closing.
public struct TimedGraph: Sendable {
  /// The arcs as they are in free flow; each takes at least a millisecond.
  public let graph: ArcGraph
  /// The speed profile of each arc.
  public let profiles: Column<UInt32>
  /// When each arc is closed, by `ClosedTimes`.
  public let closings: Column<UInt32>
  /// What profiles and closings mean.
  public let clock: StreetClock

  /// A graph with a profile and a closing for each arc.
  public init(_ graph: ArcGraph, profiles: Column<UInt32>, closings: Column<UInt32>, clock: StreetClock) {
    precondition(profiles.count == graph.arcCount && closings.count == graph.arcCount, "columns of different graphs")
    precondition(graph.weights.allSatisfy { $0.milliseconds > 0 }, "an arc takes no time")
    (self.graph, self.profiles, self.closings, self.clock) = (graph, profiles, closings, clock)
  }

  /// What an arc takes.
  public func weight(of arc: ArcID) -> TimedWeight {
    let index = Int(arc.index)
    return TimedWeight(graph.weights[index], profile: profiles[index], closing: closings[index])
  }
}

/// Where a search on the clock starts or ends: a state, and what lies between it and the place.
///
/// From an origin first `leg`, then `street`, then the state; to a destination from the state first `street`, then
/// `leg`.
public struct TimedSeed: Hashable, Sendable {
  /// The state.
  public var state: StateID
  /// A part of a street.
  public var street: TimedWeight
  /// What takes the same at all hours: the straight line between the place and its street.
  public var leg: Weight

  /// A seed at `state`; without more the search starts or ends there.
  public init(_ state: StateID, _ street: TimedWeight = TimedWeight(.zero), leg: Weight = .zero) {
    (self.state, self.street, self.leg) = (state, street, leg)
  }
}
