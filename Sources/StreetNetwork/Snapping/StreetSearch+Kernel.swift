// The search in a StreetIndex starts with a bound from the run that was nearest to the previous place. It first
// descends to the nearest box of each node, which soon tightens the bound, then visits the remaining boxes within the
// bound: about six nodes of sixteen boxes (16 bytes each) and six runs per place. The bound only excludes boxes that
// are too far away: the order of the others, and therefore the ties, does not depend on it.

import Foundation
import Geography
import Hierarchy

/// Searches one index; each thread needs its own instance.
package final class StreetSearch {
  let network: StreetNetwork
  let index: StreetIndex
  let points: Column<FixedCoordinate>
  /// Whether the search covers the streets used for snapping, including squares.
  let findsSquares: Bool

  private let memory: SnapMemory
  /// The start of each level's boxes, and the end of the last level's.
  private let levels: UnsafeMutablePointer<Int>
  private let levelCount: Int
  /// The stack of boxes to visit: the children of the deepest node on top, nearest first.
  private let waiting: UnsafeMutablePointer<WaitingBox>
  /// The segments at the minimum distance in the last search.
  private(set) var ties: [Segment] = []
  /// The run nearest to the last place: successive places are often close to each other.
  private var lastRun = 0

  private struct WaitingBox {
    var squared: Double
    /// The index of the box in its level.
    var node: UInt32
    var level: UInt32
  }

  /// - Parameter index: The streets to search; nil for the streets used for snapping.
  package init(_ network: StreetNetwork, among index: StreetIndex? = nil) {
    self.network = network
    findsSquares = index == nil
    let index = index ?? network.index
    self.index = index
    points = network.points
    memory = SnapMemory(network)
    levelCount = index.levels.count - 1
    levels = .allocate(capacity: index.levels.count)
    levels.initialize(from: index.levels, count: index.levels.count)
    waiting = .allocate(capacity: index.levels.count * StreetIndex.fanOut)
  }

  deinit {
    memory.deallocate()
    levels.deallocate()
    waiting.deallocate()
  }

  struct Segment {
    var street: UInt32
    var segment: Int
    /// 0…1 between the segment's ends.
    var along: Double
    /// In the plane, in units of 1e-7 degrees of latitude, including the street's snap penalty.
    var distance: Double
    var isEndsOnly: Bool
  }

  /// Returns the segment nearest to a place, at most `limit` metres away in the plane.
  func nearestSegment(to place: Coordinate, limit: Double) -> Segment? {
    guard !index.runs.isEmpty else { return nil }
    var search = NearestSearch(place, limit: limit, memory)
    search.expect(index.runs.base[lastRun])
    // Reuses the memory of the ties.
    swap(&ties, &search.ties)
    search.ties.removeAll(keepingCapacity: true)
    visitAll(&search)
    swap(&ties, &search.ties)
    return ties.min { $0.precedes($1) }
  }

  /// Visits the runs within the bound, the nearest children of each node first.
  private func visitAll(_ search: inout NearestSearch) {
    var count = 1
    waiting[0] = WaitingBox(squared: 0, node: 0, level: UInt32(levelCount - 1))
    while count > 0 {
      count -= 1
      let box = waiting[count]
      guard box.squared <= search.bound else { continue }
      if box.level > 0 {
        open(box, search, &count)
      } else if search.visit(index.runs.base[Int(box.node)]) {
        lastRun = Int(box.node)
      }
    }
  }

  /// Pushes the children of a node within the bound, farthest first; of equally near ones, the first is popped first.
  @inline(__always)
  private func open(_ box: WaitingBox, _ search: borrowing NearestSearch, _ count: inout Int) {
    let level = Int(box.level) - 1
    let first = Int(box.node) * StreetIndex.fanOut
    let children = min(StreetIndex.fanOut, levels[level + 1] - levels[level] - first)
    var near = search.near(index.boxes.base + levels[level] + first, children)
    let bottom = count
    while near != 0 {
      let child = near.trailingZeroBitCount
      near &= near - 1
      let squared = memory.squares[child]
      var position = count
      while position > bottom, waiting[position - 1].squared <= squared {
        waiting[position] = waiting[position - 1]
        position -= 1
      }
      waiting[position] = WaitingBox(squared: squared, node: UInt32(first + child), level: UInt32(level))
      count += 1
    }
  }
}

extension StreetSearch.Segment {
  fileprivate func precedes(_ other: Self) -> Bool {
    distance != other.distance ? distance < other.distance : isBefore(other)
  }

