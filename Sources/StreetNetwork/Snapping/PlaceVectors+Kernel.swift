import Foundation
import Geography

// Sixteen boxes in 200 instructions, four segments in 60. Constants are vectors, too: Swift 6.3 makes a branch per lane
// of `replace(with: 0, where:)`, but one instruction of the same with a vector. Results go through memory, and the
// functions are not inlined, for vectors that live across branches are taken apart.

/// The plane that touches the earth at a place: units of 1e-7 degrees of latitude, x shrunk by its latitude's cosine.
struct PlaceVectors: BitwiseCopyable {
  private let x: Double
  private let y: Double
  private let shrink: Double

  private typealias Four = SIMD4<Double>

  init(_ place: Coordinate) {
    (x, y) = (place.longitude * 1e7, place.latitude * 1e7)
    shrink = max(1e-6, cos(place.latitude * .pi / 180))
  }

  /// The squared distance of a point.
  func squaredDistance(to point: FixedCoordinate) -> Double {
    let (dx, dy) = ((Double(point.longitude) - x) * shrink, Double(point.latitude) - y)
    return dx * dx + dy * dy
  }

  /// Writes the squared distances of sixteen boxes. *Returns*: which are within a squared bound, a bit each.
  @inline(never)
  func measure(_ boxes: UnsafePointer<BoundingBox>, within bound: Double, _ memory: SnapMemory) -> UInt64 {
    let boxes = UnsafeRawPointer(boxes)
    var near = SIMD4<Int64>()
    for first in stride(from: 0, to: StreetIndex.fanOut, by: 4) {
      let corners = (boxes + first &* 16).loadUnaligned(as: SIMD16<Int32>.self)
      let (longitudes, latitudes) = (corners.evenHalf, corners.oddHalf)
      let dx = PlaceVectors.gap(longitudes.evenHalf, longitudes.oddHalf, x) * Four(repeating: shrink)
      let dy = PlaceVectors.gap(latitudes.evenHalf, latitudes.oddHalf, y)
      let squared = dx * dx + dy * dy
      UnsafeMutableRawPointer(memory.squares + first).storeBytes(of: squared, as: Four.self)
      near |= PlaceVectors.bits(squared, within: bound, first)
    }
    return UInt64(bitPattern: near.wrappedSum())
  }

  /// How far a number is outside of ranges.
  @inline(__always)
  private static func gap(_ low: SIMD4<Int32>, _ high: SIMD4<Int32>, _ number: Double) -> Four {
    let number = Four(repeating: number)
    var gap = Four(low) - number
    let behind = number - Four(high)
    gap.replace(with: behind, where: behind .> gap)
    gap.replace(with: Four(), where: gap .< Four())
    return gap
  }

  @inline(__always)
  private static func bits(_ squared: Four, within bound: Double, _ first: Int) -> SIMD4<Int64> {
    let bits = SIMD4<Int64>(1, 2, 4, 8) &<< SIMD4(repeating: Int64(first))
    return unsafeBitCast(squared .<= Four(repeating: bound), to: SIMD4<Int64>.self) & bits
  }

  /// Writes the squared distances of segments, by fours, and where they are nearest. *Returns*: which are within a
  /// squared bound, a bit each; those behind the last mean nothing.
  @inline(never)
  func measure(
    _ points: UnsafePointer<FixedCoordinate>, _ count: Int, within bound: Double, _ memory: SnapMemory
  ) -> UInt64 {
    var near = SIMD4<Int64>()
    for first in stride(from: 0, to: count, by: 4) {
      let (a, b) = (PlaceVectors.split(points + first), PlaceVectors.split(points + first + 1))
      let (x, y, shrink) = (Four(repeating: x), Four(repeating: y), Four(repeating: shrink))
      let (zero, one) = (Four(), Four(repeating: 1))
      let ax = (a.x - x) * shrink
      let ay = a.y - y
      let dx = (b.x - a.x) * shrink
      let dy = b.y - a.y
      let squaredLength = dx * dx + dy * dy
      var along = (zero - (ax * dx + ay * dy)) / squaredLength
      along.replace(with: zero, where: along .< zero)
      along.replace(with: zero, where: squaredLength .== zero)
      along.replace(with: one, where: along .> one)
      // At its far end the segment is exactly as near as the one that begins there.
      let px = (ax + along * dx).replacing(with: (b.x - x) * shrink, where: along .== one)
      let py = (ay + along * dy).replacing(with: b.y - y, where: along .== one)
      let squared = px * px + py * py
      UnsafeMutableRawPointer(memory.alongs + first).storeBytes(of: along, as: Four.self)
      UnsafeMutableRawPointer(memory.squares + first).storeBytes(of: squared, as: Four.self)
      near |= PlaceVectors.bits(squared, within: bound, first)
    }
    return UInt64(bitPattern: near.wrappedSum())
  }

  /// Four points as their longitudes and latitudes.
  @inline(__always)
  private static func split(_ points: UnsafePointer<FixedCoordinate>) -> (x: Four, y: Four) {
    let pairs = UnsafeRawPointer(points).loadUnaligned(as: SIMD8<Int32>.self)
    return (Four(pairs.evenHalf), Four(pairs.oddHalf))
  }
}
