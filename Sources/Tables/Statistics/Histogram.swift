/// A histogram of a measure, with up to about forty bins of equal, round width.
///
/// The last bin extends to the largest value, so that a few outliers do not compress all other values into one bin.
package struct Histogram: Sendable, Hashable {
  /// As in `Statistic`.
  package let scope: String
  package let measure: Statistic.Measure
  package private(set) var bins: [Bin]
  private let width: Double

  /// Values from `low` (inclusive) to `high` (exclusive, except in the last bin).
  package struct Bin: Sendable, Hashable {
    package var low: Double
    package var high: Double
    package var count: Int
    package init(low: Double, high: Double, count: Int) { (self.low, self.high, self.count) = (low, high, count) }
  }

  private static let maximumBins = 40.0

  /// Creates an empty histogram for values from `minimum` to `maximum`, 99 % of them at most `p99`.
  package init(scope: String, _ measure: Statistic.Measure, minimum: Double, p99: Double, maximum: Double) {
    self.scope = scope
    self.measure = measure
    // The range is at least 1 % of the 99th percentile, so that almost equal values are not split into tiny bins.
    let minimumWidth = max(p99 - minimum, abs(p99) / 100, 1e-6) / Histogram.maximumBins
    let ten = Histogram.powerOfTen(below: minimumWidth)
    var width = [1, 2, 5, 10].map { $0 * ten }.first { $0 >= minimumWidth * 0.999_999 } ?? 10 * ten
    if measure.isWhole { width = max(1, width.rounded(.up)) }
    self.width = width
    let start = (minimum / width).rounded(.down)
    let count = max(1, Int((p99 / width).rounded(.down) - start) + 1)
    // Edges are integer multiples of the width, each rounded once.
    bins = (0..<count).map { Bin(low: (start + Double($0)) * width, high: (start + Double($0 + 1)) * width, count: 0) }
    bins[count - 1].high = max(bins[count - 1].high, maximum)
  }

  /// Returns the histograms of rows, which are ordered by scope, measure and bin.
  package static func histograms(of rows: [HistogramRow]) -> [Histogram] {
    var histograms: [Histogram] = []
    for row in rows {
      if let last = histograms.last, last.scope == row.scope, last.measure == row.measure {
        histograms[histograms.count - 1].bins.append(row.bin)
      } else {
        histograms.append(Histogram(scope: row.scope, row.measure, bins: [row.bin]))
      }
    }
    return histograms
  }

  package var rows: [HistogramRow] { bins.map { HistogramRow(scope: scope, measure: measure, bin: $0) } }

  private init(scope: String, _ measure: Statistic.Measure, bins: [Bin]) {
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

  package mutating func add(_ value: Double, count: Int = 1) {
    var bin = min(max(0, Int((value - bins[0].low) / width)), bins.count - 1)
    // The quotient may have been rounded across an edge.
    while bin > 0 && value < bins[bin].low { bin -= 1 }
    while bin + 1 < bins.count && value >= bins[bin].high { bin += 1 }
    bins[bin].count += count
  }
}

/// A row of table `histogram`.
package struct HistogramRow {
  package var scope: String
  package var measure: Statistic.Measure
  package var bin: Histogram.Bin

  package init(scope: String, measure: Statistic.Measure, bin: Histogram.Bin) {
    (self.scope, self.measure, self.bin) = (scope, measure, bin)
  }

  package static let table = Table<HistogramRow>(
    "histogram", "histogram bin of a measure", key: ["scope", "measure", "low"],
    [
      .text("scope", "as in `statistic`") { $0.scope },
      .text("measure", "as in `statistic`") { $0.measure.rawValue },
      .real("low", "lower bound, inclusive") { $0.bin.low },
      .real("high", "upper bound, exclusive except in the last bin") { $0.bin.high },
      .integer("count", "number of values; in matrices, and for `snap_distance`, bounds are within 0.1 %") {
        $0.bin.count
      },
    ])
}

/// The distributions of values that are not stored individually. They are saved while results are written, so that a
/// resumed run continues them.
package enum Distributions {
  package static let table = Table<(name: String, histogram: LogHistogram)>(
    "distribution", "measure of the results so far",
    [.textKey("measure", "") { $0.name }, .blob("counts", "") { $0.histogram.bytes }])

  package static func read(from database: SQLite) throws -> [String: LogHistogram] {
    let rows = try database.rows("SELECT measure, counts FROM distribution") { row in
      guard let histogram = LogHistogram(bytes: try row["counts"]) else {
        throw ResultsError(path: database.path, problem: "the distribution of the values is corrupt", cause: .changed)
      }
      return (try row["measure"] as String, histogram)
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Drops the table, which is not needed after the statistics are written.
  package static func drop(from database: SQLite) throws { try database.execute("DROP TABLE \(table.name)") }
}
