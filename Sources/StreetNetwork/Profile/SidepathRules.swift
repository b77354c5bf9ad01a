import Settings

/// Rules for paths along streets, and for streets that are closed in favour of such paths.
struct SidepathRules: Sendable {
  /// Values of `highway` for paths that may belong to a street.
  private let classes: Set<String>
  /// Tags of paths that certainly belong to a street.
  private let certain: TagSet
  /// Tags of streets that are closed if there is a path along them.
  private let instead: TagSet
  /// Tags of streets that stay open, since they have a sidewalk on their other side.
  private let unless: TagSet

  init(_ settings: SettingsObject) throws {
    classes = Set(try settings.strings("classes"))
    certain = try TagSet(settings.object("certain"))
    instead = try TagSet(settings.object("instead"))
    unless = try TagSet(settings.object("unless"))
    try settings.finish()
  }

  func role(_ tags: Tags) -> SidepathRole {
    if let highway = tags["highway"], classes.contains(highway) { return certain.matches(tags) ? .sidepath : .path }
    return instead.matches(tags) && !unless.matches(tags) ? .streetWithPath : .other
  }

  /// Returns whether paths along a way may take its name.
  func lendsName(_ tags: Tags) -> Bool {
    guard let highway = tags["highway"], !classes.contains(highway) else { return false }
    return tags["name"] != nil || tags["ref"] != nil
  }
}

/// The role of a way in matching paths to streets.
enum SidepathRole: UInt8, Sendable {
  case other
  /// A path that may run along a street, and one that certainly does.
  case path, sidepath
  /// A street that is closed if there is a path along it.
  case streetWithPath
}

/// The level of a way: a path takes its name only from a street on the same level.
struct WayLevel: Sendable, Equatable {
  /// The value of `layer`; 0 for ground level.
  var layer = 0
  var isTunnel = false
  var isBridge = false
  /// Inside a building, or on one of its floors above or below the ground.
  var isIndoor = false
}

extension WayLevel {
  init(_ tags: Tags) {
    func has(_ key: String) -> Bool { tags[key].map { $0 != "no" } ?? false }
    layer = tags["layer"].flatMap { Int($0) } ?? 0
    isTunnel = has("tunnel") || tags["location"] == "underground"
    isBridge = has("bridge")
    let floors = tags["level"].map { $0.split(separator: ";").map(\.trimmingSpaces) } ?? ["0"]
    isIndoor = has("indoor") || tags["highway"] == "corridor" || !floors.contains { Double($0) == 0 }
  }
}

extension UsableWay {
  /// Adds the way's role in matching paths to streets, and its level.
  mutating func readSidepath(_ tags: Tags, _ rules: SidepathRules?) {
    guard let rules, !traits.contains(.square) else { return }
    sidepath = rules.role(tags)
    level = WayLevel(tags)
  }

  /// Adds the name of a path's street from the path's own tags. `street:name` may be part of an address: it is used for
  /// a path that certainly belongs to a street, and for others only if they run along one (`streetName`).
  mutating func readStreetName(_ tags: Tags) {
    guard sidepath == .path || sidepath == .sidepath, name.isEmpty, ref.isEmpty else { return }
    name = tags["is_sidepath:of:name"] ?? ""
    if name.isEmpty { ref = tags["is_sidepath:of:ref"] ?? "" }
    guard name.isEmpty, ref.isEmpty, let street = tags["street:name"] else { return }
    if sidepath == .sidepath { name = street } else { streetName = street }
  }
}
