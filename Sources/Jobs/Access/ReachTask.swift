import Hierarchy
import Settings
import Tables

/// The settings of job kinds with thresholds.
struct ReachTask: Sendable {
  /// In seconds, ascending.
  var thresholds: [Int]
  /// Whether trips lead to or from the stations or the centres of isochrones.
  var direction: NearestTable.Direction

  static let maximumMinutes = 1440.0

  /// The last threshold, in seconds.
  var longest: Int { thresholds.last ?? 0 }
}

extension KeyReader {
  static let thresholds = SettingKey(
    "thresholds",
    SettingType<[Double]>.numbers(of: "minutes", over: 0, atMost: ReachTask.maximumMinutes).map { minutes in
      Set(minutes.map { max(1, Int(($0 * 60).rounded())) }).sorted()
    }, default: [5, 10, 15], "travel times in minutes for counts or areas")

  mutating func thresholds() throws -> [Int] { try setting(KeyReader.thresholds) }

  /// - Parameter defaultText: The default, "to" or "from".
  mutating func direction(_ defaultText: String, _ summary: String) throws -> NearestTable.Direction {
    enum Choice: String, CaseIterable, IdentityValue { case to, from }
    let choice = try setting("direction", SettingType<Choice>.choice, default: .text(defaultText), summary)
    return choice == .to ? .toTargets : .fromTargets
  }
}
