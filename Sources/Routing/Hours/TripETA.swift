import Hierarchy

/// What a trip at an hour takes.
package struct TripETA: Hashable, Sendable {
  /// Time and length from its departure to its arrival, by the clock.
  package var weight: Weight
  /// Milliseconds of it that are spent waiting: where something is closed, and for ferries and trains to leave.
  package var waiting: UInt32
  /// The best trip in free flow, as where no time is given; nil where there is none.
  package var freeFlow: Weight?
}
