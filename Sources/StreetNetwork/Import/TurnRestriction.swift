import COsmium

/// A turn restriction as the map has it: a relation with ways `from` and `to`, and a node or ways `via`.
///
/// The wiki's "Relation:restriction". Its streets are resolved once they are known
/// (`RestrictedTurns`).
struct TurnRestriction {
  var isOnly: Bool
  /// The direction of the turn, by its name: decides which part of a way is meant where the way continues beyond the
  /// node.
  var turn: Turn?
  var from: [Int64]
  var to: [Int64]
  var via: Via
  /// As in `Conditions`: when it holds, if not always.
  var condition: String?

  enum Turn: String { case left, right, straight, u }

  enum Via {
    case node(Int64)
    case ways([Int64])
  }

  /// How a relation is read.
  enum Reading {
    case restriction(TurnRestriction)
    /// It does not apply to this transport type.
    case others
    /// Members are missing, or too many.
    case broken
    /// Its kind is unknown.
    case unknown
    /// It holds at times that are not understood.
    case unreadableTimes
  }

  /// The restrictions of a relation: mostly one, several where they differ by time.
  static func read(_ relation: COsmiumRelation, _ rules: TurnRules) -> [Reading] {
    let tags = Tags(relation.tags)
    let exempt = tags["except"]?.split(separator: ";").map(\.trimmingSpaces) ?? []
    guard !exempt.contains(where: rules.exceptions.contains) else { return [.others] }
    let values = valuesAndConditions(tags, rules)
    guard !values.isEmpty else { return [.others] }
    let members = Members(relation)
    return values.map { value, condition in
      condition.map { reading(value, condition: $0, members) } ?? .unreadableTimes
    }
  }

  private static func reading(_ value: String, condition: String, _ members: Members?) -> Reading {
    let words = value.split(separator: "_")
    guard words.count >= 2, words[0] == "no" || words[0] == "only",
      ["left", "right", "straight", "u", "entry", "exit", "through", "turn"].contains(words[1])
    else { return .unknown }
    guard let members else { return .broken }
    let isEntryOrExit = words[1] == "entry" || words[1] == "exit"
    guard isEntryOrExit || (members.from.count == 1 && members.to.count == 1) else { return .broken }
    return .restriction(
      TurnRestriction(
        isOnly: words[0] == "only", turn: Turn(rawValue: String(words[1])), from: members.from, to: members.to,
        via: members.via, condition: condition.isEmpty ? nil : condition))
  }

  /// What is forbidden, by the most specific key, and when (empty: always; nil: at times that cannot be read). Empty
  /// where no key applies to this transport type.
  private static func valuesAndConditions(_ tags: Tags, _ rules: TurnRules) -> [(String, String?)] {
    for key in rules.restrictionKeys {
      let value = tags[key] ?? (tags["type"] == key ? tags["restriction"] : nil)
      if let text = tags[key + ":conditional"] { return conditional(text, otherwise: value) }
      // `type=restriction:hgv` applies to lorries only.
      guard let value, key != "restriction" || tags["type"] == "restriction" else { continue }
      return [(value, oldTimes(tags))]
    }
    return []
  }

  private static func conditional(_ text: String, otherwise value: String?) -> [(String, String?)] {
    let values = ConditionalValue.all(in: text)
    guard !values.isEmpty else { return [(value ?? text, nil)] }
    // `no_left_turn` that is lifted at times holds at all others.
    if let value {
      guard let lifted = values.first(where: { ["none", "no"].contains($0.value) }) else { return [(value, "")] }
      return [(value, Condition(lifted.condition) == nil ? "" : "!" + lifted.condition)]
    }
    return values.map { ($0.value, Condition($0.condition) == nil ? nil : $0.condition) }
  }

  /// The obsolete tags: `day_on`, `day_off`, `hour_on`, `hour_off`.
  private static func oldTimes(_ tags: Tags) -> String? {
    let days = tags["day_on"].map { first in "\(first.prefix(2))-\((tags["day_off"] ?? first).prefix(2))" }
    let clocks = [tags["hour_on"], tags["hour_off"]].compactMap(\.self).map { $0.contains(":") ? $0 : $0 + ":00" }
    let hours = clocks.isEmpty ? nil : clocks.joined(separator: "-")
    let text = [days, hours].compactMap(\.self).joined(separator: " ")
    return text.isEmpty || Condition(text) != nil ? text : nil
  }
}

/// The members of a restriction by role.
private struct Members {
  var from: [Int64] = []
  var to: [Int64] = []
  var via: TurnRestriction.Via

  init?(_ relation: COsmiumRelation) {
    var nodes: [Int64] = []
    var ways: [Int64] = []
    for member in UnsafeBufferPointer(start: relation.members, count: relation.member_count) {
      let isWay = member.type == CChar(UInt8(ascii: "w"))
      switch String(cString: member.role) {
      case "from" where isWay: from.append(member.ref)
      case "to" where isWay: to.append(member.ref)
      case "via" where isWay: ways.append(member.ref)
      case "via" where member.type == CChar(UInt8(ascii: "n")): nodes.append(member.ref)
      default: break
      }
    }
    guard !from.isEmpty, !to.isEmpty else { return nil }
    switch (nodes.count, ways.count) {
    case (1, 0): via = .node(nodes[0])
    case (0, 1...): via = .ways(ways)
    default: return nil
    }
  }
}

/// How many of a map's turn restrictions are used, and why the others are not.
package struct RestrictionCounts: Sendable, BitwiseCopyable, Equatable {
  package var used: UInt32 = 0
  /// Used ones that hold at times only.
  package var conditional: UInt32 = 0
  /// With members that are missing, are not connected, or cannot be told apart.
  package var broken: UInt32 = 0
  /// Of an unknown kind.
  package var unknown: UInt32 = 0
  /// For other vehicles, or on ways that are not used.
  package var others: UInt32 = 0
  /// At times that cannot be read: ignored.
  package var unreadable: UInt32 = 0
}
