/// What a relation forbids, by the most specific key that is about a vehicle, and when.
struct RestrictionTimes {
  private(set) var values: [(value: String, holds: When)] = []
  /// Tags about times that cannot be read.
  private(set) var unreadable: [String] = []

  enum When: Equatable {
    case always
    /// As a `Closing`.
    case at(String)
  }

  init(_ tags: Tags, _ rules: TurnRules, for vehicle: Vehicle) {
    // `type=restriction:hgv` applies to lorries only.
    func value(_ key: String) -> String? {
      guard key != "restriction" || tags["type"] == "restriction" else { return nil }
      return tags[key] ?? (tags["type"] == key ? tags["restriction"] : nil)
    }
    for (index, key) in rules.restrictionKeys.enumerated() {
      if tags[key + ":conditional"] != nil {
        // Times of a special key leave what a general one says at all others.
        let usual = rules.restrictionKeys[index...].lazy.compactMap(value).first
        read(ConditionalTags(tags, for: vehicle), key, otherwise: usual)
        break
      }
      guard let value = value(key) else { continue }
      readOldTimes(tags, value)
      break
    }
  }

  /// Each kind of turn that is named: forbidden at its times, or but for those at which it is `none`.
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
        values.append((kind, .at(closing)))
      } else if holding.usual {
        values.append((kind, .always))
      }
    }
  }

  /// The obsolete tags: `day_on`, `day_off`, `hour_on`, `hour_off`.
  private mutating func readOldTimes(_ tags: Tags, _ value: String) {
    let days = tags["day_on"].map { first in "\(first.prefix(2))-\((tags["day_off"] ?? first).prefix(2))" }
    let clocks = [tags["hour_on"], tags["hour_off"]].compactMap(\.self).map { $0.contains(":") ? $0 : $0 + ":00" }
    let text = [days, clocks.isEmpty ? nil : clocks.joined(separator: "-")].compactMap(\.self).joined(separator: " ")
    if text.isEmpty {
      values = [(value, .always)]
    } else if let hours = Condition(text) {
      values = [(value, .at(Closing.text(isUsuallyClosed: false, [(true, hours)])))]
    } else {
      unreadable = ["day_on, hour_on=\(text)"]
    }
  }
}

extension Timed<String>.Clause {
  /// Whether a restriction does not hold then.
  fileprivate var isLifting: Bool { ["none", "no", "yes"].contains(value) }
}
