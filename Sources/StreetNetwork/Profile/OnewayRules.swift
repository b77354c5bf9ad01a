import Settings

/// In which directions a way may be used, as far as its shape and its `oneway` tags say.
struct OnewayRules: Sendable {
  /// From the specific to the general (`oneway:bicycle`, `oneway`): the first that is tagged with a known value
  /// decides.
  let keys: [String]
  let values: [String: Directions]
  /// Taken where no key decides.
  private let implied: TagTable<Directions>
  /// Opens the other direction where the most specific key does not decide (`cycleway=opposite`).
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

  func directions(_ tags: Tags) -> Directions {
    var isSpecial = false
    var decided: Directions?
    for (index, key) in keys.enumerated() {
      guard let directions = tags[key].flatMap({ values[$0] }) else { continue }
      decided = directions
      isSpecial = index == 0 && keys.count > 1
      break
    }
    let directions = decided ?? conveying?.directions(tags) ?? implied.meanings(of: tags).first ?? .both
    return !isSpecial && directions != .both && opposite.matches(tags) ? .both : directions
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

  /// A table of directions by a tag's value.
  static func byName(_ settings: SettingsObject, _ key: String) throws -> [String: Self] {
    let words = try settings.object(key)
    return try Dictionary(uniqueKeysWithValues: words.keys.map { ($0, try Self(words, $0)) })
  }
}
