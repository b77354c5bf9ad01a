import Settings

/// Speed limits from tags: `maxspeed` in all common spellings.
struct SpeedLimits: Sendable {
  private let use: Use
  /// The driven speed as a fraction of the limit.
  private let factor: Double
  private let walk: Double
  private let none: Double
  /// Metres per second by zone name (`urban`), for countries without a value.
  private let zones: [String: Double]
  /// The range of plausible limits, in general and by `highway`: not below walking speed, and not above the limits of
  /// class and country.
  private let (minimum, maximum): (Double, Double)
  private let minimumByHighway: [String: Double]
  private let maximumByHighway: [String: Double]
  /// The vehicle class with its own limits: `hgv` for `maxspeed:hgv`, and a country's `hgv_rural`; nil for none.
  private let kind: String?
  /// The keys of posted limits, except for lanes, from specific to general: `maxspeed:motorcar`, `maxspeed`.
  private let keys: [String]

  private enum Use: String, CaseIterable {
    /// The limit determines the speed.
    case replaces
    /// The speed is at most the limit.
    case caps
  }

  /// - Parameter classes: The vehicle's classes from general to specific, for limits such as `maxspeed:motorcar`.
  init(_ settings: SettingsObject, for classes: [String]) throws {
    use = try settings.choice("use", of: Use.self)
    factor = try settings.number("factor", over: 0, unit: "a factor")
    walk = try settings.speed("walk")
    none = try settings.speed("none")
    zones = try settings.speedsByName("zones")
    let bounds = try settings.object("bounds")
    (minimum, maximum) = (try bounds.speed("least"), try bounds.speed("most"))
    minimumByHighway = try bounds.speedsByName("leastByHighway")
    maximumByHighway = try bounds.speedsByName("mostByHighway")
    try bounds.finish()
    let kind = settings.has("limitsOf") ? try settings.string("limitsOf") : nil
    self.kind = kind
    // That class's own limits are read separately.
    keys = classes.prefix { $0 != kind }.reversed().map { "maxspeed:\($0)" } + ["maxspeed"]
    try settings.finish()
  }

  /// Returns metres per second, by time, on a way that is driven at `speed` without signs. If no limit is posted, the
  /// speed is at most `factor` times the country's limit; it never exceeds the limit of the vehicle class.
  func apply(
    to speed: Double, _ conditional: inout ConditionalTags, _ highway: String?, in locality: Locality,
    _ direction: Direction
  ) -> Timed<Double> {
    /// Returns the speeds under conditional limits, and `lifted` while there is none.
    func clauses(
      _ key: String, unlimited: Double?, lifted: Double, _ driven: (Double) -> Double
    ) -> [Timed<Double>.Clause] {
      ["", ":\(direction.rawValue)"].flatMap { suffix in
        conditional.clauses(key + suffix, isNumber: true) { text in
          // The fastest lane decides.
          text.lanes.compactMap { metresPerSecond($0, locality.country, unlimited: unlimited) }
            .filter { isPlausible($0, highway, in: locality) }.max().map(driven)
            ?? (text.lanes.contains(where: \.liftsLimit) ? lifted : nil)
        }
      }
    }
    let tags = conditional.tags
    let usual = usual(speed, tags, highway, in: locality, direction)
    let unlimited = unlimited(tags, highway, in: locality)
    let lifted = max(usual, unsigned(speed, tags, highway, in: locality))
    // As for access, the conditions of a general key do not override the limit of a more specific one.
    let decisive = keys.firstIndex { key in
      ["\(key):\(direction.rawValue)", key].compactMap { tags[$0] }.contains { text in
        let limit = metresPerSecond(text, locality.country, unlimited: unlimited)
        return text.liftsLimit || limit.map { isPlausible($0, highway, in: locality) } == true
      }
    }
    let posted = Timed(
      usual,
      (["maxspeed:lanes"] + keys[...(decisive ?? keys.count - 1)].reversed()).flatMap {
        clauses($0, unlimited: unlimited, lifted: lifted) { driven(at: $0, from: speed) }
      })
    guard let kind else { return posted }
    // Without the factor: lorries drive as fast as their own limits allow.
    let legal = legalVehicleLimit(kind, tags, highway, in: locality) ?? .infinity
    let vehicleLimit = Timed(
      signedVehicleLimit(kind, tags, highway, in: locality, direction) ?? legal,
      clauses("maxspeed:\(kind)", unlimited: nil, lifted: legal) { $0 })
    return posted.combined(vehicleLimit) { min($0, $1) }
  }

