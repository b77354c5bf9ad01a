import Foundation
import Geography

/// A fix on a plane around itself.
struct StopPoint {
  /// In the trace.
  var index: Int
  /// Seconds since 1970.
  var time: Double
  var latitude: Double
  var longitude: Double

  func distance(to other: StopPoint) -> Double { StopMedian(latitude, longitude).distance(to: other) }
}

/// The median of the latitudes and that of the longitudes, with the plane around it.
struct StopMedian {
  let latitude: Double
  let longitude: Double
  private let metresPerDegreeEast: Double

  init(_ latitude: Double, _ longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
    metresPerDegreeEast = Coordinate.metresPerDegree * cos(latitude * .pi / 180)
  }

  init(_ points: ArraySlice<StopPoint>) {
    func middle(_ numbers: [Double]) -> Double {
      let sorted = numbers.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    self.init(middle(points.map(\.latitude)), middle(points.map(\.longitude)))
  }

  /// Metres.
  func distance(to point: StopPoint) -> Double {
    let north = (point.latitude - latitude) * Coordinate.metresPerDegree
    let east = (point.longitude - longitude) * metresPerDegreeEast
    return (north * north + east * east).squareRoot()
  }
}
