import Hierarchy

/// The times of 32 cells in milliseconds, as two vectors, since wider ones are not vectorised (Swift 6.3).
struct TimeLanes: BitwiseCopyable {
  var low: SIMD16<UInt32>
  var high: SIMD16<UInt32>

  static let count = 32

  @inline(__always)
  init(repeating value: UInt32) { (low, high) = (SIMD16(repeating: value), SIMD16(repeating: value)) }

  @inline(__always)
  mutating func lower(to other: TimeLanes) {
    low.replace(with: other.low, where: other.low .< low)
    high.replace(with: other.high, where: other.high .< high)
  }

  /// Sets `a` to the lesser and `b` to the greater times.
  @inline(__always)
  static func sort(_ a: UnsafeMutablePointer<TimeLanes>, _ b: UnsafeMutablePointer<TimeLanes>) {
    let (first, second) = (a.pointee, b.pointee)
    let (isLow, isHigh) = (second.low .< first.low, second.high .< first.high)
    a.pointee.low = first.low.replacing(with: second.low, where: isLow)
    a.pointee.high = first.high.replacing(with: second.high, where: isHigh)
    b.pointee.low = second.low.replacing(with: first.low, where: isLow)
    b.pointee.high = second.high.replacing(with: first.high, where: isHigh)
  }
}

extension PercentileNetwork {
  /// Moves the time of each percentile to its position. `times` has one element per departure.
  func sort(_ times: UnsafeMutablePointer<TimeLanes>) {
    comparators.withUnsafeBufferPointer { comparators in
      for comparator in comparators { TimeLanes.sort(times + Int(comparator.first), times + Int(comparator.second)) }
    }
  }

  /// Fills a block with the percentiles of another block, for engines that compute one row per departure.
  ///
  /// - Parameters:
  ///   - block: Receives a row for each origin and percentile, from row 0 on, origin by origin.
  ///   - times: Has a row for each origin and departure, in the same order, and the same number of columns. Lengths are
  ///     ignored.
  package func fill(_ block: MatrixBlock, from times: MatrixBlock) {
    precondition(
      times.rows.count % count == 0 && times.columns == block.columns, "expected a row per origin and departure")
    let origins = times.rows.count / count
    block.reset(0..<origins * positions.count)
    let lanes = UnsafeMutablePointer<TimeLanes>.allocate(capacity: count)
    defer { lanes.deallocate() }
    for origin in 0..<origins {
      // Rows are padded to a multiple of the lane count.
      for column in stride(from: 0, to: block.columns, by: TimeLanes.count) {
        for index in 0..<count {
          let row = UnsafeRawPointer(times.milliseconds(row: origin * count + index) + column)
          lanes[index] = row.load(as: TimeLanes.self)
        }
        sort(lanes)
        for (index, position) in positions.enumerated() {
          let row = UnsafeMutableRawPointer(block.milliseconds(row: origin * positions.count + index) + column)
          row.storeBytes(of: lanes[position], as: TimeLanes.self)
        }
      }
    }
  }
}