  /// Returns the unconditional signed limit of the vehicle class in metres per second; nil if there is none.
  private func signedVehicleLimit(
    _ kind: String, _ tags: Tags, _ highway: String?, in locality: Locality, _ direction: Direction
  ) -> Double? {
    for key in ["maxspeed:\(kind):\(direction.rawValue)", "maxspeed:\(kind)"] {
      guard let limit = tags[key].flatMap({ metresPerSecond($0, locality.country, unlimited: nil) }) else { continue }
      if isPlausible(limit, highway, in: locality) { return limit }
    }
    return nil
  }

  private func legalVehicleLimit(_ kind: String, _ tags: Tags, _ highway: String?, in locality: Locality) -> Double? {
    legalZones(tags, highway, in: locality).flatMap { speedLimit(in: $0.map { "\(kind)_\($0)" }, locality.country) }
  }

  private func usual(
    _ speed: Double, _ tags: Tags, _ highway: String?, in locality: Locality, _ direction: Direction
  ) -> Double {
    let signed = signed(tags, direction, locality.country, unlimited: unlimited(tags, highway, in: locality)) {
      isPlausible($0, highway, in: locality)
    }
    return signed.map { driven(at: $0, from: speed) } ?? unsigned(speed, tags, highway, in: locality)
  }

  /// Returns metres per second on a way without a signed limit: under the limit of its zone or its country.
  private func unsigned(_ speed: Double, _ tags: Tags, _ highway: String?, in locality: Locality) -> Double {
    for key in ["source:maxspeed", "maxspeed:type", "zone:maxspeed", "zone:traffic"] {
      let limit = tags[key].flatMap { text in
        key == "zone:maxspeed"
          ? metresPerSecond(text, locality.country, unlimited: nil) : zone(text, locality.country)
      }
      if let limit, isPlausible(limit, highway, in: locality) { return driven(at: limit, from: speed) }
    }
    guard use == .replaces else { return speed }
    guard let zones = legalZones(tags, highway, in: locality), let legal = speedLimit(in: zones, locality.country)
    else { return speed }
    return min(speed, legal * factor)
  }

  /// Returns metres per second under a limit, on a way whose speed without a limit is `speed`.
  private func driven(at limit: Double, from speed: Double) -> Double {
    use == .replaces ? limit * factor : min(speed, limit)
  }

  /// Returns whether a posted limit is outside the plausible range of its class and country.
  func hasImpossibleLimit(_ tags: Tags, _ highway: String?, in locality: Locality) -> Bool {
    let unlimited = unlimited(tags, highway, in: locality)
    return keys.flatMap { [$0, "\($0):forward", "\($0):backward"] }.contains { key in
      let speed = tags[key].flatMap { metresPerSecond($0, locality.country, unlimited: unlimited) }
      guard let speed else { return false }
      return !isPlausible(speed, highway, in: locality)
    }
  }

  /// Returns the signed limit in metres per second; nil if there is no readable and plausible one, or it is lifted.
  private func signed(
    _ tags: Tags, _ direction: Direction, _ country: Country?, unlimited: Double?, where isPlausible: (Double) -> Bool
  ) -> Double? {
    let suffix = direction.rawValue
    for key in ["maxspeed:advisory"] + keys {
      for text in ["\(key):\(suffix)", key].compactMap({ tags[$0] }) {
        if let limit = metresPerSecond(text, country, unlimited: unlimited), isPlausible(limit) { return limit }
        if text.liftsLimit, key != "maxspeed:advisory" { return nil }
      }
    }
    for key in ["maxspeed:lanes:\(suffix)", "maxspeed:lanes"] {
      let lanes = tags[key]?.split(separator: "|").compactMap {
        metresPerSecond(String($0), country, unlimited: unlimited)
      }
      if let fastest = lanes?.filter(isPlausible).max() { return fastest }
    }
    return nil
  }

  /// Returns the speed without a limit in metres per second; nil where the urban or rural limit applies when a posted
  /// limit is lifted.
  private func unlimited(_ tags: Tags, _ highway: String?, in locality: Locality) -> Double? {
    let speed = locality.country.map { $0.speeds["none"] } ?? none
    if tags["motorroad"] == "yes" { return speed }
    switch highway {
    case "motorway", "motorway_link", "trunk", "trunk_link": return speed
    // The two are equal if a country has no general limit for roads, as on the Isle of Man.
    default: return speed == locality.country?.speeds["rural"] ? speed : nil
    }
  }

