import Hierarchy

/// The times of a trip at an hour.
package struct TripETA: Hashable, Sendable {
  /// Time and length from its departure to its arrival.
  package var weight: Weight
  /// Milliseconds of waiting: for closed streets, ferries and trains.
  package var waiting: UInt32
  /// The best trip in free flow, without a time; nil if there is none.
  package var freeFlow: Weight?
}
