/// A row of table `statistic`: how the values of one measure are spread.
package struct Statistic: Sendable, Hashable {
  /// What is measured, in the order of reports.
  package enum Measure: String, Sendable, CaseIterable {
    /// Metres.
    case distance
    /// Seconds.
    case expectedTravelTime = "expected_travel_time"
    case stepCount = "step_count"
    /// Metres.
    case stepLength = "step_length"
    /// Metres per second.
    case speed
    /// Route over crow fly.
    case detour
    /// Square metres.
    case area

    /// Whether its values are whole numbers.
    package var isWhole: Bool { self == .stepCount }
  }

  /// `job`, or `group:` and the name of a group.
  package var scope: String
  package var measure: Measure
  package var count: Int
  package var mean: Double
  /// min, p05, p25, median, p75, p95, max.
  package var quantiles: [Double]

  package static let quantileOrder = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]

  package init(scope: String, measure: Measure, count: Int, mean: Double, quantiles: [Double]) {
    self.scope = scope
    self.measure = measure
    self.count = count
    self.mean = mean
    self.quantiles = quantiles
  }

  /// Of values in ascending order, at least one. Quantiles between two values are interpolated linearly, as NumPy and R do.
  package init(scope: String, measure: Measure, sorted: [Double]) {
    self.init(
      scope: scope, measure: measure, count: sorted.count, mean: sorted.reduce(0, +) / Double(sorted.count),
      quantiles: Statistic.quantileOrder.map { quantile in
        let position = quantile * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
      })
  }
}
