import Hierarchy

/// The travel and waiting times of a trip with a departure or arrival time.
package struct TripETA: Hashable, Sendable {
  /// The time and length from its departure to its arrival.
  package var weight: Weight
  /// Milliseconds of waiting: for closed streets, ferries and trains.
  package var waiting: UInt32
  /// The weight of the best trip in free flow, without a time; nil if there is none.
  package var freeFlow: Weight?
}
