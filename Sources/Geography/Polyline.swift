import Foundation

/// A line of points on the earth, stored in units of 1e-7 degrees.
///
///     for coordinate in route.polyline { … }
///     let line = Polyline([home, station])
///
/// Slices of a line (the steps of a route) share its storage.
public struct Polyline: Hashable, Sendable {
  package private(set) var points: ArraySlice<FixedCoordinate>

  package init(points: some Sequence<FixedCoordinate>) { self.points = ArraySlice(points) }

  package init(points: ArraySlice<FixedCoordinate>) { self.points = points }

  /// Creates a line through places, all of which must be valid.
  public init(_ coordinates: some Sequence<Coordinate>) {
    self.init(points: coordinates.lazy.map { FixedCoordinate($0) })
  }

  /// The bounding box; nil for an empty line.
  public var boundingBox: BoundingBox? {
    let box = BoundingBox(around: points)
    return box.isEmpty ? nil : box
  }

  /// The points in degrees, as a new array. *Complexity*: O(`count`).
  public var coordinates: [Coordinate] { points.map(\.coordinate) }

  /// Whether all points are equal, or there are none; such a line is invalid in GeoJSON and GeoPackage.
  package var isPoint: Bool { !points.contains { $0 != points.first } }

  /// The sum of the great-circle distances between consecutive points, in metres.
  public var length: Double { points.length }
}

extension Polyline: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of points.
  public var endIndex: Int { points.count }
  /// The point at a zero-based position, in degrees.
  public subscript(position: Int) -> Coordinate { points[points.startIndex + position].coordinate }
}

extension Polyline: Codable {
  /// Decodes GeoJSON positions.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let positions = try decoder.singleValueContainer().decode([[Double]].self)
    self.init(
      try positions.map { position in
        let place = position.count == 2 ? Coordinate(latitude: position[1], longitude: position[0]) : nil
        guard let place, place.isValid else {
          throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "got \(position), expected [longitude, latitude]"))
        }
        return place
      })
  }

  /// Encodes GeoJSON positions: longitude, latitude.
  ///
  /// - Throws: Errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(coordinates.map { [$0.longitude, $0.latitude] })
  }
}

// Not generic: other modules would call an unspecialized version, which is ten times as slow.
extension ArraySlice<FixedCoordinate> {
  /// The length of a polyline with these points, in metres.
  package var length: Double {
    guard var last = first.map({ MeasuredPoint($0.coordinate) }) else { return 0 }
    var metres = 0.0
    for point in dropFirst() {
      let next = MeasuredPoint(point.coordinate)
      metres += last.distance(to: next)
      last = next
    }
    return metres
  }

  /// The heading at the start of the line in degrees clockwise from north, toward the first point at least 10 m away,
  /// since the first metres are often drawn inaccurately. The line must have at least one point.
  package var initialHeading: Double { heading(from: startIndex, by: 1) }

  /// The heading from the last point backward, toward the nearest earlier point at least 10 m away.
  package var reversedHeading: Double { heading(from: endIndex - 1, by: -1) }

  /// Returns the heading of the segment `metres` from the start, or of the last segment of a shorter line. The line
  /// must have at least two points.
  package func headingAfterStart(by metres: Double) -> Double {
    let (from, to) = segment(metres, from: startIndex, by: 1)
    return self[from].coordinate.heading(to: self[to].coordinate)
  }

  /// Returns the heading of the segment `metres` before the end, or of the first segment of a shorter line. The line
  /// must have at least two points.
  package func headingBeforeEnd(by metres: Double) -> Double {
    let (from, to) = segment(metres, from: endIndex - 1, by: -1)
    return self[to].coordinate.heading(to: self[from].coordinate)
  }

  private func segment(_ metres: Double, from first: Int, by step: Int) -> (from: Int, to: Int) {
    var (from, remaining) = (first, metres - self[first].distance(to: self[first + step]))
    while remaining > 0, indices.contains(from + 2 * step) {
      from += step
      remaining -= self[from].distance(to: self[from + step])
    }
    return (from, from + step)
  }

  private func heading(from first: Int, by step: Int) -> Double {
    let start = self[first].coordinate
    var onward = start
    var index = first + step
    while indices.contains(index) {
      onward = self[index].coordinate
      if start.distance(to: onward) >= 10 { break }
      index += step
    }
    return start.heading(to: onward)
  }
}

/// A point prepared for many distance computations: the terms that depend on only one point are computed once.
package struct MeasuredPoint: Sendable, BitwiseCopyable {
  private let latitude: Double
  private let longitude: Double
  private let cosine: Double

  private static let radians = Double.pi / 180

  package init(_ point: Coordinate) {
    (latitude, longitude) = (point.latitude, point.longitude)
    cosine = cos(latitude * MeasuredPoint.radians)
  }

  /// Returns the great-circle distance in metres (haversine: R. W. Sinnott 1984).
  package func distance(to other: MeasuredPoint) -> Double {
    let sinLatitude = SmallAngle.sine((other.latitude - latitude) * MeasuredPoint.radians / 2)
    let sinLongitude = SmallAngle.sine((other.longitude - longitude) * MeasuredPoint.radians / 2)
    let a = sinLatitude * sinLatitude + cosine * other.cosine * sinLongitude * sinLongitude
    return 2 * Coordinate.earthRadius * SmallAngle.arcSine(min(1, a.squareRoot()))
  }
}

/// The C library's sine and arcsine, bit for bit, in a tenth of the time for small angles.
///
/// Below 1e-4 (points within a kilometre), two terms of the series after x suffice: x ± x³/6 …. These terms are
/// accurate far beyond the last bit of the sum. If a relative error of 2^-46 in them could change the rounding (for
/// one angle in millions), the library function is called.
package enum SmallAngle {
  @inline(__always)
  package static func sine(_ x: Double) -> Double {
    let square = x * x
    guard square < 1e-8 else { return sin(x) }
    return sum(x, x * square * (-1 / 6 + square * (1 / 120))) ?? sin(x)
  }

  @inline(__always)
  package static func arcSine(_ x: Double) -> Double {
    let square = x * x
    guard square < 1e-8 else { return asin(x) }
    return sum(x, x * square * (1 / 6 + square * (3 / 40))) ?? asin(x)
  }

  @inline(__always)
  private static func sum(_ x: Double, _ term: Double) -> Double? {
    let slack = term * 0x1p-46
    let sum = x + (term - slack)
    return sum == x + (term + slack) ? sum : nil
  }
}
