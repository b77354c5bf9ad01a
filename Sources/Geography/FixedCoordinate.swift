/// A point in units of 1e-7 degrees, as OpenStreetMap stores it: exact, 8 bytes, comparable bit for bit.
@usableFromInline package struct FixedCoordinate: Hashable, Sendable, BitwiseCopyable {
  package var longitude: Int32
  package var latitude: Int32

  package init(longitude: Int32, latitude: Int32) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// The nearest representable point. `coordinate` must be valid.
  package init(_ coordinate: Coordinate) {
    precondition(coordinate.isValid, "coordinate out of range")
    longitude = Int32((coordinate.longitude * 1e7).rounded())
    latitude = Int32((coordinate.latitude * 1e7).rounded())
  }

  package var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
  }

  package func distance(to other: FixedCoordinate) -> Double {
    coordinate.distance(to: other.coordinate)
  }
}
