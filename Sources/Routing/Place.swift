import Geography

/// A point that routes start or end at.
public struct Place: Hashable, Sendable {
  public var coordinate: Coordinate
  public var name: String?

  public init(coordinate: Coordinate, name: String? = nil) {
    self.coordinate = coordinate
    self.name = name
  }

  public init(latitude: Double, longitude: Double, name: String? = nil) {
    self.init(coordinate: Coordinate(latitude: latitude, longitude: longitude), name: name)
  }
}
