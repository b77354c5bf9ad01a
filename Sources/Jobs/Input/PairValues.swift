import Foundation
import Geography
import Routing
import StreetNetwork
import Tables

/// What a row of a pair table says, before its coordinates are checked.
struct PairValues {
  var id: Identifier?
  var originID: Identifier?
  var destinationID: Identifier?
  var originName: String?
  var destinationName: String?
  var group: String?
  /// ISO 8601 with a zone.
  var departure: String?
  /// ISO 8601 with a zone.
  var arrival: String?
  var transportType: String?
  /// "tolls", "highways" or both.
  var avoid: String?
  /// How much the pair counts: trips, say.
  var weight: Double?
  /// Longitude and latitude.
  var origin: (longitude: Double, latitude: Double)
  var destination: (longitude: Double, latitude: Double)
  /// Stops on the way, in their order.
  var waypoints: [(longitude: Double, latitude: Double)] = []
  /// By its link, in addition to what the job avoids.
  var avoids: Profile.Avoidance = []

  static let mostWaypoints = 100
}

extension PairValues {
  /// Where its ends are, as far as they are on the earth.
  var points: [FixedCoordinate] { CoordinateCheck.points([origin, destination]) }

  /// The pair of two places of the input.
  init(from origin: InputPlace, to destination: InputPlace) {
    func position(of place: InputPlace) -> (longitude: Double, latitude: Double) {
      let coordinate = place.coordinate.coordinate
      return (coordinate.longitude, coordinate.latitude)
    }
    self.init(
      originID: origin.id, destinationID: destination.id, originName: origin.name, destinationName: destination.name,
      origin: position(of: origin), destination: position(of: destination))
  }

  /// The pair that a GeoJSON feature is, but for its weight.
  init(_ feature: GeoJSONFeature, id: String?) throws(RowProblem) {
    let positions = feature.positions
    let isPair =
      feature.geometry == "LineString" && positions.count >= 2
      || feature.geometry == "MultiPoint" && positions.count == 2
    guard isPair, let first = positions.first, let last = positions.last, first.count >= 2, last.count >= 2 else {
      throw RowProblem(
        "got a \(feature.geometry) of \(positions.count) positions, expected a LineString, or a MultiPoint of two")
    }
    let names = feature.properties.keys.sorted().map { (plain: EndNames.plain($0), name: $0) }
    let plain = names.map(\.plain)
    func text(_ expected: [String]) -> String? {
      expected.lazy.compactMap { word in names.first { $0.plain == word } }.first.flatMap { feature.text($0.name) }
    }
    self.init(
      id: id.map(Identifier.init),
      originID: text(EndNames.origin.ids(in: plain)).map(Identifier.init),
      destinationID: text(EndNames.destination.ids(in: plain)).map(Identifier.init),
      originName: text(EndNames.origin.names), destinationName: text(EndNames.destination.names),
      group: text(PairColumns.groups), departure: text(PairColumns.departures),
      arrival: text(PairColumns.arrivals), transportType: text(PairColumns.transportTypes),
      avoid: text(PairColumns.avoids), origin: (first[0], first[1]), destination: (last[0], last[1]))
  }

  /// The pair that a link of Maps asks about, which must not be for another transport type than `type`.
  init(link: String, for type: TransportType) throws(RowProblem) {
    guard let url = URL(string: link) else { throw RowProblem("not a link") }
    let legs: [DirectionsRequest]
    do { legs = try DirectionsRequest.legs(url: url) } catch { throw RowProblem(error.description) }
    if let other = legs[0].transportType, other != type {
      throw RowProblem("the link is for \(other.rawValue), the job for \(type.rawValue)")
    }
    guard legs.count <= PairValues.mostWaypoints + 1 else {
      throw RowProblem("the link has \(legs.count - 1) waypoints, expected at most \(PairValues.mostWaypoints)")
    }
    let stops = ([legs[0].source] + legs.map(\.destination)).map { place in
      (longitude: place.coordinate.longitude, latitude: place.coordinate.latitude)
    }
    self.init(origin: stops[0], destination: stops[stops.count - 1])
    waypoints = Array(stops[1..<stops.count - 1])
    avoids = Profile.Avoidance(tolls: legs[0].tollPreference, highways: legs[0].highwayPreference)
  }
}
