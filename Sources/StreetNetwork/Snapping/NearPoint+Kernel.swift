import Foundation
import Geography
import Hierarchy

/// A local minimum of the distance from a place to a run of a street's segments.
package struct NearPoint: Sendable, BitwiseCopyable {
  package var street: StreetID
  /// The index of the shape's segment that contains the point, and the position between the segment's ends: 0…1.
  package var segment: UInt32
  package var along: Double
  /// Metres from the place in the tangent plane.
  package var distance: Double
  /// Whether the point is at the start (or end) of its run, and the street continues in another run, which may be
  /// nearer.
  package var touchesPreviousRun: Bool
  package var touchesNextRun: Bool
}

extension StreetSearch {
  /// Appends the points of every run of segments within `limit` metres of `place` where the street stops approaching
  /// it, in the order of the index; ignores snap penalties. *Complexity*: about ten nodes of sixteen boxes in a town.
  package func points(near place: FixedCoordinate, within limit: Double, to near: inout [NearPoint]) {
    guard !index.runs.isEmpty else { return }
    let metresPerUnit = Coordinate.metresPerDegree / 1e7
    let plane = Plane(
      x: Double(place.longitude), y: Double(place.latitude),
      xScale: max(1e-6, cos(Double(place.latitude) / 1e7 * .pi / 180)), squaredReach: limit * limit,
      squaredMetresPerUnit: metresPerUnit * metresPerUnit)
    gather(node: 0, level: index.levels.count - 2, plane, &near)
  }

  /// The tangent plane at a place.
  fileprivate struct Plane {
    let x: Double
    let y: Double
    let xScale: Double
    let squaredReach: Double
    let squaredMetresPerUnit: Double
  }

  private func gather(node: Int, level: Int, _ plane: Plane, _ near: inout [NearPoint]) {
    guard level > 0 else { return gather(index.runs.base[node], plane, &near) }
    let children = index.levels[level - 1]
    let first = children + node * StreetIndex.fanOut
    for child in 0..<min(StreetIndex.fanOut, index.levels[level] - first) {
      let box = index.boxes.base[first + child]
      let dx = max(Double(box.minLongitude) - plane.x, 0, plane.x - Double(box.maxLongitude)) * plane.xScale
      let dy = max(Double(box.minLatitude) - plane.y, 0, plane.y - Double(box.maxLatitude))
      if (dx * dx + dy * dy) * plane.squaredMetresPerUnit <= plane.squaredReach {
        gather(node: first - children + child, level: level - 1, plane, &near)
      }
    }
  }

  private func gather(_ run: StreetIndex.Run, _ plane: Plane, _ near: inout [NearPoint]) {
    let shape = network.shape(of: StreetID(run.street))
    let first = shape.lowerBound + Int(run.segment)
    let end = min(first + StreetIndex.runLength, shape.upperBound - 1)
    let points = self.points.base
    var best = (squared: Double.infinity, segment: 0, along: 0.0)
    func append() {
      let squared = best.squared * plane.squaredMetresPerUnit
      guard squared <= plane.squaredReach else { return }
      near.append(
        NearPoint(
          street: StreetID(run.street), segment: UInt32(best.segment - shape.lowerBound), along: best.along,
          distance: squared.squareRoot(),
          touchesPreviousRun: best.segment == first && best.along == 0 && run.segment > 0,
          touchesNextRun: best.segment == end - 1 && best.along == 1 && end < shape.upperBound - 1))
    }
    var recedes = false
    for segment in first..<end {
      let (a, b) = (points[segment], points[segment + 1])
      let ax = (Double(a.longitude) - plane.x) * plane.xScale
      let ay = Double(a.latitude) - plane.y
      let dx = (Double(b.longitude) - Double(a.longitude)) * plane.xScale
      let dy = Double(b.latitude) - Double(a.latitude)
      let squaredLength = dx * dx + dy * dy
      let along = squaredLength > 0 ? min(1, max(0, -(ax * dx + ay * dy) / squaredLength)) : 0
      let (px, py) = (ax + along * dx, ay + along * dy)
      let squared = px * px + py * py
      if recedes, along > 0 {
        append()
        best.squared = .infinity
      }
      if squared < best.squared { best = (squared, segment, along) }
      if squaredLength > 0 { recedes = along < 1 }
    }
    append()
  }

  /// Returns the distance of a point from its street's tail in centimetres, in proportion to the shape's length.
  package func centimetres(of point: NearPoint) -> UInt32 {
    let shape = network.shape(of: point.street)
    let points = self.points.base
    let xScale = cos(Double(points[shape.lowerBound].latitude) / 1e7 * .pi / 180)
    var (before, total) = (0.0, 0.0)
    for segment in shape.lowerBound..<shape.upperBound - 1 {
      let (a, b) = (points[segment], points[segment + 1])
      let dx = (Double(b.longitude) - Double(a.longitude)) * xScale
      let dy = Double(b.latitude) - Double(a.latitude)
      let length = (dx * dx + dy * dy).squareRoot()
      let passed = segment - shape.lowerBound - Int(point.segment)
      if passed < 0 { before += length } else if passed == 0 { before += length * point.along }
      total += length
    }
    let centimetres = Double(network.street(point.street).centimetres)
    return total > 0 ? UInt32((centimetres * min(1, before / total)).rounded()) : 0
  }

  package func coordinate(of point: NearPoint) -> FixedCoordinate {
    self.point(
      of: Segment(
        street: point.street.index, segment: Int(point.segment), along: point.along, distance: 0, isEndsOnly: false))
  }
}
