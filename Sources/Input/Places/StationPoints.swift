/// Substitute coordinates for stops and stations without any: the station's coordinates, else the mean of its
/// platforms.
package struct StationPoints {
  package struct Position {
    package var longitude: Double
    package var latitude: Double

    package init(longitude: Double, latitude: Double) { (self.longitude, self.latitude) = (longitude, latitude) }
  }

  private struct Sum {
    var (longitude, latitude, count) = (0.0, 0.0, 0.0)

    var mean: Position { Position(longitude: longitude / count, latitude: latitude / count) }
  }

  private var known: [String: Position] = [:]
  private var platforms: [String: Sum] = [:]

  package init() {}

  /// Adds a place with coordinates; `part` is its `location_type`.
  package mutating func add(id: String?, parent: String?, part: String?, at position: Position) {
    if let id { known[id] = position }
    guard let parent, (part ?? "0") == "0" else { return }
    platforms[parent, default: Sum()].longitude += position.longitude
    platforms[parent]?.latitude += position.latitude
    platforms[parent]?.count += 1
  }

  /// Returns the coordinates of a place without its own; nil if neither its station nor its platforms have any.
  package func position(id: String?, parent: String?) -> Position? {
    for station in [parent, id] {
      if let station, let position = known[station] ?? platforms[station]?.mean { return position }
    }
    return nil
  }
}
