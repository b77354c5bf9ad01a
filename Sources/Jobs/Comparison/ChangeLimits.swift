import Tables

/// The smallest difference that counts as a change; both limits must be reached.
package struct ChangeThreshold: Sendable {
  /// A share of the old value.
  package var ratio: Double
  /// In seconds, or square metres.
  var amount: Double

  package static let expected = "a share, an amount, or both, e.g. 1%,1s (m2 for areas)"
}

extension ChangeThreshold {
  /// Parses text such as "5%", "30s" or "5%,30s"; nil for other text.
  package init?(_ text: String) {
    self.init(ratio: 0, amount: 0)
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let unit = ["%", "s", "m2"].first { part.hasSuffix($0) }
      guard let unit, let number = Double(part.dropLast(unit.count)), number >= 0, number.isFinite else { return nil }
      if unit == "%" { ratio = number / 100 } else { amount = number }
    }
  }
}

/// The conditions for failure: `p95>10%`, `unreachable>0`, `slower>5%`; several are separated by commas.
package struct FailureConditions: Sendable {
  package static let expected =
    "conditions such as p95>10% (mean, p05, p25, median, p75, p95, p99, max of the relative change) or slower>5%, gone>0 "
    + "(new, gone, faster, slower, smaller, larger, unreachable, reachable; a share or a number of rows)"

  private let conditions: [(text: String, name: String, limit: Double, isShare: Bool)]

  static let quantiles: [(name: String, share: Double)] = [
    ("p05", 0.05), ("p25", 0.25), ("median", 0.5), ("p75", 0.75), ("p95", 0.95), ("p99", 0.99), ("max", 1),
  ]
  private static let changes: [String: Change] = [
    "new": .new, "gone": .gone, "faster": .faster, "slower": .slower, "smaller": .smaller, "larger": .larger,
    "unreachable": .newlyUnreachable, "reachable": .newlyReachable,
  ]

  /// Nil if a condition cannot be parsed.
  package init?(_ text: String) {
    var conditions: [(String, String, Double, Bool)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: ">", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
      guard sides.count == 2 else { return nil }
      let isShare = sides[1].hasSuffix("%")
      let isQuantile = sides[0] == "mean" || FailureConditions.quantiles.contains { $0.name == sides[0] }
      guard let limit = Double(isShare ? String(sides[1].dropLast()) : sides[1]), limit.isFinite,
        isQuantile ? isShare : FailureConditions.changes[sides[0]] != nil
      else { return nil }
      conditions.append((String(part), sides[0], isShare ? limit / 100 : limit, isShare))
    }
    self.conditions = conditions
  }

  /// Returns the exceeded conditions, each with the actual value.
  package func failures(_ summary: ComparisonSummary) -> [String] {
    conditions.compactMap { condition in
      let found: Double
      if let change = FailureConditions.changes[condition.name] {
        let count = Double(summary.counts[change] ?? 0)
        found = condition.isShare ? count / Double(max(1, summary.rows)) : count
      } else {
        found = summary.quantiles.first { $0.measure == condition.name }?.ratio ?? 0
      }
      guard found > condition.limit else { return nil }
      let value = condition.isShare ? "\((found * 1_000_000).rounded() / 10_000) %" : String(Int(found))
      return "\(condition.text): got \(value)"
    }
  }
}
