import COsmium

/// A turn restriction of the map: a relation with ways `from` and `to`, and a node or ways `via`.
///
/// See "Relation:restriction" in the OpenStreetMap wiki. The streets are resolved later (`RestrictedTurns`).
struct TurnRestriction {
  var kind: RestrictionKind
  var from: [Int64]
  var to: [Int64]
  var via: Via
  /// The times at which the restriction applies (`Closing`); nil for always.
  var condition: String?

  enum Via {
    case node(Int64)
    case ways([Int64])
  }

  /// The result of reading a relation.
  enum Reading {
    case restriction(TurnRestriction)
    /// Ignored; the counter to increment.
    case ignored(WritableKeyPath<RestrictionCounts, UInt32>)
    /// Ignored, since this tag has an unreadable condition.
    case unreadableTimes(String)
  }

  /// Returns the restrictions of a relation: usually one, several if they differ by time.
  static func read(_ relation: COsmiumRelation, _ rules: TurnRules, for vehicle: Vehicle) -> [Reading] {
    let tags = Tags(relation.tags)
    // Mappers also separate values with commas.
    let exempt = tags["except"]?.lowercased().split { $0 == ";" || $0 == "," }.map(\.trimmingSpaces) ?? []
    guard !exempt.contains(where: rules.exceptions.contains) else { return [.ignored(\.others)] }
    let times = RestrictionTimes(tags, rules, for: vehicle)
    guard !times.values.isEmpty || !times.unreadable.isEmpty else { return [.ignored(\.others)] }
    let members = members(of: relation)
    return times.values.map { reading($0.value, $0.closing, members) } + times.unreadable.map(Reading.unreadableTimes)
  }

  private static func reading(_ value: String, _ closing: String?, _ members: Members?) -> Reading {
    guard let kind = RestrictionKind(value) else { return .ignored(\.unknown) }
    guard !kind.isAboutRedLights else { return .ignored(\.redLights) }
    guard let members, kind.allows(from: members.from.count, to: members.to.count) else { return .ignored(\.broken) }
    return .restriction(
      TurnRestriction(kind: kind, from: members.from, to: members.to, via: members.via, condition: closing))
  }
}

extension TurnRestriction {
  private typealias Members = (from: [Int64], to: [Int64], via: Via)

  /// Returns the members by role; nil if some are missing or too many.
  private static func members(of relation: COsmiumRelation) -> Members? {
    var (from, to, nodes, ways): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
    for member in UnsafeBufferPointer(start: relation.members, count: relation.member_count) {
      let isWay = member.type == CChar(UInt8(ascii: "w"))
      switch String(cString: member.role) {
      case "from" where isWay && !from.contains(member.ref): from.append(member.ref)
      case "to" where isWay && !to.contains(member.ref): to.append(member.ref)
      case "via" where isWay && !ways.contains(member.ref): ways.append(member.ref)
      case "via" where member.type == CChar(UInt8(ascii: "n")) && !nodes.contains(member.ref): nodes.append(member.ref)
      default: break
      }
    }
    guard !from.isEmpty, !to.isEmpty else { return nil }
    // If ways are via members, via nodes at their ends add nothing.
    guard ways.isEmpty else { return (from, to, .ways(ways)) }
    return nodes.count == 1 ? (from, to, .node(nodes[0])) : nil
  }

  /// The IDs of all its ways.
  var wayIDs: [Int64] {
    if case .ways(let ways) = via { return from + to + ways }
    return from + to
  }

  /// Returns the restriction without unusable `from` and `to` ways; nil if none remain, or if a `via` way is unusable.
  func keeping(_ isUsable: (Int64) -> Bool) -> TurnRestriction? {
    var usable = self
    usable.from.removeAll { !isUsable($0) }
    usable.to.removeAll { !isUsable($0) }
    if case .ways(let ways) = via, !ways.allSatisfy(isUsable) { return nil }
    return usable.from.isEmpty || usable.to.isEmpty ? nil : usable
  }
}

/// The numbers of turn restrictions in a map: used ones, and ignored ones by reason.
package struct RestrictionCounts: Sendable, BitwiseCopyable, Equatable {
  package var used: UInt32 = 0
  /// Used, with a time condition.
  package var conditional: UInt32 = 0
  /// With members that are missing, not connected, or ambiguous.
  package var broken: UInt32 = 0
  /// Of an unknown kind.
  package var unknown: UInt32 = 0
  /// For turning at red lights, which does not affect routing.
  package var redLights: UInt32 = 0
  /// For other vehicles or on unused ways.
  package var others: UInt32 = 0
  /// With unreadable times: ignored.
  package var unreadable: UInt32 = 0
}

