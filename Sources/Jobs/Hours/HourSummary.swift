import Settings

/// The summaries of a cell's times over the departures of a day: `["worst", "mean", "p50"]`.
struct HourSummary: Sendable, CustomStringConvertible {
  var hasWorst = false
  var hasMean = false
  /// The requested percentiles, from 1 to 99, ascending.
  var percentiles: [Int] = []

  static let type = SettingType<[String]>.strings.map(
    expected: "a list of \"worst\", \"mean\" and percentiles from \"p1\" to \"p99\", not empty"
  ) { HourSummary(words: $0) }

  /// Nil for an empty list, and for unknown words.
  init?(words: [String]) {
    for word in words {
      switch word {
      case "worst": hasWorst = true
      case "mean": hasMean = true
      default:
        guard let percentile = HourSummary.percentile(word) else { return nil }
        percentiles = Set(percentiles + [percentile]).sorted()
      }
    }
    guard !words.isEmpty else { return nil }
  }

  private static func percentile(_ word: String) -> Int? {
    let digits = word.dropFirst()
    guard word.hasPrefix("p"), (1...2).contains(digits.count), digits.first != "0", let number = Int(digits),
      (1...99).contains(number)
    else { return nil }
    return number
  }

  var words: [String] { (hasWorst ? ["worst"] : []) + (hasMean ? ["mean"] : []) + percentiles.map { "p\($0)" } }

  var description: String { words.joined(separator: " ") }
}
