/// The quickest trip at an hour: what it takes, its arcs, and when it is where.
public struct TimedPath: Hashable, Sendable {
  /// Time and length from the departure, or to the arrival, that was asked for; both seeds included.
  public var weight: Weight
  /// Its arcs in order; empty where it stays at one state.
  public var arcs: [ArcID]
  /// When it is at its first state, and after each arc.
  public var moments: [UInt32]
  /// The index of the source seed it starts at.
  public var source: Int
  /// The index of the target seed it ends at.
  public var target: Int
}
