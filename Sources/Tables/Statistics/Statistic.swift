/// A row of table `statistic`: the distribution of one measure.
package struct Statistic: Sendable, Hashable {
  /// The measures, in the order used in reports.
  package enum Measure: String, Sendable, CaseIterable, ColumnValue {
    /// Metres.
    case distance
    /// Seconds.
    case expectedTravelTime = "expected_travel_time"
    case stepCount = "step_count"
    /// Metres.
    case stepLength = "step_length"
    /// Metres per second.
    case speed
    /// Route distance / straight-line distance; for traces, distance / distance of the fastest trip.
    case detour
    /// Moving time / expected travel time.
    case timeRatio = "time_ratio"
    /// Distances from fixes to streets, in metres.
    case snapDistance = "snap_distance"
    /// Metres.
    case sigma
    /// Duration of a stop, in seconds.
    case dwellTime = "dwell_time"
    /// Square metres.
    case area

    /// Whether the values are whole numbers.
    package var isWhole: Bool { self == .stepCount }
  }

  /// `job`, `group:` and the group's name, `hour:` and two digits, or `threshold:` and seconds.
  package var scope: String
  package var measure: Measure
  package var count: Int
  package var mean: Double
  /// min, p05, p25, median, p75, p95, max.
  package var quantiles: [Double]

  static let quantileOrder = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]

  package init(scope: String, measure: Measure, count: Int, mean: Double, quantiles: [Double]) {
    self.scope = scope
    self.measure = measure
    self.count = count
    self.mean = mean
    self.quantiles = quantiles
  }

  /// Summarizes values in ascending order; there must be at least one.
  package init(scope: String, measure: Measure, sorted: [Double]) {
    self.init(scope: scope, measure: measure, count: sorted.count, sum: sorted.reduce(0, +)) { sorted[$0] }
  }

  /// Summarizes values by rank; there must be at least one. Quantiles between two values are interpolated linearly, as
  /// in NumPy and R.
  package init(scope: String, measure: Measure, count: Int, sum: Double, at value: (Int) -> Double) {
    self.init(
      scope: scope, measure: measure, count: count, mean: sum / Double(count),
      quantiles: Statistic.quantileOrder.map { quantile in
        let position = quantile * Double(count - 1)
        let below = Int(position)
        let (low, high) = (value(below), value(min(below + 1, count - 1)))
        return low + (high - low) * (position - Double(below))
      })
  }

  package static let table = Table<Statistic>(
    "statistic", "measure and scope: the job, a group, an hour or a threshold", key: ["scope", "measure"],
    [
      .text("scope", "`job`, `group:NAME`, `hour:NUMBER` or `threshold:SECONDS`") { $0.scope },
      .text(
        "measure",
        "`distance`, `expected_travel_time`, `step_count`, `step_length`, `speed`, `detour` (distance / "
          + "straight line; for traces, distance / fastest trip), `time_ratio`, "
          + "`snap_distance`, `sigma`, `dwell_time` (of each stop; traces without one have no value), `area`"
      ) { $0.measure.rawValue },
      .integer("count", "number of values; in a matrix, cells with a route, except from an origin to itself") {
        $0.count
      },
      .optionalReal("min", "minimum; metres, seconds, metres per second or square metres") { $0.quantiles[0] },
      .optionalReal("p05", "5th percentile") { $0.quantiles[1] },
      .optionalReal("p25", "25th percentile") { $0.quantiles[2] },
      .optionalReal("median", "50th percentile; quantiles of matrices and of `snap_distance` are within 0.1 %") {
        $0.quantiles[3]
      },
      .lineBreak,
      .optionalReal("mean", "arithmetic mean") { $0.mean },
      .optionalReal("p75", "75th percentile") { $0.quantiles[4] },
      .optionalReal("p95", "95th percentile") { $0.quantiles[5] },
      .optionalReal("max", "maximum") { $0.quantiles[6] },
    ])
}

extension Collection<Double> {
  /// The median; for an even count, the mean of the middle two values. There must be at least one value.
  package var median: Double {
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
