import Geography

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
