import Hierarchy
import StreetNetwork

/// A trip at a given time: its streets with their times.
struct TimedTrip {
  var trip: Trip
  var weight: Weight
  /// The waiting time in milliseconds.
  var waiting: UInt32

  /// Creates the trip along a path.
  ///
  /// - Parameter path: A path between timed seeds, which are in the order of `sources` and `targets`.
  init(
    _ path: TimedPath, from source: TripEnd, _ sources: SnapSeeds, to destination: TripEnd, _ targets: SnapSeeds,
    on timed: TimedNetwork, at time: TripTime
  ) {
    let (network, clock) = (timed.network, timed.graph.clock)
    let start = time.isArrival ? time.clock - path.weight.milliseconds : time.clock
    let end = start + path.weight.milliseconds
    var (pieces, waiting): ([TripPiece], UInt32) = ([], 0)
    pieces.reserveCapacity(path.arcs.count + 2)
    func append(_ street: DirectedStreet, _ weight: TimedWeight, from: UInt32, until: UInt32, isWhole: Bool) {
      pieces.append(
        TripPiece(
          street: street, weight: Weight(milliseconds: until - from, centimetres: weight.weight.centimetres),
          isWhole: isWhole))
      waiting += clock.waiting(on: weight, from: from, until: until, isArrival: time.isArrival)
    }
    let (first, last) = (timed.sources(source)[path.source], timed.targets(destination)[path.target])
    append(
      sources.streets[path.source], first.street, from: start + source.leg.milliseconds, until: path.moments[0],
      isWhole: sources.isWhole[path.source])
    for (index, arc) in path.arcs.enumerated() {
      append(
        network.travelled(by: arc).street, timed.graph.weight(of: arc), from: path.moments[index],
        until: path.moments[index + 1], isWhole: true)
    }
    append(
      targets.streets[path.target], last.street, from: path.moments[path.arcs.count],
      until: end - destination.leg.milliseconds, isWhole: false)
    trip = Trip(
      pieces: pieces, from: sources.position(ofSeed: path.source, source.snap),
      to: targets.position(ofSeed: path.target, destination.snap))
    (weight, self.waiting) = (path.weight, waiting)
  }

  /// Creates a trip along one street, without a search.
  init(
    _ direct: (weight: Weight, trip: DirectTrip, street: TimedWeight), from source: TripEnd, to destination: TripEnd,
    on timed: TimedNetwork, at time: TripTime
  ) {
    let legs = source.leg.milliseconds + destination.leg.milliseconds
    let milliseconds = direct.weight.milliseconds - legs
    let start = (time.isArrival ? time.clock - direct.weight.milliseconds : time.clock) + source.leg.milliseconds
    trip = Trip(direct.trip, taking: Weight(milliseconds: milliseconds, centimetres: direct.street.weight.centimetres))
    weight = direct.weight
    waiting = timed.graph.clock.waiting(
      on: direct.street, from: start, until: start + milliseconds, isArrival: time.isArrival)
  }
}

/// The travel and waiting times of a trip with a departure or arrival time.
package struct TripETA: Hashable, Sendable {
  /// The time and length from its departure to its arrival.
  package var weight: Weight
  /// Milliseconds of waiting at closed streets, and for ferries and trains.
  package var waiting: UInt32
  /// The weight of the best trip in free flow, without a time; nil if there is none.
  package var freeFlow: Weight?
}

extension TimedNetwork {
  package func sources(_ end: TripEnd) -> [TimedSeed] { sources(end.snap, leg: end.leg) }

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
