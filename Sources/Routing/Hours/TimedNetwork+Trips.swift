import Hierarchy
import StreetNetwork

extension TimedNetwork {
  /// Returns the source seeds for trips from `end`.
  package func sources(_ end: TripEnd) -> [TimedSeed] { sources(end.snap, leg: end.leg) }

  /// Returns the target seeds for trips to `end`.
  package func targets(_ end: TripEnd) -> [TimedSeed] { targets(end.snap, leg: end.leg) }

  /// Returns the weight of a trip that needs no search: along one street, or from a place to itself. Nil if there is
  /// none.
  package func directWeight(from origin: TripEnd, to destination: TripEnd, at time: TripTime) -> Weight? {
    guard !origin.isAtPlace(of: destination) else { return .zero }
    return directTrip(from: origin, to: destination, at: time)?.weight
  }

  /// Returns the fastest trip along one street; nil if there is none.
  func directTrip(
    from origin: TripEnd, to destination: TripEnd, at time: TripTime
  ) -> (weight: Weight, trip: DirectTrip, street: TimedWeight)? {
    let legs = origin.leg + destination.leg
    let trips = direct(origin.snap, destination.snap).compactMap { trip, street -> (Weight, DirectTrip, TimedWeight)? in
      let (first, last) = (origin.leg.milliseconds, destination.leg.milliseconds)
      let centimetres = street.weight.centimetres + legs.centimetres
      let milliseconds: UInt32
      if time.isArrival {
        guard time.clock >= last, let start = graph.clock.departure(street, by: time.clock - last), start >= first
        else { return nil }
        milliseconds = time.clock - (start - first)
      } else {
        let end = graph.clock.arrival(street, at: time.clock + first)
        guard end != StreetClock.never else { return nil }
        milliseconds = end - time.clock + last
      }
      guard milliseconds < Weight.infinity.milliseconds else { return nil }
      return (Weight(milliseconds: milliseconds, centimetres: centimetres), trip, street)
    }
    return trips.min { $0.0 < $1.0 }.map { ($0.0, $0.1, $0.2) }
  }

  /// Returns the waiting time of a trip that needs no search, in milliseconds.
  private func directWaiting(from origin: TripEnd, to destination: TripEnd, at time: TripTime) -> UInt32 {
    guard !origin.isAtPlace(of: destination),
      let trip = directTrip(from: origin, to: destination, at: time)
    else { return 0 }
    return TimedTrip(trip, from: origin, to: destination, on: self, at: time).waiting
  }

  /// Lowers an origin's cells to the weights of trips that need no search, in the block's rows from `firstRow` on, one
  /// per time.
  ///
  /// - Parameter columns: The destinations grouped by street.
  func lowerDirect(
    from origin: TripEnd, to destinations: [TripEnd?], on columns: StreetPlaces, at times: [TripTime],
    in block: MatrixBlock, firstRow: Int
  ) {
    columns.forEach(on: network.directStreets(from: origin.snap)) { column in
      for (index, time) in times.enumerated() {
        let (row, destination) = (firstRow + index, destinations[column]!)
        if let weight = directWeight(from: origin, to: destination, at: time) {
          // A trip along one street takes precedence over an equal one.
          if block.hasWaits, weight <= block.weight(row: row, column: column) {
            block.setWait(row: row, column: column, to: directWaiting(from: origin, to: destination, at: time))
          }
          block.lower(row: row, column: column, to: weight)
        }
      }
    }
  }
}
