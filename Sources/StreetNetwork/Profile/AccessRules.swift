import Settings

/// Who may use a way or pass a point: OpenStreetMap's access tags, from the general key to the specific one.
struct AccessRules: Sendable {
  /// From the specific to the general (`foot`, `access`), each as it is tagged for both directions and for one.
  private let keys: [Key]
  private let byHighway: [String: Access]
  private let openedBy: TagSet
  private let values: [String: Access]

  enum Access: Sendable {
    case allowed
    /// Only where a trip starts or ends; never as a shortcut.
    case endsOnly
    case forbidden
  }

  private struct Key: Sendable {
    let both: String
    let forward: String
    let backward: String
  }

  init(_ settings: SettingsObject) throws {
    keys = try settings.strings("keys").reversed().map {
      Key(both: $0, forward: $0 + ":forward", backward: $0 + ":backward")
    }
    var values: [String: Access] = [:]
    for (key, access) in [("allowed", Access.allowed), ("endsOnly", .endsOnly), ("forbidden", .forbidden)] {
      for value in try settings.strings(key) {
        guard values.updateValue(access, forKey: value) == nil else {
          throw settings.error(key, "\"\(value)\" is in two of allowed, endsOnly, forbidden")
        }
      }
    }
    let known = values
    self.values = values
    let classes = try settings.object("byHighway")
    byHighway = try Dictionary(
      uniqueKeysWithValues: classes.keys.map { ($0, known[try classes.choice($0, of: known.keys.sorted())]!) })
    openedBy = try TagSet(settings.object("openedBy"))
    try settings.finish()
  }

  /// Access in general, or in one direction, by the most specific key that is tagged with a known value;
  /// nil where none is.
  func tagged(_ tags: Tags, _ direction: Direction? = nil) -> Access? {
    decidingValue(tags, direction).flatMap { values[$0] }
  }

  /// The value that decides: of a list of values (`no;permissive`) the first that is known.
  func decidingValue(_ tags: Tags, _ direction: Direction? = nil) -> String? {
    for key in keys {
      if let direction, let value = known(tags[direction == .forward ? key.forward : key.backward]) { return value }
      if let value = known(tags[key.both]) { return value }
    }
    return nil
  }

  private func known(_ value: String?) -> String? {
    value?.firstListed { values[$0] == nil ? nil : $0 }
  }

  /// Whether a way of this class may be used in a direction. `highway` is nil for ferries, piers and platforms.
  func access(toWay tags: Tags, highway: String?, _ direction: Direction) -> Access {
    if let tagged = tagged(tags, direction) { return tagged }
    guard let highway, let byClass = byHighway[highway] else { return .allowed }
    return openedBy.matches(tags) ? .allowed : byClass
  }

  /// The text of `access:conditional` and its like that closes the way at times (`no @ (22:00-06:00)`), if any.
  func closingCondition(_ tags: Tags) -> String? {
    for key in keys {
      guard let text = tags[key.both + ":conditional"] else { continue }
      return ConditionalValue.all(in: text).first { values[$0.value] == .forbidden }?.condition
    }
    return nil
  }
}

/// Along a way as it is drawn, or against.
enum Direction: String, Sendable { case forward, backward }

extension Substring {
  var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
