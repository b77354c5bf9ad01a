import Geography
import Tables

/// A place of the input, at one end of pairs.
package struct InputPlace: Sendable {
  package var id: Identifier
  package var role: Role
  package var name: String?
  package var coordinate: FixedCoordinate
  /// Its weight: residents, for example.
  package var weight: Double?
  /// Its role in a station.
  package var part = Part.stop
  /// Its line in its file; 0 for formats without lines.
  package var line = 0
  /// The station it belongs to.
  package var parent: Identifier?
  /// Its wheelchair access; nil if the input has no value.
  var isBoardedByWheelchair: Bool?

  package typealias Role = PlaceRole

  /// GTFS's `location_type`.
  package enum Part: Int, Sendable {
    case stop = 0
    case station = 1
    case entrance = 2
    case node = 3
    case boardingArea = 4
  }
}

extension InputPlace {
  /// A place without any other data.
  package init(id: Identifier, role: Role, coordinate: FixedCoordinate) {
    self.init(id: id, role: role, name: nil, coordinate: coordinate)
  }
}

extension [InputPlace] {
  /// Makes every id a text.
  mutating func useTextIDs() {
    for index in indices { self[index].id = self[index].id.asText }
  }
}
