import Hierarchy
import StreetNetwork

/// A trip at a given time: its streets with their times.
struct TimedTrip {
  var trip: Trip
  var weight: Weight
  /// The waiting time in milliseconds.
  var waiting: UInt32

  /// The trip along a path.
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

  /// The trip along one street.
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
