import Geography
import Hierarchy
import OpeningHours
import StreetNetwork

/// The nearest of a fixed list of places, for any number of other places; times and distances agree with
/// `Router.weight`.
///
/// Takes one sweep over the whole network in advance, then about a microsecond per origin. Immutable and shared by all
/// threads.
package struct TripNearest: Sendable {
  private let network: StreetNetwork
  private let places: [TripEnd?]
  private let direction: NearestTable.Direction
  private let table: NearestTable
  private let closed: Closure?
  private let placesOnStreets: StreetPlaces

  /// - Parameters:
  ///   - places: The places to find; nil for places that are not on a street.
  ///   - direction: Whether trips lead to these places or from them.
  ///   - groups: The group of each place, if only the nearest place of each group is wanted.
  ///   - limit: The maximum time of a trip, in milliseconds.
  package init(
    _ network: StreetNetwork, _ direction: NearestTable.Direction = .toTargets, to places: [TripEnd?],
    groups: [UInt32]? = nil, count: Int, within limit: UInt32 = Weight.infinity.milliseconds - 1,
    at time: LocalTime? = nil
  ) {
    self.network = network
    self.places = places
    self.direction = direction
    closed = network.closure(at: time)
    placesOnStreets = StreetPlaces(places)
    let closed = closed
    table = NearestTable(
      network.hierarchy(without: closed), direction,
      to: SeedTable(count: places.count) { index in
        guard let place = places[index] else { return [] }
        return direction == .toTargets ? network.targets(place, closed: closed) : network.sources(place, closed: closed)
      }, groups: groups, count: count, within: limit)
  }

  /// Returns the nearest places of `end`, nearest first; ties are broken by distance, then by index.
  package func nearest(to end: TripEnd) -> [NearestTable.Found] {
    var others: [NearestTable.Found] = []
    switch direction {
    case .toTargets:
      placesOnStreets.forEach(on: network.directStreets(from: end.snap)) { index in
        let weight = network.directWeight(from: end, to: places[index]!, closed: closed)
        if let weight { others.append(.init(weight: weight, target: index)) }
      }
      return table.nearest(from: network.sources(end, closed: closed), or: others)
    case .fromTargets:
      placesOnStreets.forEach(on: network.directStreets(to: end.snap)) { index in
        let weight = network.directWeight(from: places[index]!, to: end, closed: closed)
        if let weight { others.append(.init(weight: weight, target: index)) }
      }
      return table.nearest(from: network.targets(end, closed: closed), or: others)
    }
  }
}
