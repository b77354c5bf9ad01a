import Geography
import Hierarchy
import StreetNetwork

/// The nearest few of some places, for any number of others: times and distances equal to those of `Router.weight`.
///
/// One sweep over the whole network when it is made, then about a microsecond an origin. Immutable, shared by all threads.
package struct TripNearest: Sendable {
  private let network: StreetNetwork
  private let places: [TripEnd?]
  private let direction: NearestTable.Direction
  private let table: NearestTable
  private let closed: ArcSet?
  /// The places on each street.
  private let numbers: StreetPlaces

  /// - Parameters:
  ///   - places: What to look for; nil for those off all streets.
  ///   - direction: Whether trips lead to these places or from them.
  ///   - groups: The group of each place, where an answer shall have the nearest place of a group only.
  ///   - limit: The longest trip that counts, in milliseconds.
  package init(
    _ network: StreetNetwork, _ direction: NearestTable.Direction = .toTargets, to places: [TripEnd?],
    groups: [UInt32]? = nil, count: Int, within limit: UInt32 = Weight.infinity.milliseconds - 1,
    at time: LocalTime? = nil, workers: Int = 1
  ) {
    self.network = network
    self.places = places
    self.direction = direction
    closed = network.conditions.closed(at: time).map(network.closedArcs)
    numbers = StreetPlaces(places)
    let closed = closed
    table = NearestTable(
      network.hierarchy(without: closed, workers: workers), direction,
      to: SeedTable(count: places.count) { number in
        guard let place = places[number] else { return [] }
        return direction == .toTargets ? network.targets(place, closed: closed) : network.sources(place)
      },
      groups: groups, count: count, within: limit)
  }

  /// The nearest places of `end`, nearest first; of equally near ones that with the shorter way, then with the smaller
  /// number.
  package func nearest(to end: TripEnd) -> [NearestTable.Found] {
    var others: [NearestTable.Found] = []
    switch direction {
    case .toTargets:
      numbers.forEach(on: network.directStreets(from: end.snap)) { number in
        let weight = network.directWeight(from: end, to: places[number]!)
        if let weight { others.append(.init(weight: weight, target: number)) }
      }
      return table.nearest(from: network.sources(end), or: others)
    case .fromTargets:
      numbers.forEach(on: network.directStreets(to: end.snap)) { number in
        let weight = network.directWeight(from: places[number]!, to: end)
        if let weight { others.append(.init(weight: weight, target: number)) }
      }
      return table.nearest(from: network.targets(end, closed: closed), or: others)
    }
  }
}

/// Places by the street they were put on.
struct StreetPlaces: Sendable {
  private let numbers: [StreetID: [Int32]]

  init(_ places: [TripEnd?]) {
    var numbers: [StreetID: [Int32]] = [:]
    for (number, place) in places.enumerated() {
      if let place { numbers[place.snap.street, default: []].append(Int32(number)) }
    }
    self.numbers = numbers
  }

  func forEach(on streets: [StreetID], _ body: (_ number: Int) -> Void) {
    for street in streets {
      for number in numbers[street] ?? [] { body(Int(number)) }
    }
  }
}

extension StreetNetwork {
  /// The weight of a trip that needs no search: along one street, or from a place to itself. Nil where there is none.
  package func directWeight(from origin: TripEnd, to destination: TripEnd) -> Weight? {
    guard origin.place != destination.place else { return .zero }
    return direct(origin.snap, destination.snap).map { origin.leg + $0.weight + destination.leg }
  }

  /// The hierarchy, or one without some arcs, made for the purpose.
  func hierarchy(without closed: ArcSet?, workers: Int) -> Hierarchy {
    closed.map { Hierarchy(contracting: states.arcs.without($0), workers: workers) } ?? hierarchy
  }
}
