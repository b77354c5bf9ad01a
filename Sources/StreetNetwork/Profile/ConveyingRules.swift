import Settings

/// Escalators and moving walkways: the directions in which they carry (Key:conveying).
struct ConveyingRules: Sendable {
  /// The ways on which the tag means that.
  private let ways: TagSet
  private let values: [String: OnewayRules.Directions]
  /// By `oneway`: decides where it says both, or where `conveying` does not tell one.
  private let oneway: [String: OnewayRules.Directions]

  init(_ settings: SettingsObject) throws {
    ways = try TagSet(settings.object("on"))
    values = try OnewayRules.Directions.byName(settings, "values")
    oneway = try OnewayRules.Directions.byName(settings, "oneway")
    try settings.finish()
  }

  /// Nil for a way that does not move.
  func directions(_ tags: Tags) -> OnewayRules.Directions? {
    guard let conveying = tags["conveying"].flatMap({ values[$0] }), ways.matches(tags) else { return nil }
    guard let oneway = tags["oneway"].flatMap({ self.oneway[$0] }) else { return conveying }
    return oneway == .both || conveying == .both ? oneway : conveying
  }
}