  /// Returns whether the segment precedes another one at the same point: segments that are open to all come first.
  func isBefore(_ other: Self) -> Bool {
    if isEndsOnly != other.isEndsOnly { return other.isEndsOnly }
    return (street, segment) < (other.street, other.segment)
  }
}

/// The state of a search for segments near a place.
struct NearestSearch: ~Copyable {
  private let plane: PlaceVectors
  /// The snap limit in units of 1e-7 degrees of latitude, as are all distances.
  private let reach: Double
  /// The squared distance beyond which boxes are excluded.
  private(set) var bound: Double
  /// The minimum distance.
  private var minimum = Double.infinity
  /// The segments that were at the minimum distance when they were visited.
  var ties: [StreetSearch.Segment] = []
  private let memory: SnapMemory
  private let metresPerDegree = Coordinate.metresPerDegree

  /// The difference, in units, up to which distances count as equal: the distance to one point may differ between
  /// segments.
  private static let tieDistance = 3.0
  /// Slightly more than one, so that rounding does not lose a tie.
  private static let tolerance = 1.000_001

  init(_ place: Coordinate, limit: Double, _ memory: SnapMemory) {
    reach = limit / metresPerDegree * 1e7
    bound = min(reach * reach * NearestSearch.tolerance, .greatestFiniteMagnitude)
    plane = PlaceVectors(place)
    self.memory = memory
  }

  /// Lowers the bound to the distance of a run that will be visited, if it is near, plus a few centimetres: a segment
  /// that does not tie with the final minimum may have tied when it was visited, and be at the same point.
  mutating func expect(_ run: StreetIndex.Run) {
    guard !memory.streets[Int(run.street)].flags.contains(.unsnapped) else { return }
    let (segments, _) = segments(of: run)
    _ = plane.measure(memory.points(from: segments.lowerBound), segments.count, within: bound, memory)
    var squared = Double.infinity
    for lane in 0..<segments.count { squared = min(squared, memory.squares[lane]) }
    let distance = squared.squareRoot()
    guard distance <= reach else { return }
    lowerBound(to: distance + penalty(of: run) + 3 * NearestSearch.tieDistance)
  }

  private mutating func lowerBound(to distance: Double) {
    bound = min(bound, distance * distance * NearestSearch.tolerance)
  }

  /// Returns which of at most sixteen boxes are within the bound, one bit each; writes their squared distances to the
  /// memory.
  func near(_ boxes: UnsafePointer<BoundingBox>, _ count: Int) -> UInt64 {
    guard count < StreetIndex.fanOut else { return plane.measure(boxes, within: bound, memory) }
    // Vector loads read sixteen boxes.
    memory.boxes.update(from: boxes, count: count)
    return plane.measure(memory.boxes, within: bound, memory) & (1 << UInt64(count) - 1)
  }

  /// Visits a run. Returns whether it is nearer than all previous ones.
  mutating func visit(_ run: StreetIndex.Run) -> Bool {
    let (segments, shape) = segments(of: run)
    let flags = memory.streets[Int(run.street)].flags
    if flags.contains(.unsnapped) {
      visitLandings(of: run, flags, segments, shape)
      return false
    }
    var near =
      plane.measure(memory.points(from: segments.lowerBound), segments.count, within: bound, memory)
      & (1 << UInt64(segments.count) - 1)
    let before = minimum
    while near != 0 {
      let lane = near.trailingZeroBitCount
      near &= near - 1
      consider(run, segments.lowerBound + lane - shape, memory.alongs[lane], memory.squares[lane].squareRoot())
    }
    guard minimum < before else { return false }
    lowerBound(to: minimum + NearestSearch.tieDistance)
    return true
  }

  /// Visits a run of a ferry, which can only be snapped to near its landings: a map that ends at a river has piers, but
  /// not the streets on the other bank.
  private mutating func visitLandings(
    of run: StreetIndex.Run, _ flags: StreetFlags, _ segments: Range<Int>, _ shape: Int
  ) {
    let before = minimum
    let farthest = Snap.landingLimit / metresPerDegree * 1e7
    let bound = min(bound, farthest * farthest)
    func squared(_ point: Int) -> Double { plane.squaredDistance(to: memory.points(from: point)[0]) }
    if flags.contains(.landsAtTail), segments.lowerBound == shape, squared(shape) <= bound {
      consider(run, 0, 0, squared(shape).squareRoot())
    }
    let last = segments.upperBound - 1
    if flags.contains(.landsAtHead), isLast(last, ofStreet: Int(run.street)), squared(last + 1) <= bound {
      consider(run, last - shape, 1, squared(last + 1).squareRoot())
    }
    if minimum < before { lowerBound(to: minimum + NearestSearch.tieDistance) }
  }

