/// Coordinates for stops and stations without their own: those of the stop's station, or the mean of the station's
/// platforms.
struct StationPoints {
  struct Position {
    var longitude: Double
    var latitude: Double
  }

  private struct Sum {
    var (longitude, latitude, count) = (0.0, 0.0, 0.0)

    var mean: Position { Position(longitude: longitude / count, latitude: latitude / count) }
  }

  private var known: [String: Position] = [:]
  private var platforms: [String: Sum] = [:]

  /// Adds a place with coordinates.
  mutating func add(_ place: PlaceValues) {
    if let id = place.id { known[id] = Position(longitude: place.longitude, latitude: place.latitude) }
    guard let parent = place.parent, (place.part ?? "0") == "0" else { return }
    platforms[parent, default: Sum()].longitude += place.longitude
    platforms[parent]?.latitude += place.latitude
    platforms[parent]?.count += 1
  }

  /// The coordinates of a place without its own; nil if neither its station nor its platforms have any.
  func position(id: String?, parent: String?) -> Position? {
    for station in [parent, id] {
      if let station, let position = known[station] ?? platforms[station]?.mean { return position }
    }
    return nil
  }
}
