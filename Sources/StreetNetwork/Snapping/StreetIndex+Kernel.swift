import Foundation
import Geography
import Hierarchy

// The search of StreetIndex: boxes and runs leave one queue in the order of their distance, until the next is farther
// than the nearest segment found. About five nodes of sixteen boxes (16 bytes each) and a few runs a place.

/// Room for searches in one index: one object a thread.
package final class StreetSearch {
  private let network: StreetNetwork
  private let index: StreetIndex
  private let points: Column<FixedCoordinate>
  private var queue = SearchHeap()

  package init(_ network: StreetNetwork) {
    self.network = network
    index = network.index
    points = network.points
  }

  deinit { queue.deallocate() }

  /// The point of a street nearest to `place`, at most `limit` metres away; of several as near, the one on a street
  /// open to all, then on the street with the least number. Nil where there is none.
  package func snap(_ place: Coordinate, limit: Double) -> Snap? {
    guard let nearest = nearestSegment(to: place, limit: limit) else { return nil }
    let shape = network.shape(of: StreetID(nearest.street))
    let (a, b) = (points[shape.lowerBound + nearest.segment], points[shape.lowerBound + nearest.segment + 1])
    let point = FixedCoordinate(
      longitude: Int32((Double(a.longitude) + nearest.along * (Double(b.longitude) - Double(a.longitude))).rounded()),
      latitude: Int32((Double(a.latitude) + nearest.along * (Double(b.latitude) - Double(a.latitude))).rounded()))
    let distance = place.distance(to: point.coordinate)
    guard distance <= limit else { return nil }
    return Snap(
      street: StreetID(nearest.street), fraction: fraction(of: point, segment: nearest.segment, shape: shape),
      segment: nearest.segment, point: point, distance: distance)
  }

  private func fraction(of point: FixedCoordinate, segment: Int, shape: Range<Int>) -> Double {
    var before = 0.0
    var whole = 0.0
    for index in shape.dropLast() {
      let length = points[index].distance(to: points[index + 1])
      if index - shape.lowerBound < segment { before += length }
      whole += length
    }
    before += points[shape.lowerBound + segment].distance(to: point)
    return whole > 0 ? min(1, before / whole) : 0
  }

  fileprivate struct Segment {
    var street: UInt32
    var segment: Int
    /// 0…1 between the segment's ends.
    var along: Double
    /// In the plane, with the street's penalty.
    var distance: Double
    var isEndsOnly: Bool
  }

  private func nearestSegment(to place: Coordinate, limit: Double) -> Segment? {
    guard !index.runs.isEmpty else { return nil }
    // The plane: units of 1e-7 degrees of latitude, x shrunk by the cosine of the place's latitude.
    let x = place.longitude * 1e7
    let y = place.latitude * 1e7
    let shrink = max(1e-6, cos(place.latitude * .pi / 180))
    // A little more than the limit, for the plane is not the earth: the caller measures again.
    let reach = limit * 1.02 / Coordinate.metresPerDegree * 1e7
    let boxes = index.boxes.base
    let runCount = index.runs.count
    var queue = self.queue
    defer {
      queue.removeAll()
      self.queue = queue
    }

    func push(_ node: Int) {
      let box = boxes[node]
      let dx = max(Double(box.minLongitude) - x, 0, x - Double(box.maxLongitude)) * shrink
      let dy = max(Double(box.minLatitude) - y, 0, y - Double(box.maxLatitude))
      let squared = dx * dx + dy * dy
      guard squared <= squaredBound else { return }
      // Doubles that are not negative sort as their bits do.
      queue.push(key: squared.bitPattern, state: UInt32(node))
    }

    var nearest: Segment?
    // A little more than what counts: rounding must not lose a tie.
    var squaredBound = reach * reach * 1.000_001
    push(index.boxes.count - 1)
    while let (key, node) = queue.popMin(),
      Double(bitPattern: key).squareRoot() <= min(nearest?.distance ?? .infinity, reach)
    {
      guard Int(node) >= runCount else {
        improve(&nearest, index.runs[Int(node)], x: x, y: y, shrink: shrink, reach: reach)
        if let nearest { squaredBound = min(squaredBound, nearest.distance * nearest.distance * 1.000_001) }
        continue
      }
      let level = index.levels.lastIndex { $0 <= Int(node) }!
      let first = index.levels[level - 1] + (Int(node) - index.levels[level]) * StreetIndex.fanOut
      for child in first..<min(first + StreetIndex.fanOut, index.levels[level]) { push(child) }
    }
    return nearest
  }

  private func improve(
    _ nearest: inout Segment?, _ run: StreetIndex.Run, x: Double, y: Double, shrink: Double, reach: Double
  ) {
    let shape = network.shape(of: StreetID(run.street))
    let first = shape.lowerBound + Int(run.segment)
    let points = self.points.base
    let street = network.street(StreetID(run.street))
    let isEndsOnly = street.flags.contains(.endsOnly)
    let penalty = Double(network.attributes(row: street.attributes).snapPenalty) / Coordinate.metresPerDegree * 1e7
    for segment in first..<min(first + StreetIndex.runLength, shape.upperBound - 1) {
      let (a, b) = (points[segment], points[segment + 1])
      let ax = (Double(a.longitude) - x) * shrink
      let ay = Double(a.latitude) - y
      let dx = (Double(b.longitude) - Double(a.longitude)) * shrink
      let dy = Double(b.latitude) - Double(a.latitude)
      let squaredLength = dx * dx + dy * dy
      let along = squaredLength > 0 ? min(1, max(0, -(ax * dx + ay * dy) / squaredLength)) : 0
      // At its far end the segment is exactly as near as the one that begins there.
      let px = along < 1 ? ax + along * dx : (Double(b.longitude) - x) * shrink
      let py = along < 1 ? ay + along * dy : Double(b.latitude) - y
      let distance = (px * px + py * py).squareRoot()
      guard distance <= reach else { continue }
      let candidate = Segment(
        street: run.street, segment: segment - shape.lowerBound, along: along, distance: distance + penalty,
        isEndsOnly: isEndsOnly)
      if nearest.map({ candidate.precedes($0) }) ?? true { nearest = candidate }
    }
  }
}

extension StreetSearch.Segment {
  fileprivate func precedes(_ other: Self) -> Bool {
    if distance != other.distance { return distance < other.distance }
    if isEndsOnly != other.isEndsOnly { return other.isEndsOnly }
    return (street, segment) < (other.street, other.segment)
  }
}
