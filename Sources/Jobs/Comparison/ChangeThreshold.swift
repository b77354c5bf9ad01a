import Tables

/// The least difference that counts: both must be reached.
package struct ChangeThreshold: Sendable {
  /// Of the old value.
  package var ratio: Double
  /// Seconds, or square metres.
  var amount: Double

  package static let expected = "a share, an amount, or both, as 1%,1s (areas: m2)"

  init(ratio: Double, amount: Double) { (self.ratio, self.amount) = (ratio, amount) }

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
