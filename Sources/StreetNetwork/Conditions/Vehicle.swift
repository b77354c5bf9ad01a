import Settings

/// The size and weight of a profile's vehicle: for limits on ways and gates (`maxheight`, `width`), and for signs that
/// apply only to some vehicles (`weight>3.5`).
package struct Vehicle: Sendable {
  /// The value of each property: in tonnes, metres or percent, or a count.
  private let properties: [Property: Double]
  /// Whether the vehicle carries dangerous goods.
  let isHazardous: Bool

  /// No vehicle: limits do not apply, and signs with vehicle properties are for other vehicles.
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

  /// The maximum slope in metres per metre; nil if there is no limit.
  var maximumSlope: Double? { properties[.incline].map { $0 / 100 } }

  /// Whether the vehicle cannot pass kerbs above a certain height.
  var hasKerbLimit: Bool { properties[.kerb] != nil }

  // MARK: Limits

  /// Tags that limit vehicles or give a way's width, each with the property that it limits.
  private static let limits: [(key: String, property: Property)] = [
    ("maxheight", .height), ("maxwidth", .width), ("width", .width), ("est_width", .width), ("maxlength", .length),
    ("maxweight", .weight), ("maxweightrating", .weight), ("maxaxleload", .axleLoad),
  ]

  /// Returns the signed and physical limits that the vehicle exceeds in a direction, both general ones and those for
  /// `classes` (`maxweight:hgv`). Each has its keys, of which the last tagged one decides (`maxweight:hgv=none`), and
  /// the remaining access: none, or only for trips that end there if the limit exempts them
  /// (`maxweight:conditional=none @ destination`).
  ///
  /// - Parameter isPoint: Whether the tags belong to a point: its `width` is that of an object, such as a bollard, and
  ///   not a limit.
  func exceededLimits(
    _ tags: Tags, by classes: [String], _ direction: Direction?, isPoint: Bool = false
  ) -> [(keys: [String], access: AccessRules.Access)] {
    guard !properties.isEmpty else { return [] }
    var exceeded: [(keys: [String], access: AccessRules.Access)] = []
    for (key, property) in Vehicle.limits where tags.hasKey(beginningWith: key) {
      if isPoint && !key.hasPrefix("max") { continue }
      guard let actual = properties[property] else { continue }
      for kind in ["", ":physical", ":signed"] {
        let keys = Vehicle.keys(key + kind, by: classes, direction)
        let limits = keys.compactMap { key in
          tags[key].flatMap { TaggedSize.minimum(of: $0, isWeight: property.isWeight) }
        }
        guard let limit = limits.last, actual > limit else { continue }
        let exemptions = keys.lazy.compactMap { tags[$0 + ":conditional"] }.flatMap(ConditionalValue.all).filter {
          ["destination", "delivery"].contains($0.condition)
        }
        let raised = exemptions.compactMap { TaggedSize.minimum(of: $0.value, isWeight: property.isWeight) }.max()
        exceeded.append((keys, raised.map { actual <= $0 } == true ? .endsOnly : .forbidden))
      }
    }
    return exceeded
  }

  /// Returns whether a kerb or a slope stops the vehicle.
  func isStopped(by tags: Tags) -> Bool {
    if passesMeasuredKerb(tags) == false { return true }
    guard let maximumSlope, let slope = tags["incline"].flatMap(taggedSlope) else { return false }
    return abs(slope) > maximumSlope
  }

  /// Returns whether a kerb is low enough; nil if its height is not tagged, or does not matter.
  func passesMeasuredKerb(_ tags: Tags) -> Bool? {
    guard let kerb = properties[.kerb], let text = tags["kerb:height"] else { return nil }
    let height = TaggedSize.size(text, isWeight: false, allowsZero: true)
    return height.flatMap { $0.isFinite ? $0 <= kerb : nil }
  }

  /// Returns the keys of limits for a vehicle of `classes` in a direction; the last one decides.
  func limitKeys(by classes: [String], _ direction: Direction?) -> [String] {
    Vehicle.limits.filter { properties[$0.property] != nil }.flatMap { Vehicle.keys($0.key, by: classes, direction) }
  }

  private static func keys(_ key: String, by classes: [String], _ direction: Direction?) -> [String] {
    ([key] + classes.map { "\(key):\($0)" }).flatMap { name in
      [name] + (direction.map { ["\(name):\($0.rawValue)"] } ?? [])
    }
  }

  /// Returns whether the vehicle exceeds the limit with this key; nil if the value is not a size.
  func exceeds(_ text: String, _ key: String) -> Bool? {
    let property = Vehicle.limits.first { key == $0.key || key.hasPrefix($0.key + ":") }?.property
    guard let property, let actual = properties[property] else { return nil }
    return TaggedSize.minimum(of: text, isWeight: property.isWeight).map { actual > $0 }
  }

  // MARK: Signs

  /// The names of properties on signs.
  private static let names: [String: Property] = [
    "weight": .weight, "maxweight": .weight, "maxweightrating": .weight, "gvwr": .weight, "weightrating": .weight,
    "axleload": .axleLoad, "length": .length, "width": .width, "height": .height, "axles": .axles,
    "wheels": .wheels, "trailers": .trailers, "occupants": .occupants, "seats": .seats,
  ]

  /// Returns whether a comparison such as `weight>3.5 t` is true for the vehicle; nil if it is unreadable.
  func satisfies(_ comparison: String) -> Bool? {
    guard let start = comparison.firstIndex(where: { "<>=".contains($0) }) else { return nil }
    let name = comparison[..<start].trimmingSpaces.lowercased()
    let sign = comparison[start...].prefix { "<>=".contains($0) }
    let text = comparison[start...].dropFirst(sign.count).trimmingSpaces
    // As a limit, 0 has no meaning, but a vehicle may have no trailers.
    guard let property = Vehicle.names[name],
      let limit = TaggedSize.size(text, isWeight: property.isWeight, allowsZero: true)
    else { return nil }
    guard let actual = properties[property] else { return false }
    switch sign {
    case "<": return actual < limit
    case "<=", "=<": return actual <= limit
    case ">": return actual > limit
    case ">=", "=>": return actual >= limit
    case "=", "==": return actual == limit
    default: return nil
    }
  }
}

