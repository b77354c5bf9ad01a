import Settings

/// Speed limits from tags: `maxspeed` in every spelling that is in use.
struct SpeedLimits: Sendable {
  private let use: Use
  /// The share of the limit that is driven.
  private let factor: Double
  private let walk: Double
  private let none: Double
  /// Metres per second by name (`DE:urban`, or `urban` for any country).
  private let zones: [String: Double]

  private enum Use: String, CaseIterable {
    /// The limit decides the speed.
    case replaces
    /// The speed is at most the limit.
    case caps
  }

  init(_ settings: SettingsObject) throws {
    use = try settings.choice("use", of: Use.self)
    factor = try settings.number("factor", over: 0, unit: "a factor")
    walk = try settings.speed("walk")
    none = try settings.speed("none")
    zones = try settings.speedsByName("zones")
    try settings.finish()
  }

  /// Metres per second on a way that would be used at `speed` without a sign.
  func apply(to speed: Double, _ tags: Tags, _ direction: Direction) -> Double {
    guard let limit = limit(tags, direction) else { return speed }
    return use == .replaces ? limit * factor : min(speed, limit)
  }

  /// The limit in metres per second; nil where none is tagged that can be read.
  private func limit(_ tags: Tags, _ direction: Direction) -> Double? {
    let suffix = direction.rawValue
    for key in ["maxspeed:advisory", "maxspeed"] {
      for key in ["\(key):\(suffix)", key] {
        if let limit = tags[key].flatMap(metresPerSecond) { return limit }
      }
    }
    for key in ["maxspeed:lanes:\(suffix)", "maxspeed:lanes"] {
      let lanes = tags[key]?.split(separator: "|").compactMap { metresPerSecond(String($0)) }
      if let fastest = lanes?.max() { return fastest }
    }
    for key in ["source:maxspeed", "maxspeed:type", "zone:maxspeed", "zone:traffic"] {
      if let limit = tags[key].flatMap(zone) { return limit }
    }
    return nil
  }

  /// `50`, `50 km/h`, `30 mph`, `10 knots`, `walk`, `none`, `DE:urban`, `DE:zone:30`; of `50;30` the least.
  func metresPerSecond(_ text: String) -> Double? {
    if text.contains(";") {
      return text.split(separator: ";").compactMap { metresPerSecond(String($0)) }.min()
    }
    let text = text.lowercased().filter { !$0.isWhitespace }
    switch text {
    case "walk", "walking": return walk
    case "none", "unlimited", "no": return none
    default: break
    }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits) else { return zone(text) }
    let factors = [
      "": 1, "km/h": 1, "kmh": 1, "kph": 1, "kmph": 1, "mph": 1.609_344, "knots": 1.852, "knot": 1.852, "kn": 1.852,
    ]
    guard number > 0, let factor = factors[String(text.dropFirst(digits.count))] else { return nil }
    return number * factor / 3.6
  }

  /// `DE:urban`; `urban`; or a number at the end: `FR:zone30`, `DE:zone:30`.
  private func zone(_ text: String) -> Double? {
    let parts = text.split(separator: ":")
    guard parts.count > 1 || zones[text] != nil else { return nil }
    let name = ([parts[0].uppercased()] + parts.dropFirst().map { $0.lowercased() }).joined(separator: ":")
    if let speed = zones[name] ?? zones[parts[parts.count - 1].lowercased()] { return speed }
    let digits = text.reversed().prefix { $0.isASCII && $0.isNumber }
    return Double(String(digits.reversed())).flatMap { $0 > 0 ? $0 / 3.6 : nil }
  }
}
