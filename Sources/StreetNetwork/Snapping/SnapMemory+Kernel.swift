import Geography
import Hierarchy

/// The columns that a search reads, without counting references to them, and its working memory.
struct SnapMemory: BitwiseCopyable {
  let streets: UnsafePointer<Street>
  let streetCount: Int
  let attributes: UnsafePointer<StreetAttributes>
  let pointCount: Int
  private let points: UnsafePointer<FixedCoordinate>

  /// Squared distances of sixteen boxes, or of the segments of a run, and where these are nearest.
  let squares: UnsafeMutablePointer<Double>
  let alongs: UnsafeMutablePointer<Double>
  /// The boxes of a node that has fewer than sixteen.
  let boxes: UnsafeMutablePointer<BoundingBox>
  /// The last points, and the last of them again: vectors read beyond it.
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

  /// Nine points and more from the first one of a run.
  @inline(__always)
  func points(from first: Int) -> UnsafePointer<FixedCoordinate> {
    first + SnapMemory.pointsRead <= pointCount ? points + first : UnsafePointer(tail + (first - tailStart))
  }
}
