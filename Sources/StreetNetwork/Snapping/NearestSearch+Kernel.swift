import Foundation
import Geography
import Hierarchy

/// What is known so far of the segments near a place.
struct NearestSearch: ~Copyable {
  private let plane: PlaceVectors
  private let reach: Double
  /// The squared distance from which on boxes hold nothing better.
  private(set) var bound: Double
  /// The least distance.
  private var least = Double.infinity
  /// Segments that were as near as the nearest when they were met.
  var ties: [StreetSearch.Segment] = []
  private let memory: SnapMemory
  private let metresPerDegree = Coordinate.metresPerDegree

  /// Units within which distances are the same: those to one point, taken along different segments.
  private static let same = 3.0
  /// A little more than what counts: rounding must not lose a tie.
  private static let tolerance = 1.000_001

  init(_ place: Coordinate, limit: Double, _ memory: SnapMemory) {
    reach = limit / metresPerDegree * 1e7
    bound = min(reach * reach * NearestSearch.tolerance, .greatestFiniteMagnitude)
    plane = PlaceVectors(place)
    self.memory = memory
  }

  /// Takes a bound from a run that will be met, if it is near. Some centimetres more than its distance: what is no tie
  /// of the nearest in the end may have been one when it was met, and lie at the same point for all that.
  mutating func expect(_ run: StreetIndex.Run) {
    guard !memory.streets[Int(run.street)].flags.contains(.unsnapped) else { return }
    let (segments, _) = segments(of: run)
    _ = plane.measure(memory.points(from: segments.lowerBound), segments.count, within: bound, memory)
    var squared = Double.infinity
    for lane in 0..<segments.count { squared = min(squared, memory.squares[lane]) }
    let distance = squared.squareRoot()
    guard distance <= reach else { return }
    lowerBound(to: distance + penalty(of: run) + 3 * NearestSearch.same)
  }

  private mutating func lowerBound(to distance: Double) {
    bound = min(bound, distance * distance * NearestSearch.tolerance)
  }

  /// Which of at most sixteen boxes may hold something near, a bit each; their squared distances are in the memory.
  func near(_ boxes: UnsafePointer<BoundingBox>, _ count: Int) -> UInt64 {
    guard count < StreetIndex.fanOut else { return plane.measure(boxes, within: bound, memory) }
    // Vectors read sixteen.
    memory.boxes.update(from: boxes, count: count)
    return plane.measure(memory.boxes, within: bound, memory) & (1 << UInt64(count) - 1)
  }

  /// Whether the run is nearer than all before.
  mutating func look(at run: StreetIndex.Run) -> Bool {
    let (segments, shape) = segments(of: run)
    let flags = memory.streets[Int(run.street)].flags
    if flags.contains(.unsnapped) {
      lookAtLandings(of: run, flags, segments, shape)
      return false
    }
    var near =
      plane.measure(memory.points(from: segments.lowerBound), segments.count, within: bound, memory)
      & (1 << UInt64(segments.count) - 1)
    let before = least
    while near != 0 {
      let lane = near.trailingZeroBitCount
      near &= near - 1
      meet(run, segments.lowerBound + lane - shape, memory.alongs[lane], memory.squares[lane].squareRoot())
    }
    guard least < before else { return false }
    lowerBound(to: least + NearestSearch.same)
    return true
  }

  /// Of a ferry only the ends at which it lands count.
  private mutating func lookAtLandings(
    of run: StreetIndex.Run, _ flags: StreetFlags, _ segments: Range<Int>, _ shape: Int
  ) {
    let before = least
    func squared(_ point: Int) -> Double { plane.squaredDistance(to: memory.points(from: point)[0]) }
    if flags.contains(.landsAtTail), segments.lowerBound == shape, squared(shape) <= bound {
      meet(run, 0, 0, squared(shape).squareRoot())
    }
    let last = segments.upperBound - 1
    if flags.contains(.landsAtHead), isLast(last, ofStreet: Int(run.street)), squared(last + 1) <= bound {
      meet(run, last - shape, 1, squared(last + 1).squareRoot())
    }
    if least < before { lowerBound(to: least + NearestSearch.same) }
  }

  private func isLast(_ segment: Int, ofStreet street: Int) -> Bool {
    let end = street + 1 < memory.streetCount ? Int(memory.streets[street + 1].firstPoint) : memory.pointCount
    return segment == end - 2
  }

  private mutating func meet(_ run: StreetIndex.Run, _ segment: Int, _ along: Double, _ distance: Double) {
    guard distance <= reach else { return }
    let distance = distance + penalty(of: run)
    guard distance <= least + NearestSearch.same else { return }
    if least > distance + NearestSearch.same { ties.removeAll(keepingCapacity: true) }
    least = min(least, distance)
    let isEndsOnly = memory.streets[Int(run.street)].flags.contains(.endsOnly)
    ties.append(
      StreetSearch.Segment(
        street: run.street, segment: segment, along: along, distance: distance, isEndsOnly: isEndsOnly))
  }

  private func penalty(of run: StreetIndex.Run) -> Double {
    let attributes = memory.attributes[Int(memory.streets[Int(run.street)].attributes)]
    return Double(attributes.snapPenalty) / metresPerDegree * 1e7
  }

  /// The points that segments of the run start at, and the first of their street.
  @inline(__always)
  private func segments(of run: StreetIndex.Run) -> (Range<Int>, shape: Int) {
    let street = Int(run.street)
    let shape = Int(memory.streets[street].firstPoint)
    let end = street + 1 < memory.streetCount ? Int(memory.streets[street + 1].firstPoint) : memory.pointCount
    let first = shape + Int(run.segment)
    return (first..<min(first + StreetIndex.runLength, end - 1), shape)
  }
}
