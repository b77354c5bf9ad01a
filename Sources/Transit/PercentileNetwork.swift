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
    precondition(count > 0 && percentiles.allSatisfy { (0...100).contains($0) }, "no such percentile")
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