  private func speedLimit(in names: [String], _ country: Country?) -> Double? {
    for name in names {
      if let speed = country?.speeds[name] { return speed }
    }
    return names.lazy.compactMap { zones[$0] }.first
  }

  /// Parses `50`, `50 km/h`, `30 mph`, `10 knots`, `walk`, `none`, `DE:urban`, `DE:zone:30`; for `50;30` the minimum.
  private func metresPerSecond(_ text: String, _ country: Country?, unlimited: Double?) -> Double? {
    if text.contains(";") {
      return text.split(separator: ";").compactMap { metresPerSecond(String($0), country, unlimited: unlimited) }.min()
    }
    if text.liftsLimit { return unlimited }
    let text = text.lowercased().filter { !$0.isWhitespace }
    if text == "walk" || text == "walking" { return walk }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits) else { return zone(text, country) }
    let factors = [
      "": 1, "km/h": 1, "kmh": 1, "kph": 1, "kmph": 1, "mph": 1.609_344, "knots": 1.852, "knot": 1.852, "kn": 1.852,
    ]
    guard number > 0, let factor = factors[String(text.dropFirst(digits.count))] else { return nil }
    return number * factor / 3.6
  }

  /// Parses `DE:urban`, `urban`, or a zone that ends in a number: `FR:zone30`, `DE:zone:30`, `GB:20mph`.
  private func zone(_ text: String, _ country: Country?) -> Double? {
    let parts = text.split(separator: ":")
    guard let last = parts.last?.lowercased(), last != "none" else { return nil }
    guard parts.count > 1 else { return country?.speeds[last] ?? zones[last] }
    let tagged = CountryTable.stock[parts[0]]
    let name = parts.dropFirst().joined(separator: ":").lowercased()
    let region = parts[0].split(separator: "-").dropFirst().joined().uppercased()
    if let speed = tagged?.speeds["\(region):\(name)"] ?? tagged?.speeds[name] ?? tagged?.speeds[last] ?? zones[last] {
      return speed
    }
    if last == "walk" { return walk }
    let isInMiles = text.hasSuffix("mph")
    let digits = text.dropLast(isInMiles ? 3 : 0).reversed().prefix { $0.isASCII && $0.isNumber }
    guard let number = Double(String(digits.reversed())), number > 0 else { return nil }
    return number * (isInMiles || tagged?.usesMilesPerHour == true ? 1.609_344 : 1) / 3.6
  }

  /// Returns the names of a country's statutory speeds that apply to a road, the most specific first; nil for ways that
  /// are not roads: ferries, piers.
  private func legalZones(_ tags: Tags, _ highway: String?, in locality: Locality) -> [String]? {
    guard let highway else { return nil }
    let isForMotors = tags["motorroad"] == "yes"
    return switch highway {
    case "motorway", "motorway_link": ["motorway"]
    case "living_street": ["living_street"]
    case "trunk" where !locality.isBuiltUp || isForMotors, "trunk_link" where !locality.isBuiltUp || isForMotors:
      ["trunk", "rural"]
    // Residential streets count as urban even where they are too few for a built-up area.
    case "residential": ["urban"]
    case _ where isForMotors: ["trunk", "rural"]
    case _ where !locality.isBuiltUp: ["rural"]
    case "trunk", "trunk_link", "primary", "primary_link", "secondary", "secondary_link": ["arterial", "urban"]
    default: ["urban"]
    }
  }

  private func isPlausible(_ speed: Double, _ highway: String?, in locality: Locality) -> Bool {
    let country = locality.country?.highestSpeed ?? maximum
    let byClass = highway.flatMap { maximumByHighway[$0] } ?? .infinity
    // Limits in miles per hour are rounded in tables.
    return speed >= (highway.flatMap { minimumByHighway[$0] } ?? minimum) - 0.01 && speed <= min(country, byClass) + 0.3
  }
}

extension String {
  /// Whether the value of a `maxspeed` tag, or a zone (`DE:none`), means that there is no limit.
  fileprivate var liftsLimit: Bool {
    ["none", "unlimited", "no"].contains(split(separator: ":").last.map { $0.trimmingSpaces.lowercased() })
  }
}
