/// Percentiles of a cell's travel times over its departures, by a sorting network that sorts vectors of cells.
///
/// Nearest rank: of n sorted times percentile p is the ⌈p·n/100⌉-th, and percentile 0 the first; an unreachable time is
/// longer than any other. The network is Batcher's odd-even merge exchange (K. E. Batcher 1968; D. E. Knuth, The Art of
/// Computer Programming 3, 5.2.2, algorithm M), without the comparators that no requested rank depends on.
package struct PercentileNetwork: Sendable {
  /// The number of departures.
  let count: Int
  /// For each percentile the position of its time after sorting.
  let positions: [Int]
  /// Pairs of positions; the lesser time moves to the first.
  package let comparators: [Comparator]

  /// Two positions of a network.
  package struct Comparator: Sendable, BitwiseCopyable {
    let first: Int32
    let second: Int32
  }

  /// The index of a percentile among sorted times: of n the ⌈p·n/100⌉-th (nearest rank); 0 is the first.
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
    var kept: [Comparator] = []
    for comparator in PercentileNetwork.mergeExchange(count).reversed() {
      let (first, second) = (Int(comparator.first), Int(comparator.second))
      guard isNeeded[first] || isNeeded[second] else { continue }
      (isNeeded[first], isNeeded[second]) = (true, true)
      kept.append(comparator)
    }
    comparators = kept.reversed()
  }

  /// All comparators that sort `count` numbers.
  private static func mergeExchange(_ count: Int) -> [Comparator] {
    var comparators: [Comparator] = []
    var top = 1
    while top * 2 < count { top *= 2 }
    var p = top
    while p > 0, count > 1 {
      var (q, r, d) = (top, 0, p)
      while true {
        for first in 0..<max(0, count - d) where first & p == r {
          comparators.append(Comparator(first: Int32(first), second: Int32(first + d)))
        }
        guard q != p else { break }
        (d, q, r) = (q - p, q / 2, p)
      }
      p /= 2
    }
    return comparators
  }
}
