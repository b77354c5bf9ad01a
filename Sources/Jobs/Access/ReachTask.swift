import Hierarchy
import Results
import Settings

/// What jobs about reach within times ask for.
struct ReachTask: Sendable {
  /// Seconds, ascending.
  var thresholds: [Int]
  /// Whether trips lead to the stations, or the centres of isochrones, or from them.
  var direction: NearestTable.Direction

  static let mostMinutes = 1440.0

  enum Keys {
    static let thresholds = SettingKey(
      "thresholds",
      SettingType<[Double]>.numbers(of: "minutes", over: 0, atMost: ReachTask.mostMinutes).map { minutes in
        Set(minutes.map { max(1, Int(($0 * 60).rounded())) }).sorted()
      },
      default: [5, 10, 15], "minutes within which things are counted, or areas drawn")
    static let toStations = direction("to", "whether trips lead to the stations or from them")
    static let fromPlaces = direction("from", "whether trips lead from the places or to them")

    private enum Word: String, CaseIterable { case to, from }

    private static func direction(_ usual: String, _ summary: String) -> SettingKey<NearestTable.Direction> {
      SettingKey(
        "direction", SettingType<Word>.choice.map { $0 == .to ? .toTargets : .fromTargets }, default: .text(usual),
        summary)
    }
  }

  /// - Parameter direction: The kind's key, with its default.
  init(_ root: SettingsObject, direction: SettingKey<NearestTable.Direction>) throws {
    thresholds = try root.value(of: Keys.thresholds)
    self.direction = try root.value(of: direction)
  }

  /// The last threshold, in seconds.
  var longest: Int { thresholds.last ?? 0 }

  var identity: Entries<IdentityKey> {
    var identity = Entries<IdentityKey>()
    identity.set(.thresholds, thresholds)
    identity[.direction] = direction == .toTargets ? "to" : "from"
    return identity
  }
}
