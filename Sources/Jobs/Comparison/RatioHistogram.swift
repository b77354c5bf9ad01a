import Tables

/// The distribution of relative changes, to a hundredth of a per cent, from −100 % to +1,900 %.
struct RatioHistogram {
  private static let most = 190_000
  private var counts = [Int](repeating: 0, count: 10_000 + RatioHistogram.most + 1)
  private(set) var count = 0

  mutating func add(_ ratio: Double) {
    count += 1
    counts[Int((max(-1, min(19, ratio)) * 10_000).rounded()) + 10_000] += 1
  }

  /// The ratio that a share of all does not exceed; 0 where there are none.
  func quantile(_ share: Double) -> Double {
    var rest = Int((share * Double(max(0, count - 1))).rounded())
    guard count > 0 else { return 0 }
    for (bucket, count) in counts.enumerated() {
      if rest < count { return Double(bucket - 10_000) / 10_000 }
      rest -= count
    }
    return 19
  }

  var mean: Double {
    guard count > 0 else { return 0 }
    let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset - 10_000) * Double($1.element) }
    return sum / 10_000 / Double(count)
  }
}
