import Foundation
import Geography
import Results
import Routing
import StreetNetwork

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
  /// Longitude and latitude.
  var origin: (longitude: Double, latitude: Double)
  var destination: (longitude: Double, latitude: Double)
}

extension PairValues {
  /// The pair that a GeoJSON feature is.
  init(_ feature: GeoJSONFeature) throws(RowProblem) {
    let positions = feature.positions
    let isPair =
      feature.geometry == "LineString" && positions.count >= 2
      || feature.geometry == "MultiPoint" && positions.count == 2
    guard isPair, let first = positions.first, let last = positions.last, first.count >= 2, last.count >= 2 else {
      throw RowProblem(
        "got a \(feature.geometry) of \(positions.count) positions, expected a LineString, or a MultiPoint of two")
    }
    let properties = feature.properties
    self.init(
      id: (feature.id ?? properties["id"]).map(Identifier.init), originID: properties["origin_id"].map(Identifier.init),
      destinationID: properties["destination_id"].map(Identifier.init), originName: properties["origin_name"],
      destinationName: properties["destination_name"], group: properties["group"],
      departure: properties["departure_time"], origin: (first[0], first[1]), destination: (last[0], last[1]))
  }

  /// The pair that a link of Maps asks about, which must not be for another transport type than `type`.
  init(link: String, for type: TransportType) throws(RowProblem) {
    guard let url = URL(string: link) else { throw RowProblem("not a link") }
    let request: DirectionsRequest
    do { request = try DirectionsRequest(url: url) } catch { throw RowProblem(error.description) }
    if let other = request.transportType, other != type {
      throw RowProblem("the link is for \(other.rawValue), the job for \(type.rawValue)")
    }
    let (from, to) = (request.source.coordinate, request.destination.coordinate)
    self.init(origin: (from.longitude, from.latitude), destination: (to.longitude, to.latitude))
  }
}
