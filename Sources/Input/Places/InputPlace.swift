import Geography
import Tables

/// A place from the input.
package struct InputPlace: Sendable {
  package var id: Identifier
  package var role: Role
  package var name: String?
  package var coordinate: FixedCoordinate
  /// The weight, such as residents.
  package var weight: Double?
  /// Its type, such as a stop or an entrance.
  package var part = Part.stop
  /// The line in the file; 0 for formats without lines.
  package var line = 0
  /// The station it belongs to.
  package var parent: Identifier?
  /// Whether wheelchairs can board; nil if the input has no value.
  var isWheelchairAccessible: Bool?

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
  /// Creates a place without any other data.
  package init(id: Identifier, role: Role, coordinate: FixedCoordinate) {
    self.init(id: id, role: role, name: nil, coordinate: coordinate)
  }
}

extension [InputPlace] {
  /// Converts all ids to strings.
  mutating func useTextIDs() {
    for index in indices { self[index].id = self[index].id.asText }
  }
}
