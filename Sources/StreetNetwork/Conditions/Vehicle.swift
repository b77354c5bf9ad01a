import Settings

/// The size and weight of a profile's vehicle, for signs that are about them: `weight>3.5`, `axles >= 3`.
package struct Vehicle: Sendable {
  /// In tonnes, metres and numbers, by the wiki's name of the property.
  private let properties: [String: Double]

  /// No vehicle: signs about a vehicle's properties are about others.
  package static let none = Vehicle([:])

  private init(_ properties: [String: Double]) { self.properties = properties }

  init(_ settings: SettingsObject) throws {
    properties = try Dictionary(
      uniqueKeysWithValues: settings.keys.map { ($0, try settings.number($0, atLeast: 0, unit: "a number")) })
    try settings.finish()
  }

  /// The properties that signs name, and what each is about.
  private static let names = [
    "weight": "weight", "maxweight": "weight", "maxweightrating": "weight", "gvwr": "weight", "weightrating": "weight",
    "axleload": "axleload", "length": "length", "width": "width", "height": "height", "axles": "axles",
    "wheels": "wheels", "trailers": "trailers", "occupants": "occupants", "seats": "seats",
  ]
  private static let units = [
    "": 1, "t": 1, "kg": 0.001, "st": 0.907_185, "lbs": 0.000_453_592, "m": 1, "cm": 0.01, "ft": 0.3048, "in": 0.0254,
  ]

  /// Whether `property<number unit` holds; nil where it cannot be read.
  func satisfies(_ comparison: String) -> Bool? {
    guard let start = comparison.firstIndex(where: { "<>=".contains($0) }) else { return nil }
    let name = comparison[..<start].trimmingSpaces.lowercased()
    let sign = comparison[start...].prefix { "<>=".contains($0) }
    let right = comparison[start...].dropFirst(sign.count).trimmingSpaces
    let digits = right.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let property = Vehicle.names[name], let number = Double(digits),
      let unit = Vehicle.units[right.dropFirst(digits.count).trimmingSpaces.lowercased()]
    else { return nil }
    guard let own = properties[property] else { return false }
    let limit = number * unit
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
