import Settings

/// The size and weight of a profile's vehicle: against limits on ways and gates (`maxheight`, `width`), and for signs that
/// are about some vehicles (`weight>3.5`).
package struct Vehicle: Sendable {
  /// In tonnes, metres, percent and numbers.
  private let properties: [Property: Double]
  /// Whether it carries dangerous goods.
  private let isHazardous: Bool

  /// No vehicle: limits do not hold for it, and signs about a vehicle's properties are about others.
  package static let none = Vehicle()

  fileprivate enum Property: String, CaseIterable {
    case height, width, length, weight, axleLoad, axles, wheels, trailers, occupants, seats, kerb, incline
  }

  private init() { (properties, isHazardous) = ([:], false) }

  init(_ settings: SettingsObject) throws {
    var properties: [Property: Double] = [:]
    for property in Property.allCases where settings.has(property.rawValue) {
      properties[property] = try settings.number(
        property.rawValue, atLeast: 0, unit: "metres, tonnes, percent or a number")
    }
    self.properties = properties
    isHazardous = try settings.has("hazmat") && settings.bool("hazmat")
    try settings.finish()
  }

  /// The steepest slope that it takes, in metres per metre; nil for any.
  var steepest: Double? { properties[.incline].map { $0 / 100 } }

  /// Whether there are kerbs that are too high for it.
  var hasKerbLimit: Bool { properties[.kerb] != nil }

  // MARK: Limits

  /// Tags that say how large a vehicle may be, or how wide a way is, and what of the vehicle they are about.
  private static let limits: [(key: String, property: Property)] = [
    ("maxheight", .height), ("maxwidth", .width), ("width", .width), ("est_width", .width), ("maxlength", .length),
    ("maxweight", .weight), ("maxweightrating", .weight), ("maxaxleload", .axleLoad),
  ]
  private static let hazards = ["hazmat", "hazmat:water"]

  /// Whether it passes the limits that are tagged: for all vehicles, and for those of `classes` (`maxweight:hgv`), where
  /// the last decides (`maxweight:hgv=none`); as they are signed and as they are, along the way as it is drawn and against.
  ///
  /// - Parameter isPoint: The width of a point is that of what stands there: a bollard's.
  func fits(_ tags: Tags, by classes: [String], _ direction: Direction?, isPoint: Bool = false) -> Bool {
    guard !properties.isEmpty || isHazardous else { return true }
    for (key, property) in Vehicle.limits where tags.hasKey(beginningWith: key) {
      if isPoint && !key.hasPrefix("max") { continue }
      guard let own = properties[property] else { continue }
      for kind in ["", ":physical", ":signed"] {
        let limit = limit(tags, key + kind, property, by: classes, direction)
        if let limit, own > limit { return false }
      }
    }
    if let kerb = properties[.kerb], let height = tags["kerb:height"].flatMap({ TaggedSize.size($0, isWeight: false) }),
      height > kerb, height.isFinite
    {
      return false
    }
    if let steepest, let slope = tags["incline"].flatMap(taggedSlope), abs(slope) > steepest { return false }
    return !isHazardous || !Vehicle.hazards.contains { tags[$0] == "no" }
  }

  private func limit(
    _ tags: Tags, _ key: String, _ property: Property, by classes: [String], _ direction: Direction?
  ) -> Double? {
    let names = [key] + classes.map { "\(key):\($0)" }
    var limit: Double?
    for name in names {
      for tag in [name] + (direction.map { ["\(name):\($0.rawValue)"] } ?? []) {
        if let text = tags[tag] { limit = TaggedSize.least(of: text, isWeight: property.isWeight) ?? limit }
      }
    }
    return limit
  }

  /// The keys of limits that a vehicle of `classes` heeds in a direction, the last of which decides.
  func limitKeys(by classes: [String], _ direction: Direction?) -> [String] {
    Vehicle.limits.filter { properties[$0.property] != nil }.flatMap { limit in
      ([limit.key] + classes.map { "\(limit.key):\($0)" }).flatMap { name in
        [name] + (direction.map { ["\(name):\($0.rawValue)"] } ?? [])
      }
    }
  }

  /// Whether it is larger than a limit of such a key; nil where that is no size.
  func exceeds(_ text: String, _ key: String) -> Bool? {
    let property = Vehicle.limits.first { key == $0.key || key.hasPrefix($0.key + ":") }?.property
    guard let property, let own = properties[property] else { return nil }
    return TaggedSize.least(of: text, isWeight: property.isWeight).map { own > $0 }
  }

  // MARK: Signs

  /// The properties that signs name, and what each is about.
  private static let names: [String: Property] = [
    "weight": .weight, "maxweight": .weight, "maxweightrating": .weight, "gvwr": .weight, "weightrating": .weight,
    "axleload": .axleLoad, "length": .length, "width": .width, "height": .height, "axles": .axles,
    "wheels": .wheels, "trailers": .trailers, "occupants": .occupants, "seats": .seats,
  ]

  /// Whether `property<number unit` holds; nil where it cannot be read.
  func satisfies(_ comparison: String) -> Bool? {
    guard let start = comparison.firstIndex(where: { "<>=".contains($0) }) else { return nil }
    let name = comparison[..<start].trimmingSpaces.lowercased()
    let sign = comparison[start...].prefix { "<>=".contains($0) }
    guard let property = Vehicle.names[name],
      let limit = TaggedSize.size(String(comparison[start...].dropFirst(sign.count)), isWeight: property.isWeight)
    else { return nil }
    guard let own = properties[property] else { return false }
    switch sign {
    case "<": return own < limit
    case "<=", "=<": return own <= limit
    case ">": return own > limit
    case ">=", "=>": return own >= limit
    case "=", "==": return own == limit
    default: return nil
    }
  }
}

extension Vehicle.Property {
  fileprivate var isWeight: Bool { self == .weight || self == .axleLoad }
}
