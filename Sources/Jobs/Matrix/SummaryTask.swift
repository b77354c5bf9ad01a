import Settings
import Tables

/// The summaries of each origin's row: `["nearest", "within:600,900", "mean", "waiting"]`.
struct SummaryTask: Sendable, CustomStringConvertible {
  var nearest = false
  var mean = false
  var waiting = false
  /// Seconds, ascending.
  var within: [Int] = []

  static let type = SettingType<[String]>.texts.map(
    expected: "a list of \"nearest\", \"mean\", \"waiting\" and \"within:\" with seconds, e.g. \"within:600,900,1800\"",
    choices: ["nearest", "mean", "waiting", "within:"], SummaryTask.init(words:))

  /// Nil for an empty list, and for unknown words.
  init?(words: [String]) {
    for word in words {
      switch word {
      case "nearest": nearest = true
      case "mean": mean = true
      case "waiting": waiting = true
      default:
        guard let seconds = SummaryTask.seconds(word) else { return nil }
        within = Set(within + seconds).sorted()
      }
    }
    guard !words.isEmpty else { return nil }
  }

  /// The seconds in "within:600,900".
  private static func seconds(_ word: String) -> [Int]? {
    guard word.hasPrefix("within:") else { return nil }
    let numbers = word.dropFirst("within:".count).split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Int($0.filter { $0 != " " }) }
      .filter { (1...1_000_000).contains($0) }
    return numbers.count == word.count { $0 == "," } + 1 ? numbers : nil
  }

  var description: String {
    let thresholds = within.map(String.init).joined(separator: ",")
    return [
      nearest ? "nearest" : nil, within.isEmpty ? nil : "within:\(thresholds)", mean ? "mean" : nil,
      waiting ? "waiting" : nil,
    ]
    .compactMap(\.self).joined(separator: " ")
  }
}
