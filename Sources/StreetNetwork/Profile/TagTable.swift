import Settings

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
    rules.compactMap { key, meanings in tags[key]?.firstListed { meanings[$0] } }
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
      tags[key]?.firstListed { values.contains($0) ? $0 : nil } != nil
    }
  }
}

extension String {
  /// What a tag's value means; of a list of values (`asphalt;gravel`) the first that means something counts.
  func firstListed<Meaning>(_ meaning: (String) -> Meaning?) -> Meaning? {
    if let whole = meaning(self) { return whole }
    guard contains(";") else { return nil }
    for part in split(separator: ";") {
      if let meaning = meaning(part.trimmingSpaces) { return meaning }
    }
    return nil
  }
}

extension SettingsObject {
  /// The table under `key`, of speeds in km/h, in metres per second.
  func speeds(_ key: String) throws -> TagTable<Double> {
    try TagTable(object(key)) { try $0.speed($1) }
  }

  /// Speeds in km/h by name, in metres per second.
  func speedsByName(_ key: String) throws -> [String: Double] {
    let object = try object(key)
    return try Dictionary(uniqueKeysWithValues: object.keys.map { ($0, try object.speed($0)) })
  }

  /// A speed in km/h, in metres per second.
  func speed(_ key: String) throws -> Double { try number(key, over: 0, unit: "a speed in km/h") / 3.6 }
}
