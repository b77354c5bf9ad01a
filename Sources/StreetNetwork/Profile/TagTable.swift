import Geography
import Settings

/// Tags and the meanings of their values: `{ surface: { sand: 0.7, mud: 0.6 } }`.
///
/// The rules are sorted by key, so that they apply in the same order in every run.
struct TagTable<Meaning: Sendable>: Sendable {
  let rules: [(key: String, meanings: [String: Meaning])]

  /// Parses each value of each key with `read`. *Throws*: `OdometerError`.
  init(_ settings: SettingsObject, _ read: (SettingsObject, String) throws -> Meaning) throws {
    rules = try settings.keys.map { key in
      let values = try settings.object(key)
      return (key, try Dictionary(uniqueKeysWithValues: values.keys.map { ($0, try read(values, $0)) }))
    }
  }

  func firstMatch(_ tags: Tags) -> (key: String, value: String, meaning: Meaning)? {
    for (key, meanings) in rules {
      guard let value = tags[key], let meaning = meanings[value] else { continue }
      return (key, value, meaning)
    }
    return nil
  }

  func meanings(of tags: Tags, without skipped: String? = nil) -> [Meaning] {
    rules.compactMap { key, meanings in key == skipped ? nil : tags[key]?.firstListed { meanings[$0] } }
  }
}

/// Keys with the values that match: `{ barrier: ["wall", "fence"] }`, or exceptions: `{ barrier: ["*", "!gate"] }`.
///
/// A list of values matches if one of them does; with exceptions, a single exempt value exempts the whole list.
struct TagSet: Sendable {
  private let rules: [Rule]

  private struct Rule: Sendable {
    let key: String
    let values: Set<String>
    /// Whether all values match except these.
    let isExcluding: Bool
  }

  init(_ settings: SettingsObject) throws {
    rules = try settings.keys.map { key in
      let values = try settings.strings(key)
      let exempt = values.filter { $0.hasPrefix("!") }
      let included = values.filter { !$0.hasPrefix("!") }
      guard included.contains("*") || exempt.isEmpty, !included.contains("*") || included.count == 1 else {
        throw settings.error(key, "expected either values, or \"*\" for all with exceptions marked with !")
      }
      return exempt.isEmpty && included != ["*"]
        ? Rule(key: key, values: Set(included), isExcluding: false)
        : Rule(key: key, values: Set(exempt.map { String($0.dropFirst()) }), isExcluding: true)
    }
  }

  func matches(_ tags: Tags, without skipped: String? = nil) -> Bool {
    rules.contains { rule in rule.key != skipped && tags[rule.key].map { matches($0, rule) } == true }
  }

  /// Returns whether a tag for one direction matches, such as `bicycle:forward`.
  func matches(_ tags: Tags, _ direction: Direction) -> Bool {
    tags.hasKey(endingWith: ":\(direction.rawValue)")
      && rules.contains { rule in tags["\(rule.key):\(direction.rawValue)"].map { matches($0, rule) } == true }
  }

  private func matches(_ value: String, _ rule: Rule) -> Bool {
    (value.firstListed { rule.values.contains($0) ? $0 : nil } != nil) != rule.isExcluding
  }

  /// Returns the times at which a way matches in one direction: by `hov`, `hov:forward`, `hov:conditional`, and by
  /// `hov:lanes` if the values of all lanes match.
  func matching(_ conditional: inout ConditionalTags, _ direction: Direction) -> Timed<Bool> {
    var matching = Timed(false)
    for rule in rules {
      var ruleTimes = Timed(conditional.tags[rule.key].map { matches($0, rule) } == true)
      // Almost no way has any of these tags.
      if !rule.isExcluding, conditional.tags.hasKey(beginningWith: rule.key + ":") {
        for name in ["", ":\(direction.rawValue)", ":lanes", ":lanes:\(direction.rawValue)"].map({ rule.key + $0 }) {
          let isMatching = ruleTimes.usual || conditional.tags[name].map { matchesAllLanes($0, rule) } == true
          ruleTimes = Timed(isMatching, ruleTimes.clauses + conditional.clauses(name) { matchesAllLanes($0, rule) })
        }
      }
      matching = matching.combined(ruleTimes) { $0 || $1 }
    }
    return matching
  }

