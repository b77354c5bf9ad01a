import Foundation

/// A box of latitudes and longitudes in units of 1e-7 degrees, borders included.
///
/// Boxes do not cross the antimeridian.
public struct BoundingBox: Hashable, Sendable, BitwiseCopyable, Codable {
  package var minLongitude: Int32
  package var minLatitude: Int32
  package var maxLongitude: Int32
  package var maxLatitude: Int32

  /// The empty box: the neutral element of `formUnion`.
  @usableFromInline package static let empty = BoundingBox(
    minLongitude: .max, minLatitude: .max, maxLongitude: .min, maxLatitude: .min)

  /// Decodes a box, which must have valid corners.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func value(_ key: CodingKeys, _ limit: Int32) throws -> Int32 {
      let value = try members.decode(Int32.self, forKey: key)
      guard value >= -limit, value <= limit else {
        throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "\(value) is out of range")
      }
      return value
    }
    self.init(
      minLongitude: try value(.minLongitude, 1_800_000_000), minLatitude: try value(.minLatitude, 900_000_000),
      maxLongitude: try value(.maxLongitude, 1_800_000_000), maxLatitude: try value(.maxLatitude, 900_000_000))
    guard minLongitude <= maxLongitude, minLatitude <= maxLatitude else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a minimum of the box is above its maximum"))
    }
  }

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

  /// The corner with the lowest latitude and longitude.
  public var southWest: Coordinate { FixedCoordinate(longitude: minLongitude, latitude: minLatitude).coordinate }
  /// The corner with the highest latitude and longitude.
  public var northEast: Coordinate { FixedCoordinate(longitude: maxLongitude, latitude: maxLatitude).coordinate }

  package var centre: FixedCoordinate {
    FixedCoordinate(
      longitude: Int32((Int64(minLongitude) + Int64(maxLongitude)) / 2),
      latitude: Int32((Int64(minLatitude) + Int64(maxLatitude)) / 2))
  }

  /// Returns the western and the eastern edge of the smallest box around this box's points. Across the antimeridian,
  /// the western longitude is the greater one, as in GeoJSON.
  package func edges(around points: some Sequence<FixedCoordinate>) -> (west: Int32, east: Int32) {
    let longitudes = points.lazy.map(\.longitude)
    guard width > 180e7, let west = longitudes.filter({ $0 >= 0 }).min(),
      let east = longitudes.filter({ $0 < 0 }).max(), Double(east) + 360e7 - Double(west) < width
    else { return (minLongitude, maxLongitude) }
    return (west, east)
  }

  /// Returns the centre of the smallest box around this box's points, also across the antimeridian.
  package func centre(of points: some Sequence<FixedCoordinate>) -> FixedCoordinate {
    let (west, east) = edges(around: points)
    guard east < west, !isEmpty else { return centre }
    let middle = (Int64(west) + Int64(east) + 3_600_000_000) / 2
    return FixedCoordinate(
      longitude: Int32(middle > 1_800_000_000 ? middle - 3_600_000_000 : middle), latitude: centre.latitude)
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

  /// The width in 1e-7 degrees.
  package var width: Double { Double(maxLongitude) - Double(minLongitude) }
  /// The height in 1e-7 degrees.
  package var height: Double { Double(maxLatitude) - Double(minLatitude) }

  /// The corners, counterclockwise from the southwest; the first one is repeated at the end.
  package var ring: [FixedCoordinate] {
    [
      FixedCoordinate(longitude: minLongitude, latitude: minLatitude),
      FixedCoordinate(longitude: maxLongitude, latitude: minLatitude),
      FixedCoordinate(longitude: maxLongitude, latitude: maxLatitude),
      FixedCoordinate(longitude: minLongitude, latitude: maxLatitude),
      FixedCoordinate(longitude: minLongitude, latitude: minLatitude),
    ]
  }

  /// Returns the box enlarged by `margin` (1e-7 degrees) on each side, within the range of valid coordinates.
  package func enlarged(by margin: Double) -> BoundingBox {
    func clamped(_ value: Double, _ limit: Double) -> Int32 { Int32(min(max(value, -limit), limit)) }
    return BoundingBox(
      minLongitude: clamped(Double(minLongitude) - margin, 1.8e9),
      minLatitude: clamped(Double(minLatitude) - margin, 9e8),
      maxLongitude: clamped(Double(maxLongitude) + margin, 1.8e9),
      maxLatitude: clamped(Double(maxLatitude) + margin, 9e8))
  }

  /// Creates the smallest box around places; nil if there are none. All places must be valid.
  public init?(around places: some Sequence<Coordinate>) {
    self.init(around: places.lazy.map { FixedCoordinate($0) })
    if isEmpty { return nil }
  }

  /// Returns whether a place lies inside the box or on its border.
  public func contains(_ place: Coordinate) -> Bool { place.isValid && contains(FixedCoordinate(place)) }

  /// Returns the smallest box that contains both boxes.
  public func union(_ other: BoundingBox) -> BoundingBox {
    var box = self
    box.formUnion(other)
    return box
  }

  /// Returns the box shrunk by `metres` on each side (enlarged if negative). If nothing is left of its width or height,
  /// the box collapses to its centre in that dimension.
  public func inset(by metres: Double) -> BoundingBox {
    let dy = metres / Coordinate.metresPerDegree * 1e7
    // The margin in degrees of longitude is largest at the border farthest from the equator. If the enlarged box
    // reaches a pole, it includes all longitudes.
    let latitude = max(abs(southWest.latitude), abs(northEast.latitude)) * .pi / 180
    let angle = min(max(dy / 1e7, -90), 90) * .pi / 180
    let sine = sin(angle) / cos(latitude)
    let reachesPole = angle < 0 && latitude - angle >= .pi / 2
    let dx = reachesPole ? -3.6e9 : asin(min(max(sine, -1), 1)) * 180 / .pi * 1e7
    let west = min(max(Double(minLongitude) + dx, -1.8e9), 1.8e9)
    let east = min(max(Double(maxLongitude) - dx, -1.8e9), 1.8e9)
    let south = min(max(Double(minLatitude) + dy, -9e8), 9e8)
    let north = min(max(Double(maxLatitude) - dy, -9e8), 9e8)
    let middle = centre
    return BoundingBox(
      minLongitude: west <= east ? Int32(west.rounded(.down)) : middle.longitude,
      minLatitude: south <= north ? Int32(south.rounded(.down)) : middle.latitude,
      maxLongitude: west <= east ? Int32(east.rounded(.up)) : middle.longitude,
      maxLatitude: south <= north ? Int32(north.rounded(.up)) : middle.latitude)
  }

  /// Returns the distance from a place to the box in metres; 0 inside.
  package func distance(to place: Coordinate) -> Double {
    let nearest = Coordinate(
      latitude: min(max(place.latitude, southWest.latitude), northEast.latitude),
      longitude: min(max(place.longitude, southWest.longitude), northEast.longitude))
    return nearest.distance(to: place)
  }

  /// Returns whether the boxes intersect.
  public func intersects(_ other: BoundingBox) -> Bool {
    minLongitude <= other.maxLongitude && other.minLongitude <= maxLongitude && minLatitude <= other.maxLatitude
      && other.minLatitude <= maxLatitude
  }

  /// Returns whether the point lies inside the box or at most `margin` (1e-7 degrees) outside.
  package func contains(_ point: FixedCoordinate, margin: Int32 = 0) -> Bool {
    Int64(point.longitude) >= Int64(minLongitude) - Int64(margin)
      && Int64(point.longitude) <= Int64(maxLongitude) + Int64(margin)
      && Int64(point.latitude) >= Int64(minLatitude) - Int64(margin)
      && Int64(point.latitude) <= Int64(maxLatitude) + Int64(margin)
  }
}
