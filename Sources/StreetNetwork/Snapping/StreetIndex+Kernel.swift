import Foundation
import Geography
import Hierarchy

// The search of StreetIndex: down to the nearest box of each node first, so that there soon is a bound; then what the
// bound leaves of the others. About five nodes of sixteen boxes (16 bytes each) and a few runs per place.

/// Searches one index, with working memory: one object per thread.
package final class StreetSearch {
  let network: StreetNetwork
  fileprivate let index: StreetIndex
  fileprivate let points: Column<FixedCoordinate>

  /// Squared distances of the boxes of one node per level.
  private let distances: UnsafeMutablePointer<Double>
  /// What the last search found as near as the nearest, itself included.
  private(set) var ties: [Segment] = []

  /// - Parameter index: Of the streets to search; nil for those that places are snapped to.
  package init(_ network: StreetNetwork, among index: StreetIndex? = nil) {
    self.network = network
    let index = index ?? network.index
    self.index = index
    points = network.points
    distances = .allocate(capacity: index.levels.count * StreetIndex.fanOut)
  }

  deinit { distances.deallocate() }

  /// The point of a street nearest to `place`, at most `limit` metres away; of several at the same distance, the one on
  /// a street open to all, then on the street with the smallest ID. Nil where there is none.
  package func snap(_ place: Coordinate, limit: Double) -> Snap? {
    guard let nearest = nearestSegment(to: place, limit: limit) else { return nil }
    let (first, point) = firstAtPoint(of: nearest)
    let distance = place.distance(to: point.coordinate)
    guard distance <= limit else { return nil }
    let position = position(on: first, at: point)
    return Snap(
      position: position, twins: ties.count > 1 ? twins(of: position, at: point) : [], point: point, distance: distance)
  }

  func position(on segment: Segment, at point: FixedCoordinate) -> StreetPosition {
    let street = StreetID(segment.street)
    return StreetPosition(
      street: street, fraction: fraction(of: point, segment: segment.segment, shape: network.shape(of: street)),
      segment: segment.segment)
  }

  /// The point of a segment that is nearest to the place.
  func point(of segment: Segment) -> FixedCoordinate {
    let first = network.shape(of: StreetID(segment.street)).lowerBound + segment.segment
    let (a, b) = (points[first], points[first + 1])
    return FixedCoordinate(
      longitude: Int32((Double(a.longitude) + segment.along * (Double(b.longitude) - Double(a.longitude))).rounded()),
      latitude: Int32((Double(a.latitude) + segment.along * (Double(b.latitude) - Double(a.latitude))).rounded()))
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

  struct Segment {
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
    // Its reach is a little more than the limit, for the plane is not the earth: the caller measures again.
    let reach = limit * 1.02 / Coordinate.metresPerDegree * 1e7
    var search = Search(
      x: place.longitude * 1e7, y: place.latitude * 1e7, shrink: max(1e-6, cos(place.latitude * .pi / 180)),
      reach: reach, bound: reach * reach * Search.tolerance)
    ties.removeAll(keepingCapacity: true)
    swap(&ties, &search.ties)
    visit(node: 0, level: index.levels.count - 2, &search)
    swap(&ties, &search.ties)
    return search.nearest
  }

  fileprivate struct Search {
    let x: Double
    let y: Double
    let shrink: Double
    let reach: Double
    /// The squared distance from which on boxes hold nothing better.
    var bound: Double
    var nearest: Segment?
    /// Segments that were as near as the nearest so far.
    var ties: [Segment] = []

    /// Units within which distances are the same: those to one point, taken along different segments.
    static let same = 3.0
    /// A little more than what counts: rounding must not lose a tie.
    static let tolerance = 1.000_001
  }

  /// Looks through the children of a node, or the run that it is, the nearest first, until the rest is too far.
  private func visit(node: Int, level: Int, _ search: inout Search) {
    guard level > 0 else {
      improve(&search, index.runs.base[node])
      if let nearest = search.nearest {
        let farthest = nearest.distance + Search.same
        search.bound = min(search.bound, farthest * farthest * Search.tolerance)
      }
      return
    }
    let children = index.levels[level - 1]
    let first = children + node * StreetIndex.fanOut
    let count = min(StreetIndex.fanOut, index.levels[level] - first)
    let distances = self.distances + level * StreetIndex.fanOut
    for child in 0..<count {
      let box = index.boxes.base[first + child]
      let dx = max(Double(box.minLongitude) - search.x, 0, search.x - Double(box.maxLongitude)) * search.shrink
      let dy = max(Double(box.minLatitude) - search.y, 0, search.y - Double(box.maxLatitude))
      distances[child] = dx * dx + dy * dy
    }
    while true {
      var nearest = 0
      for child in 1..<count where distances[child] < distances[nearest] { nearest = child }
      guard distances[nearest] <= search.bound else { return }
      distances[nearest] = .infinity
      visit(node: first - children + nearest, level: level - 1, &search)
    }
  }

  private func improve(_ search: inout Search, _ run: StreetIndex.Run) {
    let shape = network.shape(of: StreetID(run.street))
    let first = shape.lowerBound + Int(run.segment)
    let points = self.points.base
    for segment in first..<min(first + StreetIndex.runLength, shape.upperBound - 1) {
      let (a, b) = (points[segment], points[segment + 1])
      let ax = (Double(a.longitude) - search.x) * search.shrink
      let ay = Double(a.latitude) - search.y
      let dx = (Double(b.longitude) - Double(a.longitude)) * search.shrink
      let dy = Double(b.latitude) - Double(a.latitude)
      let squaredLength = dx * dx + dy * dy
      let along = squaredLength > 0 ? min(1, max(0, -(ax * dx + ay * dy) / squaredLength)) : 0
      // At its far end the segment is exactly as near as the one that begins there.
      let px = along < 1 ? ax + along * dx : (Double(b.longitude) - search.x) * search.shrink
      let py = along < 1 ? ay + along * dy : Double(b.latitude) - search.y
      let squared = px * px + py * py
      guard squared <= search.bound else { continue }
      let distance = squared.squareRoot()
      guard distance <= search.reach else { continue }
      let street = network.street(StreetID(run.street))
      let penalty = Double(network.attributes(row: street.attributes).snapPenalty) / Coordinate.metresPerDegree * 1e7
      let candidate = Segment(
        street: run.street, segment: segment - shape.lowerBound, along: along, distance: distance + penalty,
        isEndsOnly: street.flags.contains(.endsOnly))
      search.meet(candidate)
    }
  }
}

extension StreetSearch.Search {
  fileprivate mutating func meet(_ candidate: StreetSearch.Segment) {
    guard let nearest else { return restart(with: candidate) }
    guard candidate.distance <= nearest.distance + Self.same else { return }
    guard nearest.distance <= candidate.distance + Self.same else { return restart(with: candidate) }
    ties.append(candidate)
    if candidate.precedes(nearest) { self.nearest = candidate }
  }

  private mutating func restart(with candidate: StreetSearch.Segment) {
    ties.removeAll(keepingCapacity: true)
    ties.append(candidate)
    nearest = candidate
  }
}

extension StreetSearch.Segment {
  fileprivate func precedes(_ other: Self) -> Bool {
    distance != other.distance ? distance < other.distance : isBefore(other)
  }

  /// Of segments at the same point: those open to all first.
  func isBefore(_ other: Self) -> Bool {
    if isEndsOnly != other.isEndsOnly { return other.isEndsOnly }
    return (street, segment) < (other.street, other.segment)
  }
}

// MARK: All streets around a place

/// The point of a run of a street's segments that is nearest to a place.
package struct NearPoint: Sendable, BitwiseCopyable {
  package var street: StreetID
  /// The shape's segment that it lies on, and where between the segment's ends: 0…1.
  package var segment: UInt32
  package var along: Double
  /// Metres from the place, in the plane.
  package var distance: Double
  /// Whether it is the end of its run, next to another run of the street: then the other may come nearer still.
  package var isNextToRunBefore: Bool
  package var isNextToRunBehind: Bool
}

extension StreetSearch {
  /// Appends the nearest point of every run of segments that comes within `limit` metres of `place`; penalties of
  /// snapping do not count. In the order of the index. *Complexity*: some ten nodes of sixteen boxes in a town.
  package func points(near place: FixedCoordinate, within limit: Double, to near: inout [NearPoint]) {
    guard !index.runs.isEmpty else { return }
    let metresPerUnit = Coordinate.metresPerDegree / 1e7
    let plane = Plane(
      x: Double(place.longitude), y: Double(place.latitude),
      shrink: max(1e-6, cos(Double(place.latitude) / 1e7 * .pi / 180)), squaredReach: limit * limit,
      squaredMetresPerUnit: metresPerUnit * metresPerUnit)
    gather(node: 0, level: index.levels.count - 2, plane, &near)
  }

  /// The plane that touches the earth at a place.
  fileprivate struct Plane {
    let x: Double
    let y: Double
    let shrink: Double
    let squaredReach: Double
    let squaredMetresPerUnit: Double
  }

  private func gather(node: Int, level: Int, _ plane: Plane, _ near: inout [NearPoint]) {
    guard level > 0 else { return gather(index.runs.base[node], plane, &near) }
    let children = index.levels[level - 1]
    let first = children + node * StreetIndex.fanOut
    for child in 0..<min(StreetIndex.fanOut, index.levels[level] - first) {
      let box = index.boxes.base[first + child]
      let dx = max(Double(box.minLongitude) - plane.x, 0, plane.x - Double(box.maxLongitude)) * plane.shrink
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
    for segment in first..<end {
      let (a, b) = (points[segment], points[segment + 1])
      let ax = (Double(a.longitude) - plane.x) * plane.shrink
      let ay = Double(a.latitude) - plane.y
      let dx = (Double(b.longitude) - Double(a.longitude)) * plane.shrink
      let dy = Double(b.latitude) - Double(a.latitude)
      let squaredLength = dx * dx + dy * dy
      let along = squaredLength > 0 ? min(1, max(0, -(ax * dx + ay * dy) / squaredLength)) : 0
      let (px, py) = (ax + along * dx, ay + along * dy)
      let squared = px * px + py * py
      if squared < best.squared { best = (squared, segment, along) }
    }
    let squared = best.squared * plane.squaredMetresPerUnit
    guard squared <= plane.squaredReach else { return }
    near.append(
      NearPoint(
        street: StreetID(run.street), segment: UInt32(best.segment - shape.lowerBound), along: best.along,
        distance: squared.squareRoot(),
        isNextToRunBefore: best.segment == first && best.along == 0 && run.segment > 0,
        isNextToRunBehind: best.segment == end - 1 && best.along == 1 && end < shape.upperBound - 1))
  }

  /// Where a point of a street is: centimetres from its tail, in proportion along its shape.
  package func centimetres(of point: NearPoint) -> UInt32 {
    let shape = network.shape(of: point.street)
    let points = self.points.base
    let shrink = cos(Double(points[shape.lowerBound].latitude) / 1e7 * .pi / 180)
    var (before, whole) = (0.0, 0.0)
    for segment in shape.lowerBound..<shape.upperBound - 1 {
      let (a, b) = (points[segment], points[segment + 1])
      let dx = (Double(b.longitude) - Double(a.longitude)) * shrink
      let dy = Double(b.latitude) - Double(a.latitude)
      let length = (dx * dx + dy * dy).squareRoot()
      let passed = segment - shape.lowerBound - Int(point.segment)
      if passed < 0 { before += length } else if passed == 0 { before += length * point.along }
      whole += length
    }
    let centimetres = Double(network.street(point.street).centimetres)
    return whole > 0 ? UInt32((centimetres * min(1, before / whole)).rounded()) : 0
  }

  /// The point itself.
  package func coordinate(of point: NearPoint) -> FixedCoordinate {
    self.point(
      of: Segment(
        street: point.street.index, segment: Int(point.segment), along: point.along, distance: 0, isEndsOnly: false))
  }
}
