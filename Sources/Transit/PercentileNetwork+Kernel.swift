import Hierarchy

/// A sorting network that computes percentiles of travel times over departures, for vectors of cells.
///
/// Percentiles are nearest-rank: percentile p of n sorted times is the ⌈p·n/100⌉-th, and percentile 0 the first;
/// unreachable times sort last. The network is Batcher's odd-even merge exchange (K. E. Batcher 1968; D. E. Knuth, The
/// Art of Computer Programming 3, 5.2.2, algorithm M), without comparators that affect no requested rank.
package struct PercentileNetwork: Sendable {
  /// The number of departures.
  let count: Int
  /// The position of each percentile's time after sorting.
  let positions: [Int]
  /// Pairs of positions to compare; the lesser time moves to the first.
  package let comparators: [(first: Int32, second: Int32)]

  /// Returns the index of a percentile among n sorted times: the ⌈p·n/100⌉-th (nearest rank), or the first for 0.
  package static func rank(_ percentile: Int, of count: Int) -> Int { max(1, (percentile * count + 99) / 100) - 1 }

  /// - Parameters:
  ///   - count: The number of departures, at least one.
  ///   - percentiles: From 0 to 100, in the order of the results.
  package init(count: Int, percentiles: [Int]) {
    precondition(
      count > 0 && percentiles.allSatisfy { (0...100).contains($0) },
      "expected departures, and percentiles from 0 to 100")
    self.count = count
    let positions = percentiles.map { PercentileNetwork.rank($0, of: count) }
    self.positions = positions
    var isNeeded = [Bool](repeating: false, count: count)
    for position in positions { isNeeded[position] = true }
    var kept: [(first: Int32, second: Int32)] = []
    for comparator in PercentileNetwork.mergeExchange(count).reversed() {
      let (first, second) = (Int(comparator.first), Int(comparator.second))
      guard isNeeded[first] || isNeeded[second] else { continue }
      (isNeeded[first], isNeeded[second]) = (true, true)
      kept.append(comparator)
    }
    comparators = kept.reversed()
  }

  /// Returns all comparators that sort `count` numbers.
  private static func mergeExchange(_ count: Int) -> [(first: Int32, second: Int32)] {
    var comparators: [(first: Int32, second: Int32)] = []
    var top = 1
    while top * 2 < count { top *= 2 }
    var p = top
    while p > 0, count > 1 {
      var (q, r, d) = (top, 0, p)
      while true {
        for first in 0..<max(0, count - d) where first & p == r {
          comparators.append((Int32(first), Int32(first + d)))
        }
        guard q != p else { break }
        (d, q, r) = (q - p, q / 2, p)
      }
      p /= 2
    }
    return comparators
  }
}

/// The times of 32 cells in milliseconds, as two vectors, since wider ones are not vectorized (Swift 6.3).
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
