import Geography
import Hierarchy
import StreetNetwork

/// A geographic place at which routes start or end.
public struct Place: Hashable, Sendable, Codable {
  /// Its coordinate.
  public var coordinate: Coordinate
  /// Its name, if any.
  public var name: String?

  /// A place at a coordinate.
  public init(coordinate: Coordinate, name: String? = nil) {
    self.coordinate = coordinate
    self.name = name
  }

  /// A place at a latitude and a longitude, in degrees of WGS 84.
  public init(latitude: Double, longitude: Double, name: String? = nil) {
    self.init(coordinate: Coordinate(latitude: latitude, longitude: longitude), name: name)
  }
}

/// Places grouped by street.
struct StreetPlaces: Sendable {
  let places: [TripEnd?]
  private let indices: [StreetID: [Int32]]
  private let onSeveralStreets: Set<Int32>

  init(_ places: [TripEnd?]) {
    var indices: [StreetID: [Int32]] = [:]
    var onSeveralStreets: Set<Int32> = []
    for (index, place) in places.enumerated() {
      guard let snap = place?.snap else { continue }
      indices[snap.street, default: []].append(Int32(index))
      guard !snap.twins.isEmpty || snap.square != nil else { continue }
      onSeveralStreets.insert(Int32(index))
      for street in Set(snap.twins.map(\.street) + [snap.square].compactMap(\.self)) where street != snap.street {
        indices[street, default: []].append(Int32(index))
      }
    }
    (self.places, self.indices, self.onSeveralStreets) = (places, indices, onSeveralStreets)
  }

  /// Calls `body` once with each place on any of `streets`.
  func forEach(on streets: [StreetID], _ body: (_ index: Int) -> Void) {
    var seen: Set<Int32> = []
    for street in streets {
      for index in indices[street] ?? []
      where onSeveralStreets.isEmpty || !onSeveralStreets.contains(index) || seen.insert(index).inserted {
        body(Int(index))
      }
    }
  }

  /// Calls `body` with each place to or from which a trip needs no search, and the trip's weight.
  ///
  /// - Parameter leaves: Whether trips lead from `end` to the places.
  func forEachDirect(
    _ end: TripEnd, leaves: Bool, on network: StreetNetwork, _ closed: Closure?, _ body: (_ index: Int, Weight) -> Void
  ) {
    forEach(on: leaves ? network.directStreets(from: end.snap) : network.directStreets(to: end.snap)) { index in
      let place = places[index]!
      let (from, to) = leaves ? (end, place) : (place, end)
      if let weight = network.directWeight(from: from, to: to, closed: closed) { body(index, weight) }
    }
  }
}

/// The weights of walking the straight lines between places and their streets.
package struct SnapLegs: Sendable {
  /// The walking speed; nil if the lines are not included.
  private let metresPerSecond: Double?

  package init(_ network: StreetNetwork, _ options: Directions.Options) {
    let isCounted = options.countsSnapLegs ?? network.profile.countsSnapLegs
    metresPerSecond = isCounted ? network.profile.snapLegSpeed : nil
  }

  /// Returns the weight of the line from a place to its street; zero on a square, where each position has its own line.
  package func weight(of snap: Snap) -> Weight { snap.position.line == .zero ? weight(of: snap.distance) : .zero }

  /// Returns the weight of a line of `distance` metres, capped at the limit of an arc.
  package func weight(of distance: Double) -> Weight {
    guard let metresPerSecond else { return .zero }
    let limit = Double(Weight.arcLimit)
    return Weight(
      milliseconds: UInt32(min(limit, (distance / metresPerSecond * 1000).rounded())),
      centimetres: UInt32(min(limit, (distance * 100).rounded())))
  }
}

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
