import Foundation
import Geography
import StreetNetwork

/// The points that a leg is drawn by, its cut ends included, each with its centimetres along the street.
struct LegLine {
  private(set) var points: [FixedCoordinate] = []
  private(set) var centimetres: [Double] = []

  /// Replaces the points by those of `leg`: its shape in the leg's direction, cut in proportion.
  mutating func draw(_ leg: Leg, on network: StreetNetwork) {
    points.removeAll(keepingCapacity: true)
    centimetres.removeAll(keepingCapacity: true)
    let street = network.street(leg.street.street)
    let shape = network.shape(of: leg.street.street)
    let isReversed = leg.street.isReversed
    let count = shape.count
    func point(_ index: Int) -> FixedCoordinate {
      network.point(isReversed ? shape.upperBound - 1 - index : shape.lowerBound + index)
    }
    let shrink = cos(Double(network.point(shape.lowerBound).latitude) / 1e7 * .pi / 180)
    var whole = 0.0
    for index in 1..<count { whole += point(index - 1).units(to: point(index), shrink) }
    let scale = whole > 0 ? Double(street.centimetres) / whole : 0
    let (from, to) = (Double(leg.from), Double(leg.to))
    var before = 0.0
    for index in 1..<count {
      let (a, b) = (point(index - 1), point(index))
      let length = a.units(to: b, shrink) * scale
      let end = index == count - 1 ? Double(street.centimetres) : before + length
      defer { before = end }
      guard end >= from else { continue }
      func cut(_ at: Double) -> FixedCoordinate { a.towards(b, length > 0 ? (at - before) / length : 0) }
      if points.isEmpty { append(from <= before ? a : cut(from), max(from, before)) }
      if to <= end {
        append(to == end ? b : cut(to), to)
        return
      }
      append(b, end)
    }
  }

  private mutating func append(_ point: FixedCoordinate, _ at: Double) {
    points.append(point)
    centimetres.append(at)
  }

  /// The point nearest to a place: where it is, metres away, and centimetres along the street.
  func nearest(to place: FixedCoordinate) -> (point: FixedCoordinate, distance: Double, centimetres: Double) {
    let shrink = cos(Double(place.latitude) / 1e7 * .pi / 180)
    var best = (squared: Double.infinity, index: 0, along: 0.0)
    for index in 0..<max(1, points.count - 1) {
      let (a, b) = (points[index], points[min(index + 1, points.count - 1)])
      let ax = place.eastward(to: a) * shrink
      let ay = Double(a.latitude) - Double(place.latitude)
      let dx = a.eastward(to: b) * shrink
      let dy = Double(b.latitude) - Double(a.latitude)
      let squaredLength = dx * dx + dy * dy
      let along = squaredLength > 0 ? min(1, max(0, -(ax * dx + ay * dy) / squaredLength)) : 0
      let (px, py) = (ax + along * dx, ay + along * dy)
      if px * px + py * py < best.squared { best = (px * px + py * py, index, along) }
    }
    let next = min(best.index + 1, points.count - 1)
    return (
      points[best.index].towards(points[next], best.along),
      best.squared.squareRoot() * Coordinate.metresPerDegree / 1e7,
      centimetres[best.index] + best.along * (centimetres[next] - centimetres[best.index])
    )
  }
}

extension FixedCoordinate {
  /// Units of 1e-7 degrees to a point nearby, in the plane.
  fileprivate func units(to other: FixedCoordinate, _ shrink: Double) -> Double {
    let dx = eastward(to: other) * shrink
    let dy = Double(other.latitude) - Double(latitude)
    return (dx * dx + dy * dy).squareRoot()
  }
}
