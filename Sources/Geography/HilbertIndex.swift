/// The position of a point along a Hilbert curve over the whole earth (32 bits): nearby points get nearby values.
package struct HilbertIndex: Sendable, BitwiseCopyable {
  package let value: UInt32

  /// Computes the position (D. Hilbert 1891) with 16 levels of quadrants: cells of about 600 m by 300 m, or 1/65,536 of
  /// the sides of a given box.
  package init(_ point: FixedCoordinate, in box: BoundingBox = .earth) {
    let x = HilbertIndex.cell(point.longitude, from: box.minLongitude, to: box.maxLongitude)
    let y = HilbertIndex.cell(point.latitude, from: box.minLatitude, to: box.maxLatitude)
    value = HilbertIndex.index(x, y)
  }

  /// Returns the index of a cell in a grid of 65,536 x 65,536. All levels are computed at once: the rotations of higher
  /// levels are composed over two levels, then four, eight and all ("rawrunprotected" 2016, as in V. Agafonkin's
  /// flatbush). Branch-free, since branches would be unpredictable.
  static func index(_ x: UInt32, _ y: UInt32) -> UInt32 {
    let all: UInt32 = 0xFFFF
    var (a, b, c, d) = (x ^ y, all ^ x ^ y, all ^ (x | y), x & (y ^ all))
    (a, b, c, d) = (a | (b &>> 1), (a &>> 1) ^ a, (c &>> 1) ^ (b & (d &>> 1)) ^ c, (a & (c &>> 1)) ^ (d &>> 1) ^ d)
    var shift: UInt32 = 2
    while shift <= 8 {
      (a, b, c, d) = (
        (a & (a &>> shift)) ^ (b & (b &>> shift)), (a & (b &>> shift)) ^ (b & ((a ^ b) &>> shift)),
        c ^ (a & (c &>> shift)) ^ (b & (d &>> shift)), d ^ (b & (c &>> shift)) ^ ((a ^ b) & (d &>> shift))
      )
      shift *= 2
    }
    let low = x ^ y
    let high = (d ^ (d &>> 1)) | (all ^ (low | (c ^ (c &>> 1))))
    return spread(high) &<< 1 | spread(low)
  }

  /// Spreads sixteen bits to every other bit position.
  private static func spread(_ bits: UInt32) -> UInt32 {
    var bits = (bits | bits << 8) & 0x00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333
    return (bits | bits << 1) & 0x5555_5555
  }

  private static func cell(_ value: Int32, from low: Int32, to high: Int32) -> UInt32 {
    guard high > low else { return 0 }
    let clamped = min(max(value, low), high)
    // Everything but the quotient is exact, and the quotient is never close enough to the next integer to round up to
    // it.
    let (part, whole) = (Double(clamped) - Double(low), Double(high) - Double(low))
    return UInt32(part * 65_535 / whole)
  }
}

extension HilbertIndex {
  /// Returns the order of points along the curve within a box (by default, the points' box): neighbours on the map are
  /// mostly consecutive. Invalid points are among the first.
  package static func order(of points: [FixedCoordinate?], in box: BoundingBox? = nil) -> [Int] {
    precondition(points.count <= 1 << 32, "too many points")
    let box = box ?? BoundingBox(around: points.lazy.compactMap(\.self))
    var keys = points.indices.map { index in
      UInt64(points[index].map { HilbertIndex($0, in: box).value } ?? 0) << 32 | UInt64(index)
    }
    keys.radixSort()
    return keys.map { Int($0 & 0xFFFF_FFFF) }
  }
}

extension BoundingBox {
  package static let earth = BoundingBox(
    minLongitude: -1_800_000_000, minLatitude: -900_000_000, maxLongitude: 1_800_000_000, maxLatitude: 900_000_000)
}
