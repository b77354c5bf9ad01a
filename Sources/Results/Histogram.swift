/// How many values of a measure lie in each of some forty stretches of equal width, wide in round numbers.
///
/// The last one reaches to the greatest value: a few far ones do not squeeze all others into one.
package struct Histogram: Sendable, Hashable {
  /// As in `Statistic`.
  package let scope: String
  package let measure: Statistic.Measure
  package private(set) var bins: [Bin]
  private let width: Double

  /// Values from `low`, and less than `high`; the last bin's `high` belongs to it.
  package struct Bin: Sendable, Hashable {
    package var low: Double
    package var high: Double
    package var count: Int
    package init(low: Double, high: Double, count: Int) { (self.low, self.high, self.count) = (low, high, count) }
  }

  private static let mostBins = 40.0

  /// For values from `least` to `greatest`, 99 in 100 of them at most `usual`. Empty so far.
  init(scope: String, _ measure: Statistic.Measure, least: Double, usual: Double, greatest: Double) {
    self.scope = scope
    self.measure = measure
    // Equal values, or nearly so, are one stretch of a hundredth of them.
    let exact = max(usual - least, abs(usual) / 100, 1e-6) / Histogram.mostBins
    let ten = Histogram.powerOfTen(below: exact)
    var width = [1, 2, 5, 10].map { $0 * ten }.first { $0 >= exact * 0.999_999 } ?? 10 * ten
    if measure.isWhole { width = max(1, width.rounded(.up)) }
    self.width = width
    let start = (least / width).rounded(.down)
    let count = max(1, Int((usual / width).rounded(.down) - start) + 1)
    // Edges are whole multiples of the width, by one rounding each.
    bins = (0..<count).map { Bin(low: (start + Double($0)) * width, high: (start + Double($0 + 1)) * width, count: 0) }
    bins[count - 1].high = max(bins[count - 1].high, greatest)
  }

  /// One out of a database.
  init(scope: String, _ measure: Statistic.Measure, bins: [Bin]) {
    self.scope = scope
    self.measure = measure
    self.bins = bins
    width = bins.first.map { $0.high - $0.low } ?? 1
  }

  private static func powerOfTen(below value: Double) -> Double {
    var power = 1.0
    while power > value { power /= 10 }
    while power * 10 <= value { power *= 10 }
    return power
  }

  mutating func add(_ value: Double, count: Int = 1) {
    var bin = min(max(0, Int((value - bins[0].low) / width)), bins.count - 1)
    // A quotient may round across an edge.
    while bin > 0 && value < bins[bin].low { bin -= 1 }
    while bin + 1 < bins.count && value >= bins[bin].high { bin += 1 }
    bins[bin].count += count
  }
}

/// All values of some measures, and how they are spread.
package struct Measures {
  let scope: String
  private var values: [Statistic.Measure: [Double]] = [:]
  private var known: (Statistic, Histogram)?

  package init(scope: String) { self.scope = scope }

  /// What is known of a measure whose single values are not kept.
  init(_ statistic: Statistic, _ histogram: Histogram) {
    scope = statistic.scope
    known = (statistic, histogram)
  }

  package mutating func add(_ value: Double, to measure: Statistic.Measure) {
    values[measure, default: []].append(value)
  }

  /// These, and some measures of others in the place of their own.
  func taking(_ taken: [Statistic.Measure], from others: Measures?) -> Measures {
    var all = self
    for measure in taken { all.values[measure] = others?.values[measure] }
    return all
  }

  /// How each measure is spread, and a histogram of it; none of groups, of which there may be many.
  package func spread() -> [(statistic: Statistic, histogram: Histogram?)] {
    let counted = Statistic.Measure.allCases.compactMap { measure -> (Statistic, Histogram?)? in
      guard let sorted = values[measure]?.sorted(), !sorted.isEmpty else { return nil }
      let statistic = Statistic(scope: scope, measure: measure, sorted: sorted)
      guard !scope.hasPrefix("group:") else { return (statistic, nil) }
      var histogram = Histogram(
        scope: scope, measure, least: sorted.first!, usual: sorted[min(sorted.count - 1, sorted.count * 99 / 100)],
        greatest: sorted.last!)
      for value in sorted { histogram.add(value) }
      return (statistic, histogram)
    }
    return (known.map { [($0.0, $0.1)] } ?? []) + counted
  }
}
