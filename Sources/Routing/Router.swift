import Geography
import Hierarchy
import StreetNetwork

/// Computes trips on a network, with room of its own for searches: one object a thread.
package final class Router {
  package let network: StreetNetwork
  package let transportType: TransportType
  private let limit: Double
  private let countsSnapLegs: Bool
  private let search: StreetSearch
  private let query: PathQuery
  var phrases: PhraseCache

  package init(_ network: StreetNetwork, _ options: Directions.Options) {
    self.network = network
    transportType = TransportType(rawValue: network.profile.transportType)!
    limit = options.snapLimit
    countsSnapLegs = options.countsSnapLegs ?? network.profile.countsSnapLegs
    search = StreetSearch(network)
    query = PathQuery(network.hierarchy)
    phrases = PhraseCache(nameCount: network.nameCount)
  }

  /// `place` put on the nearest street, or nil where none is within the limit.
  package func end(at place: Coordinate) -> TripEnd? {
    guard place.isValid else { return nil }
    // Places are kept as finely as the map is: 1e-7 degrees, about a centimetre.
    let place = FixedCoordinate(place)
    guard let snap = search.snap(place.coordinate, limit: limit) else { return nil }
    return TripEnd(place: place, snap: snap, leg: countsSnapLegs ? leg(of: snap.distance) : .zero)
  }

  /// A straight way of so many metres, on foot; at most what an arc may cost.
  private func leg(of distance: Double) -> Weight {
    let limit = Double(Weight.arcLimit)
    return Weight(
      milliseconds: UInt32(min(limit, (distance / network.profile.snapLegSpeed * 1000).rounded())),
      centimetres: UInt32(min(limit, (distance * 100).rounded())))
  }

  /// Time and length of the best trip; nil where no way leads there. A place to itself is zero.
  package func weight(from source: TripEnd, to destination: TripEnd) -> Weight? {
    guard source.place != destination.place else { return .zero }
    let way = query.weight(
      from: network.sources(source.snap).seeds, to: network.targets(destination.snap).seeds)
    let direct = network.direct(source.snap, destination.snap)
    guard let best = [way, direct].compactMap(\.self).min() else { return nil }
    return source.leg + best + destination.leg
  }

  /// The best trip with its shape and steps; nil where no way leads there.
  package func route(from source: TripEnd, to destination: TripEnd) -> Route? {
    trip(from: source, to: destination).map { route(along: $0, from: source, to: destination) }
  }

  /// The streets of the best trip.
  func trip(from source: TripEnd, to destination: TripEnd) -> Trip? {
    guard source.place != destination.place else { return Trip(pieces: []) }
    let sources = network.sources(source.snap)
    let targets = network.targets(destination.snap)
    let path = query.path(from: sources.seeds, to: targets.seeds)
    if let direct = network.direct(source.snap, destination.snap), direct <= path?.weight ?? .infinity {
      let isReversed = source.snap.fraction > destination.snap.fraction
      let street = DirectedStreet(source.snap.street, isReversed: isReversed)
      return Trip(pieces: [TripPiece(street: street, weight: direct)])
    }
    guard let path else { return nil }
    var pieces: [TripPiece] = []
    pieces.reserveCapacity(path.arcs.count + 2)
    pieces.append(
      TripPiece(
        street: DirectedStreet(source.snap.street, isReversed: sources.isReversed[path.source]),
        weight: sources.seeds[path.source].weight))
    for arc in path.arcs {
      let (street, weight) = network.travelled(by: arc)
      pieces.append(TripPiece(street: street, weight: weight))
    }
    pieces.append(
      TripPiece(
        street: DirectedStreet(destination.snap.street, isReversed: targets.isReversed[path.target]),
        weight: targets.seeds[path.target].weight))
    return Trip(pieces: pieces)
  }
}

/// The streets of a trip in order, the first and the last in part.
struct Trip {
  var pieces: [TripPiece]
}

struct TripPiece {
  var street: DirectedStreet
  var weight: Weight
}
