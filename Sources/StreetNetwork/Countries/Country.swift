import Settings

/// The rules of the road in a country, as far as routes depend on them.
final class Country: Sendable {
  /// By ISO 3166: "PT".
  let code: String
  let drivesOnLeft: Bool
  /// Whether people on foot may use cycleways; nil where that is not known.
  let allowsFootOnCycleways: Bool?
  /// Legal speeds in metres per second: `urban`, `rural`, `motorway`, …
  let speeds: [String: Double]
  /// Whether numbers in zone codes are miles per hour: `GB:zone20`.
  var countsMiles: Bool { ["GB", "GG", "IM", "JE", "US"].contains(code) }
  /// No sign says more.
  let highestSpeed: Double

  init(_ settings: SettingsObject, code: String) throws {
    self.code = code
    drivesOnLeft = try settings.choice("side", of: ["left", "right"]) == "left"
    allowsFootOnCycleways =
      settings.has("foot") ? try settings.choice("foot", of: ["yes", "no"]) == "yes" : nil
    let names = settings.keys.filter { !["side", "foot", "highest"].contains($0) }
    speeds = try Dictionary(uniqueKeysWithValues: names.map { ($0, try settings.speed($0)) })
    highestSpeed =
      settings.has("highest") ? try settings.speed("highest") : max((speeds.values.max() ?? 0) * 1.125, 120 / 3.6)
    try settings.finish()
  }
}