  private func isLast(_ segment: Int, ofStreet street: Int) -> Bool {
    let end = street + 1 < memory.streetCount ? Int(memory.streets[street + 1].firstPoint) : memory.pointCount
    return segment == end - 2
  }

  private mutating func consider(_ run: StreetIndex.Run, _ segment: Int, _ along: Double, _ distance: Double) {
    guard distance <= reach else { return }
    let distance = distance + penalty(of: run)
    guard distance <= minimum + NearestSearch.tieDistance else { return }
    if minimum > distance + NearestSearch.tieDistance { ties.removeAll(keepingCapacity: true) }
    minimum = min(minimum, distance)
    let isEndsOnly = memory.streets[Int(run.street)].flags.contains(.endsOnly)
    ties.append(
      StreetSearch.Segment(
        street: run.street, segment: segment, along: along, distance: distance, isEndsOnly: isEndsOnly))
  }

  private func penalty(of run: StreetIndex.Run) -> Double {
    let attributes = memory.attributes[Int(memory.streets[Int(run.street)].attributes)]
    return Double(attributes.snapPenalty) / metresPerDegree * 1e7
  }

  /// Returns the start points of the run's segments, and the first point of their street.
  @inline(__always)
  private func segments(of run: StreetIndex.Run) -> (Range<Int>, shape: Int) {
    let street = Int(run.street)
    let shape = Int(memory.streets[street].firstPoint)
    let end = street + 1 < memory.streetCount ? Int(memory.streets[street + 1].firstPoint) : memory.pointCount
    let first = shape + Int(run.segment)
    return (first..<min(first + StreetIndex.runLength, end - 1), shape)
  }
}

// Sixteen boxes take 200 instructions, four segments 60. Constants are also vectors: Swift 6.3 compiles `replace(with:
// 0, where:)` to a branch per lane, but to one instruction with a vector. Results go through memory, and the functions
// are not inlined, since vectors that are live across branches are split.

/// The tangent plane at a place: units of 1e-7 degrees of latitude, with x scaled by the cosine of the latitude.
struct PlaceVectors: BitwiseCopyable {
  private let x: Double
  private let y: Double
  private let xScale: Double

  private typealias DoubleVector = SIMD4<Double>

  init(_ place: Coordinate) {
    (x, y) = (place.longitude * 1e7, place.latitude * 1e7)
    xScale = max(1e-6, cos(place.latitude * .pi / 180))
  }

  func squaredDistance(to point: FixedCoordinate) -> Double {
    let (dx, dy) = ((Double(point.longitude) - x) * xScale, Double(point.latitude) - y)
    return dx * dx + dy * dy
  }

  /// Writes the squared distances of sixteen boxes. Returns the boxes within a squared bound as one bit each.
  @inline(never)
  func measure(_ boxes: UnsafePointer<BoundingBox>, within bound: Double, _ memory: SnapMemory) -> UInt64 {
    let boxes = UnsafeRawPointer(boxes)
    var near = SIMD4<Int64>()
    for first in stride(from: 0, to: StreetIndex.fanOut, by: 4) {
      let corners = (boxes + first &* 16).loadUnaligned(as: SIMD16<Int32>.self)
      let (longitudes, latitudes) = (corners.evenHalf, corners.oddHalf)
      let dx = PlaceVectors.gap(longitudes.evenHalf, longitudes.oddHalf, x) * DoubleVector(repeating: xScale)
      let dy = PlaceVectors.gap(latitudes.evenHalf, latitudes.oddHalf, y)
      let squared = dx * dx + dy * dy
      UnsafeMutableRawPointer(memory.squares + first).storeBytes(of: squared, as: DoubleVector.self)
      near |= PlaceVectors.bits(squared, within: bound, first)
    }
    return UInt64(bitPattern: near.wrappedSum())
  }

  /// Returns the distances of a number from four ranges.
  @inline(__always)
  private static func gap(_ low: SIMD4<Int32>, _ high: SIMD4<Int32>, _ number: Double) -> DoubleVector {
    let number = DoubleVector(repeating: number)
    var gap = DoubleVector(low) - number
    let behind = number - DoubleVector(high)
    gap.replace(with: behind, where: behind .> gap)
    gap.replace(with: DoubleVector(), where: gap .< DoubleVector())
    return gap
  }

  @inline(__always)
  private static func bits(_ squared: DoubleVector, within bound: Double, _ first: Int) -> SIMD4<Int64> {
    let bits = SIMD4<Int64>(1, 2, 4, 8) &<< SIMD4(repeating: Int64(first))
    return unsafeBitCast(squared .<= DoubleVector(repeating: bound), to: SIMD4<Int64>.self) & bits
  }