  /// Returns whether each lane of `designated|designated` has a matching value; a value without bars is one lane.
  private func matchesAllLanes(_ value: String, _ rule: Rule) -> Bool { value.lanes.allSatisfy { matches($0, rule) } }
}

extension String {
  /// The values of the lanes in a tag such as `no|yes`.
  var lanes: [String] { split(separator: "|", omittingEmptySubsequences: false).map(\.trimmingSpaces) }

  /// Returns the meaning of a tag's value; for a list (`asphalt;gravel`), the meaning of its first known value. If none
  /// is known, the case of letters is ignored.
  func firstListed<Meaning>(_ meaning: (String) -> Meaning?) -> Meaning? {
    if let whole = meaning(self) { return whole }
    if utf8.contains(UInt8(ascii: ";")) {
      for part in split(separator: ";") {
        if let meaning = meaning(part.trimmingSpaces) { return meaning }
      }
    }
    let lowercase = lowercased()
    return lowercase == self ? nil : lowercase.firstListed(meaning)
  }
}

extension SettingsObject {
  /// Reads the table of speeds under `key`, and converts km/h to metres per second.
  func speeds(_ key: String) throws -> TagTable<Double> { try TagTable(object(key)) { try $0.speed($1) } }

  /// Reads speeds by name, and converts km/h to metres per second.
  func speedsByName(_ key: String) throws -> [String: Double] {
    let object = try object(key)
    return try Dictionary(uniqueKeysWithValues: object.keys.map { ($0, try object.speed($0)) })
  }

  /// Reads a number of seconds: at most ten hours, so that the sum of several fits into a street's weight.
  func seconds(_ key: String) throws -> Double {
    let seconds = try number(key, atLeast: 0, unit: "a number of seconds")
    guard seconds <= 36_000 else { throw error(key, "got \(seconds), expected a number of seconds, at most 36000") }
    return seconds
  }

  /// Reads a speed, and converts km/h to metres per second.
  func speed(_ key: String) throws -> Double { try number(key, over: 0, unit: "a speed in km/h") / 3.6 }
}

/// The waiting times of pedestrians before they cross a road: at signals, and for a gap in the traffic on a major road.
struct CrossingRules: Sendable {
  private let points: TagSet
  private let signals: TagTable<Double>
  private let yielding: TagSet
  private let shareWhereYielding: Double
  private let gaps: [RoadClass: Double]

  init(_ settings: SettingsObject) throws {
    points = try TagSet(settings.object("points"))
    signals = try TagTable(settings.object("signals")) { try $0.seconds($1) }
    yielding = try TagSet(settings.object("yielding"))
    shareWhereYielding = try settings.number("shareWhereYielding", atLeast: 0, unit: "a share")
    guard shareWhereYielding <= 1 else {
      throw settings.error("shareWhereYielding", "got \(shareWhereYielding), expected a share from 0 to 1")
    }
    let gaps = try settings.object("gaps")
    self.gaps = try Dictionary(
      gaps.keys.map { key in
        let road = RoadClass(highway: key, kind: .road)
        guard road < .path else { throw gaps.error(key, "not a road class, expected one such as primary") }
        return (road, try gaps.seconds(key))
      }, uniquingKeysWith: max)
    try gaps.finish()
    try settings.finish()
  }

  /// Returns the cost of crossing at a point for travellers who reach it along a path; nil if it is not a crossing.
  func crossing(_ tags: Tags) -> Crossing? {
    guard points.matches(tags) else { return nil }
    let signal = signals.meanings(of: tags).min()
    return Crossing(signal: signal, gapShare: yielding.matches(tags) ? shareWhereYielding : 1)
  }

  /// Returns the milliseconds that pedestrians wait before they cross a road, whose class is nil if unknown.
  func wait(at crossing: Crossing, of road: RoadClass?) -> UInt32 {
    let gap = road.flatMap { gaps[$0] } ?? 0
    return UInt32(((crossing.signal ?? gap * crossing.gapShare) * 1000).rounded())
  }
}

/// A point where people on foot cross a road.
struct Crossing {
  /// The wait at its signals in seconds, by their kind; nil without signals.
  var signal: Double?
  /// The remaining share of the wait for a gap: less than 1 if traffic gives way.
  var gapShare: Double
}

