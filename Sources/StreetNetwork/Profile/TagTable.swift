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

  /// The first of the tags that the table knows, and what it means.
  func firstMatch(_ tags: Tags) -> (key: String, value: String, meaning: Meaning)? {
    for (key, meanings) in rules {
      guard let value = tags[key], let meaning = meanings[value] else { continue }
      return (key, value, meaning)
    }
    return nil
  }

  /// The meanings of all tags that the table knows, except of one key.
  func meanings(of tags: Tags, without skipped: String? = nil) -> [Meaning] {
    rules.compactMap { key, meanings in key == skipped ? nil : tags[key]?.firstListed { meanings[$0] } }
  }
}

/// Tags of which some values count: `{ barrier: ["wall", "fence"] }`, or all but some: `{ barrier: ["*", "!gate"] }`.
///
/// Of a list of values one that counts is enough; where all but some count, one of those exempts the whole list.
struct TagSet: Sendable {
  private let rules: [Rule]

  private struct Rule: Sendable {
    let key: String
    let values: Set<String>
    /// Whether all values count but these.
    let isExcluding: Bool
  }

  init(_ settings: SettingsObject) throws {
    rules = try settings.keys.map { key in
      let values = try settings.strings(key)
      let exempt = values.filter { $0.hasPrefix("!") }
      let counting = values.filter { !$0.hasPrefix("!") }
      guard counting.contains("*") || exempt.isEmpty, !counting.contains("*") || counting.count == 1 else {
        throw settings.error(key, "either some values, or \"*\" for all and those with ! in front that do not count")
      }
      return exempt.isEmpty && counting != ["*"]
        ? Rule(key: key, values: Set(counting), isExcluding: false)
        : Rule(key: key, values: Set(exempt.map { String($0.dropFirst()) }), isExcluding: true)
    }
  }

  func matches(_ tags: Tags) -> Bool {
    rules.contains { rule in tags[rule.key].map { matches($0, rule) } == true }
  }

  private func matches(_ value: String, _ rule: Rule) -> Bool {
    (value.firstListed { rule.values.contains($0) ? $0 : nil } != nil) != rule.isExcluding
  }

  /// The same of a way in one direction by the time: by `hov`, `hov:forward`, `hov:conditional`, and by `hov:lanes` where
  /// the values of all lanes count.
  func matching(_ conditional: inout ConditionalTags, _ direction: Direction) -> Timed<Bool> {
    var matching = Timed(false)
    for rule in rules {
      var own = Timed(conditional.tags[rule.key].map { matches($0, rule) } == true)
      // Nearly all ways have none of these.
      if !rule.isExcluding, conditional.tags.hasKey(beginningWith: rule.key + ":") {
        for name in ["", ":\(direction.rawValue)", ":lanes", ":lanes:\(direction.rawValue)"].map({ rule.key + $0 }) {
          let isMatching = own.usual || conditional.tags[name].map { matchesAllLanes($0, rule) } == true
          own = Timed(isMatching, own.clauses + conditional.clauses(name) { matchesAllLanes($0, rule) })
        }
      }
      matching = matching.combined(own) { $0 || $1 }
    }
    return matching
  }

  /// Whether each lane of `designated|designated` has a value that counts; a value without bars is one lane.
  private func matchesAllLanes(_ value: String, _ rule: Rule) -> Bool {
    value.lanes.allSatisfy { matches($0, rule) }
  }
}

extension String {
  /// The values of lanes, as in `no|yes`.
  var lanes: [String] { split(separator: "|", omittingEmptySubsequences: false).map(\.trimmingSpaces) }
}

extension String {
  /// What a tag's value means; of a list of values (`asphalt;gravel`) the first that means something counts.
  func firstListed<Meaning>(_ meaning: (String) -> Meaning?) -> Meaning? {
    if let whole = meaning(self) { return whole }
    guard utf8.contains(UInt8(ascii: ";")) else { return nil }
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

  /// Seconds: ten hours at most, so that several together fit a street's weight.
  func seconds(_ key: String) throws -> Double {
    let seconds = try number(key, atLeast: 0, unit: "a number of seconds")
    guard seconds <= 36_000 else { throw error(key, "got \(seconds), expected a number of seconds, at most 36000") }
    return seconds
  }

  /// A speed in km/h, in metres per second.
  func speed(_ key: String) throws -> Double { try number(key, over: 0, unit: "a speed in km/h") / 3.6 }
}