extension Vehicle.Property {
  fileprivate var isWeight: Bool { self == .weight || self == .axleLoad }
}

/// Sizes and weights in tags: `3.8`, `3.8 m`, `380 cm`, `12'6"`, `12 ft`, `7.5`, `16535 lbs`, `10 st`.
enum TaggedSize {
  private static let metres = [
    "": 1, "m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1, "mt": 1, "cm": 0.01, "mm": 0.001, "ft": 0.3048,
    "feet": 0.3048, "'": 0.3048, "in": 0.0254, "\"": 0.0254, "''": 0.0254,
  ]
  private static let tonnes = [
    "": 1, "t": 1, "ton": 1, "tons": 1, "tonnes": 1, "to": 1, "kg": 0.001, "st": 0.907_184_74, "lbs": 0.000_453_592_37,
    "lb": 0.000_453_592_37, "lt": 1.016_046_908_8, "cwt": 0.050_802_345_44,
  ]

  /// Returns metres or tonnes; infinity for no limit; nil for values without information (`default`; also `0`, unless
  /// allowed).
  static func size(_ text: String, isWeight: Bool, allowsZero: Bool = false) -> Double? {
    // Commas as thousands separators of small units: 16,000 lbs, 4,000 mm.
    let text = text.lowercased().replacing(/(\d),(\d\d\d)(?=\s*(?:lbs?|kg|mm|cm))/) { "\($0.1)\($0.2)" }
      .replacing(",", with: ".").replacing(/[′’]/, with: "'").replacing(/[″”]/, with: "\"")
      .filter { !$0.isWhitespace }
    if ["none", "no", "unlimited", "unsigned", "no_sign", "no_indications"].contains(text) { return .infinity }
    var rest = text[...]
    var sum: Double?
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { !($0.isASCII && ($0.isNumber || $0 == ".")) }
      rest = rest.dropFirst(unit.count)
      // Inches that follow feet often have no unit: 12'6.
      let name = sum != nil && unit.isEmpty ? "\"" : String(unit)
      guard let number = Double(digits), let factor = (isWeight ? tonnes : metres)[name] else { return nil }
      // Only feet and inches may have two parts.
      guard sum == nil || (!isWeight && factor == metres["\""]) else { return nil }
      sum = (sum ?? 0) + number * factor
    }
    return sum.flatMap { $0 > 0 || allowsZero ? $0 : nil }
  }

  /// Returns the minimum of a list: `3.5;7.5`, `3|3.5`.
  static func minimum(of text: String, isWeight: Bool) -> Double? {
    text.split { $0 == ";" || $0 == "|" }.compactMap { size(String($0), isWeight: isWeight) }.min()
  }
}