/// The directions of a way, determined by its shape and its `oneway` tags.
struct OnewayRules: Sendable {
  /// The keys from specific to general (`oneway:bicycle`, `oneway`): the first with a known value decides.
  private let keys: [String]
  let values: [String: Directions]
  /// The directions of ways for which no key decides.
  private let implied: TagTable<Directions>
  /// Tags that open the other direction unless the most specific key decides (`cycleway=opposite`).
  let opposite: TagSet
  private let conveying: ConveyingRules?

  struct Directions: Sendable, Equatable {
    var forward: Bool
    var backward: Bool
    static let both = Directions(forward: true, backward: true)

    func contains(_ direction: Direction) -> Bool { direction == .forward ? forward : backward }
  }

  init(_ settings: SettingsObject) throws {
    keys = try settings.strings("keys").reversed()
    values = try Directions.byName(settings, "values")
    implied = try TagTable(settings.object("implied")) { try Directions($0, $1) }
    opposite = try TagSet(settings.object("opposite"))
    let conveying = try settings.object("conveying")
    self.conveying = conveying.keys.isEmpty ? nil : try ConveyingRules(conveying)
    try settings.finish()
  }

  /// Returns the keys that apply to a way. On a ferry, `oneway` applies to everyone, also on foot.
  private func keys(for tags: Tags) -> [String] {
    tags["route"] == "ferry" && !keys.contains("oneway") ? keys + ["oneway"] : keys
  }

  func directions(_ tags: Tags) -> Directions {
    let keys = keys(for: tags)
    var isMostSpecific = false
    var decided: Directions?
    for (index, key) in keys.enumerated() {
      guard let directions = tags[key]?.firstListed({ values[$0] }) else { continue }
      decided = directions
      isMostSpecific = index == 0 && keys.count > 1
      break
    }
    let directions = decided ?? conveying?.directions(tags) ?? implied.meanings(of: tags).first ?? .both
    return !isMostSpecific && directions != .both && opposite.matches(tags) ? .both : directions
  }
}

extension OnewayRules.Directions {
  init(_ settings: SettingsObject, _ key: String) throws {
    switch try settings.choice(key, of: ["forward", "backward", "both", "none"]) {
    case "forward": self.init(forward: true, backward: false)
    case "backward": self.init(forward: false, backward: true)
    case "both": self = .both
    default: self.init(forward: false, backward: false)
    }
  }

  /// Reads a table of directions by tag value.
  static func byName(_ settings: SettingsObject, _ key: String) throws -> [String: Self] {
    let words = try settings.object(key)
    return try Dictionary(uniqueKeysWithValues: words.keys.map { ($0, try Self(words, $0)) })
  }
}

extension OnewayRules {
  /// Returns the directions by time: the tags' usual values, and the clauses of `oneway:conditional` and similar keys.
  func directions(at conditional: inout ConditionalTags) -> Timed<Directions> {
    let keys = keys(for: conditional.tags)
    var clauses: [Timed<Directions>.Clause] = []
    for (index, key) in keys.enumerated() {
      let isMostSpecific = index == 0 && keys.count > 1
      let isLifted = !isMostSpecific && opposite.matches(conditional.tags)
      clauses = conditional.clauses(key) { $0.firstListed { values[$0] }.map { isLifted ? .both : $0 } } + clauses
      if conditional.tags[key]?.firstListed({ values[$0] }) != nil { break }
    }
    return Timed(directions(conditional.tags), clauses)
  }
}

/// Escalators and moving walkways: the directions of movement (Key:conveying).
struct ConveyingRules: Sendable {
  private let ways: TagSet
  private let values: [String: OnewayRules.Directions]
  /// Directions by value of `oneway`. They apply if `oneway` allows both directions, or if `conveying` names no
  /// direction.
  private let oneway: [String: OnewayRules.Directions]

  init(_ settings: SettingsObject) throws {
    ways = try TagSet(settings.object("on"))
    values = try OnewayRules.Directions.byName(settings, "values")
    oneway = try OnewayRules.Directions.byName(settings, "oneway")
    try settings.finish()
  }

  /// Returns the directions of movement; nil for a way that is not a conveyance.
  func directions(_ tags: Tags) -> OnewayRules.Directions? {
    guard let conveying = tags["conveying"].flatMap({ values[$0] }), ways.matches(tags) else { return nil }
    guard let oneway = tags["oneway"].flatMap({ self.oneway[$0] }) else { return conveying }
    return oneway == .both || conveying == .both ? oneway : conveying
  }
}
