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
  /// The type of the place within a station, such as a stop or an entrance.
  package var part = Part.stop
  /// The line or the feature's number in the file; 0 for places from pairs or the map.
  package var line = 0
  /// The id of the place's station.
  package var parent: Identifier?
  /// `wheelchair_boarding`; 0 if the input has no value.
  var wheelchairBoarding: UInt16 = 0
  /// Whether it is a stop that is reached directly instead of through its station's entrances (`stop_access` 1).
  var isDirect = false

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

/// Places of the input by index; a coordinate is available without creating the place.
package protocol PlaceList: RandomAccessCollection<InputPlace>, Sendable where Index == Int {
  func coordinate(at index: Int) -> FixedCoordinate
}

extension PairPlaces: PlaceList {}

extension [InputPlace]: PlaceList {
  package func coordinate(at index: Int) -> FixedCoordinate { self[index].coordinate }
}

/// Substitute coordinates for stops and stations without any: the station's coordinates, else the mean of its
/// platforms.
package struct StationPoints {
  private struct Sum {
    var (longitude, latitude, count) = (0.0, 0.0, 0.0)

    var mean: Coordinate { Coordinate(latitude: latitude / count, longitude: longitude / count) }
  }

  private var known: [String: Coordinate] = [:]
  private var platforms: [String: Sum] = [:]

  package init() {}

  /// Adds a place with coordinates; `part` is its `location_type`.
  package mutating func add(id: String?, parent: String?, part: String?, at position: Coordinate) {
    if let id { known[id] = position }
    guard let parent, (part ?? "0") == "0" else { return }
    platforms[parent, default: Sum()].longitude += position.longitude
    platforms[parent]?.latitude += position.latitude
    platforms[parent]?.count += 1
  }

  /// Returns the coordinates of a place without its own; nil if neither its station nor its platforms have any.
  package func position(id: String?, parent: String?) -> Coordinate? {
    for station in [parent, id] {
      if let station, let position = known[station] ?? platforms[station]?.mean { return position }
    }
    return nil
  }
}
