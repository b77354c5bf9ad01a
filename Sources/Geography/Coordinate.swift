import Foundation

/// A point on the earth in degrees, WGS 84.
///
///     let station = Coordinate(latitude: 60.1719, longitude: 24.9414)
///
/// Distances are great-circle distances on a sphere with the earth's mean radius: within 0.6 % of the ellipsoid, and
/// the same in all engines and tables.
public struct Coordinate: Hashable, Sendable, Codable {
  /// Degrees north of the equator, -90…90.
  public var latitude: Double
  /// Degrees east of Greenwich, -180…180.
  public var longitude: Double

  /// Creates a point from its latitude and longitude in degrees.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The earth's mean radius in metres (IUGG).
  package static let earthRadius = 6_371_008.8

  /// Metres in one degree along a meridian.
  package static let metresPerDegree = earthRadius * .pi / 180

  /// Whether both numbers are finite and in their ranges.
  public var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

  /// Latitude and longitude separated by a comma, never with an exponent: "51.5,-0.00005".
  package var decimals: String {
    [latitude, longitude].map { degrees in
      let text = "\(degrees)"
      return text.contains("e") ? Decimal(string: text).map { "\($0)" } ?? text : text
    }.joined(separator: ",")
  }

  /// Returns the great-circle distance in metres (haversine: R. W. Sinnott 1984).
  public func distance(to other: Coordinate) -> Double { MeasuredPoint(self).distance(to: MeasuredPoint(other)) }

  /// Returns the initial heading toward `other` in degrees clockwise from north, 0..<360; 0 for the same point.
  ///
  /// Computed in a plane around the two points: accurate for street segments, not for long distances.
  package func heading(to other: Coordinate) -> Double {
    let north = other.latitude - latitude
    let east = (other.longitude - longitude) * cos((latitude + other.latitude) * .pi / 360)
    let degrees = atan2(east, north) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }
}

extension Coordinate {
  /// The reason why a string is not a coordinate.
  package enum TextError: Error, Equatable {
    /// It is not two decimal numbers separated by a comma.
    case notTwoNumbers
    /// A number is out of range.
    case outOfRange(Coordinate)
  }

  /// Parses "latitude,longitude" in degrees, such as 60.1719,24.9414; only spaces may surround the numbers.
  package init(parsing text: String) throws(TextError) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(Coordinate.degrees)
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { throw .notTwoNumbers }
    self.init(latitude: latitude, longitude: longitude)
    guard isValid else { throw .outOfRange(self) }
  }

  /// Parses a number in decimal notation. `Double` alone would accept "inf", "nan" and "0x3c".
  private static func degrees(_ text: Substring) -> Double? {
    let number = text.trimmingCharacters(in: CharacterSet(charactersIn: " "))
    guard number.allSatisfy({ "0123456789+-.eE".contains($0) }) else { return nil }
    return Double(number)
  }
}

extension Coordinate.TextError {
  /// Whether the two numbers would be a valid coordinate if swapped.
  package var isSwapped: Bool {
    guard case .outOfRange(let point) = self else { return false }
    return Coordinate(latitude: point.longitude, longitude: point.latitude).isValid
  }
}

extension SIMD2<Double> {
  /// Returns the point nearest to the origin on the segment from this point along a vector, in a plane: its position on
  /// the segment, from 0 to 1, and its squared distance from the origin.
  package func nearest(along line: SIMD2<Double>) -> (share: Double, square: Double) {
    let squaredLength = (line * line).sum()
    let share = squaredLength > 0 ? Swift.min(1, Swift.max(0, -(self * line).sum() / squaredLength)) : 0
    let point = self + line * share
    return (share, (point * point).sum())
  }
}
