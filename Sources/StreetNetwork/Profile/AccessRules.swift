/// Who may use a way or pass a point: OpenStreetMap's access tags, from the general key to the special one.
struct AccessRules: Sendable {
  /// From the general to the special (`access`, `foot`).
  let keys: [String]
  let byHighway: [String: Access]
  let openedBy: [String: Set<String>]
  private let values: [String: Access]

  enum Access: Sendable {
    case allowed
    /// Only where a trip starts or ends; never as a short cut.
    case endsOnly
    case forbidden
  }

  init(_ settings: SettingsObject) throws {
    keys = try settings.strings("keys")
    var values: [String: Access] = [:]
    for (key, access) in [("allowed", Access.allowed), ("endsOnly", .endsOnly), ("forbidden", .forbidden)] {
      for value in try settings.strings(key) {
        guard values.updateValue(access, forKey: value) == nil else {
          throw settings.error(key, "\"\(value)\" stands in two of allowed, endsOnly, forbidden")
        }
      }
    }
    let known = values
    self.values = values
    let classes = try settings.object("byHighway")
    byHighway = try Dictionary(
      uniqueKeysWithValues: classes.keys.map { ($0, known[try classes.choice($0, of: known.keys.sorted())]!) })
    let openers = try settings.object("openedBy")
    openedBy = try Dictionary(uniqueKeysWithValues: openers.keys.map { ($0, Set(try openers.strings($0))) })
    try settings.finish()
  }

  /// What the tags say, by the most special key that is tagged with a known value; nil where none is.
  func tagged(_ tags: Tags) -> (value: String, access: Access)? {
    for key in keys.reversed() {
      guard let text = tags[key] else { continue }
      for value in text.split(separator: ";") {
        let value = value.trimmingSpaces
        if let access = values[value] { return (value, access) }
      }
    }
    return nil
  }

  /// Whether a way of this class may be used. `highway` is nil for ferries, piers and platforms.
  func access(toWay tags: Tags, highway: String?) -> Access {
    if let tagged = tagged(tags) { return tagged.access }
    guard let highway, let byClass = byHighway[highway] else { return .allowed }
    let isOpened = openedBy.contains { key, values in tags[key].map(values.contains) ?? false }
    return isOpened ? .allowed : byClass
  }
}

extension Substring {
  var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
