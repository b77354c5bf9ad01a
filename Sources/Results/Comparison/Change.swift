/// What became of a row from one run to the next.
package enum Change: String, Sendable, CaseIterable {
  case same
  /// Only the newer run has the row, or only the older one.
  case new, gone
  case faster, slower
  /// Of areas.
  case smaller, larger
  case newlyUnreachable = "newly_unreachable"
  case newlyReachable = "newly_reachable"
}

/// A row of two runs, side by side.
struct ComparedRow {
  var item: String
  var origin: String?
  var destination: String?
  var zone: String?
  /// Nil where the run does not have the row.
  var oldStatus: String?
  var newStatus: String?
  /// Seconds, or square metres of an area; nil where there is none.
  var oldValue: Double?
  var newValue: Double?

  /// The change relative to what it was; nil unless both have a value.
  var ratio: Double? {
    guard let oldValue, let newValue else { return nil }
    return oldValue == newValue ? 0 : oldValue > 0 ? newValue / oldValue - 1 : .infinity
  }

  func change(_ threshold: ChangeThreshold, isArea: Bool) -> Change {
    guard oldStatus != nil else { return .new }
    guard newStatus != nil else { return .gone }
    switch (oldValue, newValue) {
    case (nil, nil): return .same
    case (nil, _?): return .newlyReachable
    case (_?, nil): return .newlyUnreachable
    case (let old?, let new?):
      let difference = new - old
      guard abs(difference) >= threshold.amount, abs(difference) >= threshold.ratio * old, difference != 0 else {
        return .same
      }
      return difference < 0 ? (isArea ? .smaller : .faster) : isArea ? .larger : .slower
    }
  }
}

/// From where on a difference counts: both must be reached.
package struct ChangeThreshold: Sendable {
  /// Of the old value.
  package var ratio: Double
  /// Seconds, or square metres.
  package var amount: Double

  package static let allowed = "a share, an amount, or both, as 1%,1s (areas: m2)"

  /// "5%", "30s", "5%,30s". Nil for anything else.
  package init?(_ text: String) {
    (ratio, amount) = (0, 0)
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let unit = ["%", "s", "m2"].first { part.hasSuffix($0) }
      guard let unit, let number = Double(part.dropLast(unit.count)), number >= 0, number.isFinite else { return nil }
      if unit == "%" { ratio = number / 100 } else { amount = number }
    }
  }
}

/// How many rows became what: of all, of a zone, of a street.
struct ChangeTally {
  private(set) var counts: [Change: Int] = [:]
  private(set) var rows = 0
  private var (oldSum, newSum, both) = (0.0, 0.0, 0)

  mutating func add(_ row: ComparedRow, _ change: Change) {
    rows += 1
    counts[change, default: 0] += 1
    guard let old = row.oldValue, let new = row.newValue else { return }
    oldSum += old
    newSum += new
    both += 1
  }

  /// Of rows that both have.
  var oldMean: Double? { both > 0 ? oldSum / Double(both) : nil }
  var newMean: Double? { both > 0 ? newSum / Double(both) : nil }
}

/// How relative changes are spread, to a hundredth of a per cent, from −100 % to +1,900 %.
struct RatioSpread {
  private static let most = 190_000
  private var counts = [Int](repeating: 0, count: 10_000 + RatioSpread.most + 1)
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

  /// How many lie in each of some stretches of equal width between the first and the last hundredth.
  func stretches(_ width: Double) -> [(from: Double, count: Int)] {
    let size = Int((width * 10_000).rounded())
    var stretches: [Int: Int] = [:]
    for (bucket, count) in counts.enumerated() where count > 0 {
      let number = (Double(bucket - 10_000) / Double(size)).rounded(.down)
      stretches[Int(number), default: 0] += count
    }
    return stretches.sorted { $0.key < $1.key }.map { (Double($0.key) * width, $0.value) }
  }
}
