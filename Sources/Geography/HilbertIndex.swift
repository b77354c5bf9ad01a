/// The position of a point along a Hilbert curve over the whole earth (32 bits): nearby points get nearby values.
package struct HilbertIndex: Comparable, Sendable, BitwiseCopyable {
  package let value: UInt32

  /// D. Hilbert 1891; the bitwise walk down the quadrants, 16 levels (cells of about 600 m by 300 m),
  /// within a box if one is given (cells of box / 65,536).
  package init(_ point: FixedCoordinate, in box: BoundingBox = .earth) {
    var x = HilbertIndex.cell(point.longitude, from: box.minLongitude, to: box.maxLongitude)
    var y = HilbertIndex.cell(point.latitude, from: box.minLatitude, to: box.maxLatitude)
    var index: UInt32 = 0
    var side: UInt32 = 1 << 15
    while side > 0 {
      let right: UInt32 = x & side > 0 ? 1 : 0
      let upper: UInt32 = y & side > 0 ? 1 : 0
      index = index << 2 | ((3 * right) ^ upper)
      if upper == 0 {
        if right == 1 {
          x = 65_535 - x
          y = 65_535 - y
        }
        swap(&x, &y)
      }
      side >>= 1
    }
    value = index
  }

  private static func cell(_ value: Int32, from low: Int32, to high: Int32) -> UInt32 {
    guard high > low else { return 0 }
    let clamped = min(max(value, low), high)
    return UInt32((Int64(clamped) - Int64(low)) * 65_535 / (Int64(high) - Int64(low)))
  }

  package static func < (a: HilbertIndex, b: HilbertIndex) -> Bool { a.value < b.value }
}

extension BoundingBox {
  package static let earth = BoundingBox(
    minLongitude: -1_800_000_000, minLatitude: -900_000_000,
    maxLongitude: 1_800_000_000, maxLatitude: 900_000_000)
}