  /// Writes the squared distances of segments, four at a time, and their nearest points. Returns the segments within a
  /// squared bound as one bit each; bits after the last segment are undefined.
  @inline(never)
  func measure(
    _ points: UnsafePointer<FixedCoordinate>, _ count: Int, within bound: Double, _ memory: SnapMemory
  ) -> UInt64 {
    var near = SIMD4<Int64>()
    for first in stride(from: 0, to: count, by: 4) {
      let (a, b) = (PlaceVectors.split(points + first), PlaceVectors.split(points + first + 1))
      let (x, y, xScale) = (DoubleVector(repeating: x), DoubleVector(repeating: y), DoubleVector(repeating: xScale))
      let (zero, one) = (DoubleVector(), DoubleVector(repeating: 1))
      let ax = (a.x - x) * xScale
      let ay = a.y - y
      let dx = (b.x - a.x) * xScale
      let dy = b.y - a.y
      let squaredLength = dx * dx + dy * dy
      var along = (zero - (ax * dx + ay * dy)) / squaredLength
      along.replace(with: zero, where: along .< zero)
      along.replace(with: zero, where: squaredLength .== zero)
      along.replace(with: one, where: along .> one)
      // The far end of a segment must be exactly as near as the start of the next one.
      let px = (ax + along * dx).replacing(with: (b.x - x) * xScale, where: along .== one)
      let py = (ay + along * dy).replacing(with: b.y - y, where: along .== one)
      let squared = px * px + py * py
      UnsafeMutableRawPointer(memory.alongs + first).storeBytes(of: along, as: DoubleVector.self)
      UnsafeMutableRawPointer(memory.squares + first).storeBytes(of: squared, as: DoubleVector.self)
      near |= PlaceVectors.bits(squared, within: bound, first)
    }
    return UInt64(bitPattern: near.wrappedSum())
  }

  /// Splits four points into their longitudes and latitudes.
  @inline(__always)
  private static func split(_ points: UnsafePointer<FixedCoordinate>) -> (x: DoubleVector, y: DoubleVector) {
    let pairs = UnsafeRawPointer(points).loadUnaligned(as: SIMD8<Int32>.self)
    return (DoubleVector(pairs.evenHalf), DoubleVector(pairs.oddHalf))
  }
}

/// The columns of a search, without reference counting, and its working memory.
struct SnapMemory: BitwiseCopyable {
  let streets: UnsafePointer<Street>
  let streetCount: Int
  let attributes: UnsafePointer<StreetAttributes>
  let pointCount: Int
  private let points: UnsafePointer<FixedCoordinate>

  /// Squared distances of sixteen boxes, or of the segments of a run, and the positions of the nearest points along the
  /// segments.
  let squares: UnsafeMutablePointer<Double>
  let alongs: UnsafeMutablePointer<Double>
  /// A copy of the boxes of a node that has fewer than sixteen.
  let boxes: UnsafeMutablePointer<BoundingBox>
  /// The last points, followed by repetitions of the very last one, since vector loads read beyond it.
  private let tail: UnsafeMutablePointer<FixedCoordinate>
  private let tailStart: Int

  private static let pointsRead = StreetIndex.runLength + 1

  init(_ network: StreetNetwork) {
    (streets, streetCount) = (network.streets.base, network.streets.count)
    attributes = network.attributes.base
    (points, pointCount) = (network.points.base, network.points.count)
    squares = .allocate(capacity: StreetIndex.fanOut)
    alongs = .allocate(capacity: StreetIndex.runLength)
    boxes = .allocate(capacity: StreetIndex.fanOut)
    boxes.initialize(repeating: .empty, count: StreetIndex.fanOut)
    tailStart = max(0, pointCount - SnapMemory.pointsRead)
    tail = .allocate(capacity: 2 * SnapMemory.pointsRead)
    for index in 0..<2 * SnapMemory.pointsRead where pointCount > 0 {
      (tail + index).initialize(to: points[min(tailStart + index, pointCount - 1)])
    }
  }

  func deallocate() {
    squares.deallocate()
    alongs.deallocate()
    boxes.deallocate()
    tail.deallocate()
  }

  /// Returns the point at index `first` and at least eight more: those of a run.
  @inline(__always)
  func points(from first: Int) -> UnsafePointer<FixedCoordinate> {
    first + SnapMemory.pointsRead <= pointCount ? points + first : UnsafePointer(tail + (first - tailStart))
  }
}
