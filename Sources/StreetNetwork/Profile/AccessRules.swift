import Settings

/// Rules for access to ways and points by OpenStreetMap's access tags; specific keys take precedence over general ones.
struct AccessRules: Sendable {
  /// The keys from specific to general (`foot`, `access`), each for both directions and for a single one.
  let keys: [Key]
  /// The keys of the vehicle's classes, such as `vehicle` and `hgv`, from general to specific; without keys that apply
  /// to everyone.
  let classes: [String]
  private let byHighway: [String: Access]
  private let openedBy: TagSet
  /// Tags that open ways of one class only.
  private let openedByHighway: [String: TagSet]
  /// Classes that are closed in some countries: `cycleway` for pedestrians.
  private let closedByCountry: Set<String>
  private let values: [String: Access]
  /// The values for trips that start or end there, which are also conditions: `yes @ destination`.
  private let users: Set<String>

  /// The degree of access, from the most open to the most closed.
  enum Access: UInt8, Sendable, Comparable {
    case allowed
    /// Only for trips that start or end there; never as a shortcut.
    case endsOnly
    case forbidden

    static func < (a: Access, b: Access) -> Bool { a.rawValue < b.rawValue }
  }

  /// A tag's value and its meaning.
  struct Decision: Sendable {
    var value: String
    var access: Access
    /// Whether its key applies to everyone: it can close ways, but not open ways that are closed by their class.
    var isGeneral: Bool
  }

  struct Key: Sendable {
    let both: String
    let forward: String
    let backward: String
    let isGeneral: Bool

    fileprivate func lanes(_ direction: Direction?) -> [String] {
      [both + ":lanes"] + (direction.map { [both + ":lanes:" + $0.rawValue] } ?? [])
    }
  }

  init(_ settings: SettingsObject) throws {
    let general = Set(try settings.strings("generalKeys"))
    keys = try settings.strings("keys").reversed().map {
      Key(both: $0, forward: $0 + ":forward", backward: $0 + ":backward", isGeneral: general.contains($0))
    }
    self.classes = keys.reversed().filter { !$0.isGeneral }.map(\.both)
    var values: [String: Access] = [:]
    for (key, access) in [("allowed", Access.allowed), ("endsOnly", .endsOnly), ("forbidden", .forbidden)] {
      for value in try settings.strings(key) {
        guard values.updateValue(access, forKey: value) == nil else {
          throw settings.error(key, "\"\(value)\" is listed more than once in allowed, endsOnly and forbidden")
        }
      }
    }
    let known = values
    self.values = values
    users = Set(try settings.strings("endsOnly"))
    let classes = try settings.object("byHighway")
    byHighway = try Dictionary(
      uniqueKeysWithValues: classes.keys.map { ($0, known[try classes.choice($0, of: known.keys.sorted())]!) })
    openedBy = try TagSet(settings.object("openedBy"))
    let opened = try settings.object("openedByHighway")
    openedByHighway = try Dictionary(uniqueKeysWithValues: opened.keys.map { ($0, try TagSet(opened.object($0))) })
    closedByCountry = settings.has("closedByCountry") ? Set(try settings.strings("closedByCountry")) : []
    try settings.finish()
  }

  /// Returns the access tag that decides, for both directions or for one: the tag with the most specific key that has a
  /// known value; nil if there is none.
  func decision(_ tags: Tags, _ direction: Direction? = nil) -> Decision? {
    for key in keys {
      if let direction, let found = valueDecision(tags[direction == .forward ? key.forward : key.backward], key) {
        return found
      }
      if let found = valueDecision(tags[key.both], key) { return found }
      if let found = laneDecision(tags, key, direction) { return found }
    }
    return nil
  }

  /// Returns the most open of the lane values, if all lanes have known values. Keys that apply to everyone are ignored.
  private func laneDecision(_ tags: Tags, _ key: Key, _ direction: Direction?) -> Decision? {
    guard !key.isGeneral, tags.hasKey(beginningWith: key.both + ":lanes") else { return nil }
    for lanes in key.lanes(direction).compactMap({ tags[$0]?.lanes }) {
      let found = lanes.map { valueDecision($0, key) }
      if !found.contains(where: { $0 == nil }) { return found.compactMap(\.self).min { $0.access < $1.access } }
    }
    return nil
  }

