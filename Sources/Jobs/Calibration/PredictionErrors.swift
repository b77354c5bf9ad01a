import Foundation

/// How far predicted times are from observed ones.
struct PredictionErrors: Sendable {
  var count: Int
  /// Seconds, on average.
  var mean: Double
  /// The median of errors over observed times.
  var median: Double
  /// All predicted seconds over all observed ones.
  var ratio: Double
  /// The share of the variance that is explained.
  var explained: Double

  /// Nil for no trips.
  init?(_ pairs: [(predicted: Double, observed: Double)]) {
    guard !pairs.isEmpty else { return nil }
    let observed = pairs.reduce(0) { $0 + $1.observed }
    let average = observed / Double(pairs.count)
    let errors = pairs.map { abs($0.predicted - $0.observed) }
    count = pairs.count
    mean = errors.reduce(0, +) / Double(pairs.count)
    median = zip(errors, pairs).map { $0 / $1.observed }.median
    ratio = pairs.reduce(0) { $0 + $1.predicted } / observed
    let variance = pairs.reduce(0) { $0 + ($1.observed - average) * ($1.observed - average) }
    explained = variance > 0 ? 1 - errors.reduce(0) { $0 + $1 * $1 } / variance : 0
  }

  /// The averages of several; nil for none.
  init?(averageOf all: [PredictionErrors]) {
    guard !all.isEmpty else { return nil }
    func average(_ value: (PredictionErrors) -> Double) -> Double {
      all.reduce(0) { $0 + value($1) } / Double(all.count)
    }
    count = all[0].count
    (mean, median, ratio, explained) = (average(\.mean), average(\.median), average(\.ratio), average(\.explained))
  }
}

extension [Double] {
  /// Of an even number the middle of the middle two. There must be one.
  var median: Double {
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
