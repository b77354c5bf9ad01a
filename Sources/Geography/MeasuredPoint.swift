import Foundation

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
/// Below 1e-4 (points within a kilometre), two terms of the series after x suffice: x ± x³/6 …. They are known far more
/// precisely than the last bit of the sum. If an error of 2^-46 could change the rounding (one angle in millions), the
/// library function is called.
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
