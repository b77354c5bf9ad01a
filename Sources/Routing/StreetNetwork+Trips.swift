import Hierarchy
import StreetNetwork

extension StreetNetwork {
  /// Returns the source seeds for trips from `end`, including the straight line to the street.
  package func sources(_ end: TripEnd, closed: Closure? = nil) -> [Seed] {
    StreetNetwork.adding(end.leg, to: sourceSeeds(end.snap, closed: closed))
  }

  /// Returns the target seeds for trips to `end`, including the straight line from the street.
  package func targets(_ end: TripEnd, closed: Closure? = nil) -> [Seed] {
    StreetNetwork.adding(end.leg, to: targetSeeds(end.snap, closed: closed))
  }

  private static func adding(_ leg: Weight, to seeds: [Seed]) -> [Seed] {
    leg == .zero ? seeds : seeds.map { Seed($0.state, $0.weight + leg) }
  }

  /// Returns the weight of a trip that needs no search: along one street, or from a place to itself. Nil if there is
  /// none.
  package func directWeight(from origin: TripEnd, to destination: TripEnd, closed: Closure? = nil) -> Weight? {
    guard !origin.isAtPlace(of: destination) else { return .zero }
    return direct(origin.snap, destination.snap, closed: closed).map { origin.leg + $0.weight + destination.leg }
  }
}
