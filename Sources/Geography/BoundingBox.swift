/// A box of latitudes and longitudes in units of 1e-7 degrees, borders included.
///
/// Boxes do not cross the antimeridian.
public struct BoundingBox: Hashable, Sendable, BitwiseCopyable {
  package var minLongitude: Int32
  package var minLatitude: Int32
  package var maxLongitude: Int32
  package var maxLatitude: Int32

  /// The box that contains nothing: the neutral element of `formUnion`.
  @usableFromInline package static let empty = BoundingBox(
    minLongitude: .max, minLatitude: .max, maxLongitude: .min, maxLatitude: .min)

  package init(minLongitude: Int32, minLatitude: Int32, maxLongitude: Int32, maxLatitude: Int32) {
    self.minLongitude = minLongitude
    self.minLatitude = minLatitude
    self.maxLongitude = maxLongitude
    self.maxLatitude = maxLatitude
  }

  @inlinable package init(around points: some Sequence<FixedCoordinate>) {
    self = .empty
    for point in points { extend(to: point) }
  }

  package var isEmpty: Bool { minLongitude > maxLongitude }

  /// Its corner with the least latitude and longitude.
  public var southWest: Coordinate { FixedCoordinate(longitude: minLongitude, latitude: minLatitude).coordinate }
  /// Its corner with the greatest latitude and longitude.
  public var northEast: Coordinate { FixedCoordinate(longitude: maxLongitude, latitude: maxLatitude).coordinate }

  package var centre: FixedCoordinate {
    FixedCoordinate(
      longitude: Int32((Int64(minLongitude) + Int64(maxLongitude)) / 2),
      latitude: Int32((Int64(minLatitude) + Int64(maxLatitude)) / 2))
  }

  @usableFromInline package mutating func extend(to point: FixedCoordinate) {
    minLongitude = min(minLongitude, point.longitude)
    minLatitude = min(minLatitude, point.latitude)
    maxLongitude = max(maxLongitude, point.longitude)
    maxLatitude = max(maxLatitude, point.latitude)
  }

  package mutating func formUnion(_ other: BoundingBox) {
    minLongitude = min(minLongitude, other.minLongitude)
    minLatitude = min(minLatitude, other.minLatitude)
    maxLongitude = max(maxLongitude, other.maxLongitude)
    maxLatitude = max(maxLatitude, other.maxLatitude)
  }

  /// Whether the point lies inside, or at most `margin` (1e-7 degrees) outside.
  /// From west to east, and from south to north, in 1e-7 degrees.
  package var width: Double { Double(maxLongitude) - Double(minLongitude) }
  package var height: Double { Double(maxLatitude) - Double(minLatitude) }

  /// Its corners, counterclockwise from the southwest, the first again at the end.
  package var ring: [FixedCoordinate] {
    [
      FixedCoordinate(longitude: minLongitude, latitude: minLatitude),
      FixedCoordinate(longitude: maxLongitude, latitude: minLatitude),
      FixedCoordinate(longitude: maxLongitude, latitude: maxLatitude),
      FixedCoordinate(longitude: minLongitude, latitude: maxLatitude),
      FixedCoordinate(longitude: minLongitude, latitude: minLatitude),
    ]
  }

  /// The box, larger by some 1e-7 degrees on each side, as far as the earth goes.
  package func enlarged(by margin: Double) -> BoundingBox {
    func clamped(_ value: Double, _ most: Double) -> Int32 { Int32(min(max(value, -most), most)) }
    return BoundingBox(
      minLongitude: clamped(Double(minLongitude) - margin, 1.8e9),
      minLatitude: clamped(Double(minLatitude) - margin, 9e8),
      maxLongitude: clamped(Double(maxLongitude) + margin, 1.8e9),
      maxLatitude: clamped(Double(maxLatitude) + margin, 9e8))
  }

  /// Whether they have a point in common.
  package func meets(_ other: BoundingBox) -> Bool {
    minLongitude <= other.maxLongitude && other.minLongitude <= maxLongitude && minLatitude <= other.maxLatitude
      && other.minLatitude <= maxLatitude
  }

  package func contains(_ point: FixedCoordinate, margin: Int32 = 0) -> Bool {
    Int64(point.longitude) >= Int64(minLongitude) - Int64(margin)
      && Int64(point.longitude) <= Int64(maxLongitude) + Int64(margin)
      && Int64(point.latitude) >= Int64(minLatitude) - Int64(margin)
      && Int64(point.latitude) <= Int64(maxLatitude) + Int64(margin)
  }
}
