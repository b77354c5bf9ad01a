import Foundation
import Geography
import Hierarchy

// The search of StreetIndex: down to the nearest box of each node first, so that there soon is a bound; then what the
// bound leaves of the others. About five nodes of sixteen boxes (16 bytes each) and a few runs per place.

/// Searches one index, with working memory: one object per thread.
package final class StreetSearch {
  let network: StreetNetwork
  private let index: StreetIndex
  private let points: Column<FixedCoordinate>

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
