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
    func clauses(_ key: String) -> [Timed<Double>.Clause] {
      ["", ":\(direction.rawValue)"].flatMap { suffix in
        conditional.clauses(key + suffix, isNumber: true) { text in
          // The fastest lane decides.
          text.lanes.compactMap { metresPerSecond($0, locality.country) }
            .filter { isPlausible($0, highway, in: locality) }.max()
        }
      }
    }
    let tags = conditional.tags
    let usual = usual(speed, tags, highway, in: locality, direction)
    // As for access, the conditions of a general key do not override the limit of a more specific one.
    let decisive = keys.firstIndex { tags[$0] != nil || tags["\($0):\(direction.rawValue)"] != nil }
    let posted = Timed(
      usual,
      (clauses("maxspeed:lanes") + keys[...(decisive ?? keys.count - 1)].reversed().flatMap(clauses)).map {
        .init(value: driven(at: $0.value, from: speed), condition: $0.condition)
      })
    guard let kind else { return posted }
    // Without the factor: lorries drive as fast as their own limits allow.
    let vehicleLimit = Timed(
      usualVehicleLimit(kind, conditional.tags, highway, in: locality, direction) ?? .infinity,
      clauses("maxspeed:\(kind)"))
    return posted.combined(vehicleLimit) { min($0, $1) }
  }

  /// Returns the unconditional limit of the vehicle class in metres per second; nil if there is none.
  private func usualVehicleLimit(
    _ kind: String, _ tags: Tags, _ highway: String?, in locality: Locality, _ direction: Direction
  ) -> Double? {
    for key in ["maxspeed:\(kind):\(direction.rawValue)", "maxspeed:\(kind)"] {
      guard let limit = tags[key].flatMap({ metresPerSecond($0, locality.country) }) else { continue }
      if isPlausible(limit, highway, in: locality) { return limit }
    }
    let zones = legalZones(tags, highway, in: locality)
    return zones.flatMap { speedLimit(in: $0.map { "\(kind)_\($0)" }, locality.country) }
  }

  private func usual(
    _ speed: Double, _ tags: Tags, _ highway: String?, in locality: Locality, _ direction: Direction
  ) -> Double {
    let posted = posted(tags, direction, locality.country) { isPlausible($0, highway, in: locality) }
    if let posted { return driven(at: posted, from: speed) }
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
    keys.flatMap { [$0, "\($0):forward", "\($0):backward"] }.contains { key in
      guard let speed = tags[key].flatMap({ metresPerSecond($0, locality.country) }) else { return false }
      return !isPlausible(speed, highway, in: locality)
    }
  }

  /// Returns the posted limit in metres per second; nil if there is no readable and plausible one.
  private func posted(
    _ tags: Tags, _ direction: Direction, _ country: Country?, where isPlausible: (Double) -> Bool
  ) -> Double? {
    let suffix = direction.rawValue
    for key in ["maxspeed:advisory"] + keys {
      for key in ["\(key):\(suffix)", key] {
        if let limit = tags[key].flatMap({ metresPerSecond($0, country) }), isPlausible(limit) { return limit }
      }
    }
    for key in ["maxspeed:lanes:\(suffix)", "maxspeed:lanes"] {
      let lanes = tags[key]?.split(separator: "|").compactMap { metresPerSecond(String($0), country) }
      if let fastest = lanes?.filter(isPlausible).max() { return fastest }
    }
    for key in ["source:maxspeed", "maxspeed:type", "zone:maxspeed", "zone:traffic"] {
      if let limit = tags[key].flatMap({ zone($0, country) }), isPlausible(limit) { return limit }
    }
    return nil
  }

  private func speedLimit(in names: [String], _ country: Country?) -> Double? {
    for name in names {
      if let speed = country?.speeds[name] { return speed }
    }
    return names.lazy.compactMap { zones[$0] }.first
  }

  /// Parses `50`, `50 km/h`, `30 mph`, `10 knots`, `walk`, `none`, `DE:urban`, `DE:zone:30`; for `50;30` the minimum.
  private func metresPerSecond(_ text: String, _ country: Country?) -> Double? {
    if text.contains(";") {
      return text.split(separator: ";").compactMap { metresPerSecond(String($0), country) }.min()
    }
    let text = text.lowercased().filter { !$0.isWhitespace }
    switch text {
    case "walk", "walking": return walk
    case "none", "unlimited", "no": return country.map { $0.speeds["none"] } ?? none
    default: break
    }
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
    guard let last = parts.last?.lowercased() else { return nil }
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
