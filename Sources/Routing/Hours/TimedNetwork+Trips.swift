import Hierarchy
import StreetNetwork

extension TimedNetwork {
  /// Where searches start for trips from `end`.
  package func sources(_ end: TripEnd) -> [TimedSeed] { sources(end.snap, leg: end.leg) }

  /// Where searches end for trips to `end`.
  package func targets(_ end: TripEnd) -> [TimedSeed] { targets(end.snap, leg: end.leg) }

  /// Time and length of a trip that needs no search: along one street, or from a place to itself. Nil where there is
  /// none.
  package func directWeight(from origin: TripEnd, to destination: TripEnd, at time: TripTime) -> Weight? {
    guard origin.place != destination.place else { return .zero }
    let legs = origin.leg + destination.leg
    let trips = direct(origin.snap, destination.snap).compactMap { _, street -> Weight? in
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
      return Weight(milliseconds: milliseconds, centimetres: centimetres)
    }
    return trips.min()
  }
}
