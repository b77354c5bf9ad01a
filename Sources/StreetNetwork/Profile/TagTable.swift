/// Tags and what their values mean: `{ surface: { sand: 0.7, mud: 0.6 } }`.
///
/// Sorted by key, so that rules apply in the same order in every run.
struct TagTable<Meaning: Sendable>: Sendable {
  let rules: [(key: String, meanings: [String: Meaning])]

  /// Reads each value of each key by `read`. *Throws*: `SettingsError`.
  init(_ settings: SettingsObject, _ read: (SettingsObject, String) throws -> Meaning) throws {
    rules = try settings.keys.map { key in
      let values = try settings.object(key)
      return (key, try Dictionary(uniqueKeysWithValues: values.keys.map { ($0, try read(values, $0)) }))
    }
  }

  /// The meanings of all tags that the table knows.
  func meanings(of tags: Tags) -> [Meaning] {
    rules.compactMap { key, meanings in tags[key].flatMap { meaning(of: $0, meanings) } }
  }

  /// Of a list of values (`asphalt;gravel`), the first that is known counts.
  private func meaning(of value: String, _ meanings: [String: Meaning]) -> Meaning? {
    if let known = meanings[value] { return known }
    guard value.contains(";") else { return nil }
    return value.split(separator: ";").lazy.compactMap { meanings[$0.trimmingSpaces] }.first
  }
}

/// Tags of which some values count: `{ barrier: ["wall", "fence"] }`.
struct TagSet: Sendable {
  let values: [(key: String, values: Set<String>)]

  init(_ settings: SettingsObject) throws {
    values = try settings.keys.map { ($0, Set(try settings.strings($0))) }
  }

  func matches(_ tags: Tags) -> Bool {
    values.contains { key, values in
      guard let value = tags[key] else { return false }
      if values.contains(value) { return true }
      return value.contains(";") && value.split(separator: ";").contains { values.contains($0.trimmingSpaces) }
    }
  }
}

extension SettingsObject {
  /// The table under `key`, of speeds in km/h, in metres a second.
  func speeds(_ key: String) throws -> TagTable<Double> {
    try TagTable(object(key)) { try $0.speed($1) }
  }

  /// Speeds in km/h by name, in metres a second.
  func speedsByName(_ key: String) throws -> [String: Double] {
    let object = try object(key)
    return try Dictionary(uniqueKeysWithValues: object.keys.map { ($0, try object.speed($0)) })
  }

  /// A speed in km/h, in metres a second.
  func speed(_ key: String) throws -> Double { try number(key, over: 0, unit: "a speed in km/h") / 3.6 }
}