/// The forbidden turns of a relation, with their times, according to the most specific key for a vehicle.
struct RestrictionTimes {
  /// Each with its times (`Closing`); nil for always.
  private(set) var values: [(value: String, closing: String?)] = []
  /// Unreadable time-dependent tags.
  private(set) var unreadable: [String] = []

  init(_ tags: Tags, _ rules: TurnRules, for vehicle: Vehicle) {
    // `type=restriction:hgv` applies only to lorries.
    func value(_ key: String) -> String? {
      guard key != "restriction" || tags["type"] == "restriction" else { return nil }
      return tags[key] ?? (tags["type"] == key ? tags["restriction"] : nil)
    }
    for (index, key) in rules.restrictionKeys.enumerated() {
      if tags[key + ":conditional"] != nil {
        // The times of a specific key take precedence over the value of a general one.
        let usual = rules.restrictionKeys[index...].lazy.compactMap(value).first
        read(ConditionalTags(tags, for: vehicle), key, otherwise: usual)
        break
      }
      guard let value = value(key) else { continue }
      readOldTimes(tags, value)
      break
    }
  }

  /// Reads each named kind of turn: forbidden at its times, and allowed at the times of `none`.
  private mutating func read(_ tags: ConditionalTags, _ key: String, otherwise usual: String?) {
    var tags = tags
    let clauses = tags.clauses(key) { $0 }
    unreadable = tags.unreadable
    var kinds = [usual].compactMap(\.self)
    for clause in clauses where !kinds.contains(clause.value) && !clause.isLifting { kinds.append(clause.value) }
    for kind in kinds {
      let holding = Timed(
        kind == usual,
        clauses.filter { $0.value == kind || $0.isLifting }.map { .init(value: !$0.isLifting, condition: $0.condition) }
      )
      if let closing = holding.closing({ !$0 }) {
        values.append((kind, closing))
      } else if holding.usual {
        values.append((kind, nil))
      }
    }
  }

  /// Reads the obsolete tags `day_on`, `day_off`, `hour_on` and `hour_off`.
  private mutating func readOldTimes(_ tags: Tags, _ value: String) {
    let days = tags["day_on"].map { first in "\(first.prefix(2))-\((tags["day_off"] ?? first).prefix(2))" }
    let clocks = [tags["hour_on"], tags["hour_off"]].compactMap(\.self).map { $0.contains(":") ? $0 : $0 + ":00" }
    let text = [days, clocks.isEmpty ? nil : clocks.joined(separator: "-")].compactMap(\.self).joined(separator: " ")
    if text.isEmpty {
      values = [(value, nil)]
    } else if let hours = Condition(text) {
      values = [(value, Closing.text(isUsuallyClosed: false, [(true, hours)]))]
    } else {
      unreadable = ["day_on, hour_on=\(text)"]
    }
  }
}

extension Timed<String>.Clause {
  /// Whether the clause suspends a restriction.
  fileprivate var isLifting: Bool { ["none", "no", "yes"].contains(value) }
}

/// The kind of a turn restriction, from its value: `no_left_turn`, `only_straight_on`.
///
/// The prefix decides: `no_…` forbids turning from the first way into the last, `only_…` forbids all other turns.
/// The rest names the turn, which matters where a way continues beyond the junction.
struct RestrictionKind: Equatable {
  var isOnly: Bool
  var turnName: String

  enum Turn { case left, right, straight, u }

  /// Returns nil for values that do not describe a turn.
  init?(_ value: String) {
    let parts = value.lowercased().split(separator: "_", maxSplits: 1)
    guard parts.count == 2, parts[0] == "no" || parts[0] == "only" else { return nil }
    isOnly = parts[0] == "only"
    turnName = String(parts[1])
  }

  /// Whether the restriction forbids turning only at a red light: `no_right_turn_on_red`.
  var isAboutRedLights: Bool { turnName.hasSuffix("on_red") }

  /// The direction named by the value: `left_u_turn` is a U-turn.
  var turn: Turn? {
    let words = turnName.split(separator: "_")
    if words.contains("u") { return .u }
    switch words.first {
    case "left": return .left
    case "right": return .right
    case "straight": return .straight
    default: return nil
    }
  }

  /// Returns whether the numbers of ways are valid: `no_entry` may have several first ways, `no_exit` several last
  /// ways.
  func allows(from: Int, to: Int) -> Bool {
    (from == 1 || !isOnly && turnName == "entry") && (to == 1 || !isOnly && turnName == "exit")
  }
}