  /// Returns the most open of a list of values (`forestry;permissive`), since each allows additional users.
  func valueDecision(_ text: String?, _ key: Key) -> Decision? {
    guard let text else { return nil }
    if let access = values[text] { return decision(text, access, key) }
    let parts = text.lowercased().split { $0 == ";" || $0 == "," }.map(\.trimmingSpaces)
    let known = parts.compactMap { part in values[part].map { decision(part, $0, key) } }
    return known.min { $0.access < $1.access }
  }

  private func decision(_ value: String, _ access: Access, _ key: Key) -> Decision {
    Decision(value: value, access: access, isGeneral: key.isGeneral)
  }

  /// Returns the access to a way in a direction, by its class and tags, at its locality or, if nil, anywhere. `highway`
  /// is nil for ferries, piers and platforms.
  func access(toWay tags: Tags, highway: String?, in locality: Locality?, _ direction: Direction) -> Access {
    let byClass = access(toClass: highway, tags, locality)
    guard let tagged = decision(tags, direction) else { return byClass }
    return tagged.isGeneral ? max(byClass, tagged.access) : tagged.access
  }

  func access(toClass highway: String?, _ tags: Tags, _ locality: Locality?) -> Access {
    guard let highway, let byClass = byHighway[highway] ?? byCountry(highway, locality), !openedBy.matches(tags) else {
      return .allowed
    }
    return openedByHighway[highway]?.matches(tags) == true ? .allowed : byClass
  }

  private func byCountry(_ highway: String, _ locality: Locality?) -> Access? {
    guard closedByCountry.contains(highway) else { return nil }
    return locality?.country?.allowsFootOnCycleways == false ? .forbidden : nil
  }
}

/// Forward or backward along a way.
package enum Direction: String, Sendable { case forward, backward }

extension Substring {
  var trimmingSpaces: String {
    // The fast path for almost all values, which start and end with visible ASCII characters.
    if let first = utf8.first, let last = utf8.last, 0x21..<0x7F ~= first, 0x21..<0x7F ~= last { return String(self) }
    return String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension AccessRules {
  /// Keys about dangerous goods. They restrict access, but never open a way.
  private static let hazards = ["hazmat", "hazmat:water"].map {
    Key(both: $0, forward: $0 + ":forward", backward: $0 + ":backward", isGeneral: false)
  }

  /// Returns the access for vehicles carrying dangerous goods by time, one value per key in `hazards`.
  func accessWithHazards(at conditional: inout ConditionalTags, _ direction: Direction?) -> [Timed<Access>] {
    AccessRules.hazards.map { key in
      let names = [key.both] + (direction.map { [$0 == .forward ? key.forward : key.backward] } ?? [])
      let usual = names.compactMap { valueDecision(conditional.tags[$0], key)?.access }.last ?? .allowed
      return Timed(usual, names.flatMap { conditional.clauses($0) { valueDecision($0, key)?.access } })
    }
  }

  /// Returns access by time: the tags' usual values, and their clauses. A key with a value, conditional or not,
  /// overrides more general keys; a key for one direction overrides the one for both. Clauses for certain users, such
  /// as deliveries, open a closed way to trips that start or end there.
  func access(
    at conditional: inout ConditionalTags, _ direction: Direction?, highway: String?, in locality: Locality? = nil,
    usual: Access
  ) -> Timed<Access> {
    let byClass = access(toClass: highway, conditional.tags, locality)
    var clauses: [Timed<Access>.Clause] = []
    search: for key in keys {
      for name in [direction.map { $0 == .forward ? key.forward : key.backward }, key.both].compactMap(\.self) {
        let keyClauses = conditional.clauses(name, by: users) {
          valueDecision($0, key).map { $0.isGeneral ? max(byClass, $0.access) : $0.access }
        }
        clauses = keyClauses + clauses
        if valueDecision(conditional.tags[name], key) != nil { break search }
      }
    }
    clauses += conditional.closings(by: classes, direction)
    guard clauses.contains(where: \.condition.isForEnds) else { return Timed(usual, clauses) }
    return Timed(usual, clauses.filter { !$0.condition.isForEnds }).combined(Timed(usual, clauses)) {
      $0 == .allowed || $1 == .forbidden ? $0 : .endsOnly
    }
  }
}
