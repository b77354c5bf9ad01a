import COsmium
import Foundation
import Settings

/// The tags of an object: a view of memory owned by a `TagStore`, or by libosmium and valid only during its callback.
struct Tags {
  private let bytes: UnsafePointer<CChar>?
  private let size: Int

  init(_ tags: COsmiumTags) {
    bytes = tags.bytes
    size = tags.size
  }

  init() { self.init(COsmiumTags(bytes: nil, size: 0)) }

  var isEmpty: Bool { size == 0 }

  /// The value of `key`. *Complexity*: O(tags) comparisons.
  subscript(key: String) -> String? {
    guard var at = bytes else { return nil }
    let end = at + size
    return key.withCString { key in
      while at < end {
        let value = at + strlen(at) + 1
        if strcmp(at, key) == 0 { return String(cString: value) }
        at = value + strlen(value) + 1
      }
      return nil
    }
  }

  /// Calls `body` with all tags in libosmium's format: key, NUL, value, NUL, key, …
  func withBytes(_ body: (UnsafeBufferPointer<CChar>) -> Void) { body(UnsafeBufferPointer(start: bytes, count: size)) }

  func hasKey(endingWith suffix: String) -> Bool {
    hasKey { key, size in size >= suffix.utf8.count && strcmp(key + size - suffix.utf8.count, suffix) == 0 }
  }

  func hasKey(beginningWith prefix: String) -> Bool {
    hasKey { key, _ in strncmp(key, prefix, prefix.utf8.count) == 0 }
  }

  private func hasKey(where predicate: (UnsafePointer<CChar>, Int) -> Bool) -> Bool {
    guard var at = bytes else { return false }
    let end = at + size
    while at < end {
      let size = strlen(at)
      if predicate(at, size) { return true }
      at += size + 1
      at += strlen(at) + 1
    }
    return false
  }
}

extension Tags {
  /// Whether a way is a bridge or a tunnel. A passage through a building is on the ground.
  var isOffGround: Bool {
    if let bridge = self["bridge"], bridge != "no" { return true }
    guard let tunnel = self["tunnel"] else { return false }
    return !["no", "building_passage"].contains(tunnel)
  }
}

/// The effect of a point on a way: barriers, signals, signs, tolls.
struct PointRules: Sendable {
  private let impassable: TagSet
  /// Tags that make a barrier passable, by kind of barrier; `*` is any kind.
  private let passable: [String: TagSet]
  private let delays: TagTable<Double>
  let tolls: TagSet
  let turningPoints: TagSet

  enum Passage: UInt8, Sendable {
    case open
    /// Passable only for trips that start or end behind it.
    case endsOnly
    /// Passable only at certain times.
    case gated
    /// Passable along a road, but not for pedestrians who cross the road there.
    case closedAcross
    case closed
  }

  init(_ root: SettingsObject) throws {
    impassable = try TagSet(root.object("impassable"))
    let passable = try root.object("passable")
    self.passable = try Dictionary(uniqueKeysWithValues: passable.keys.map { ($0, try TagSet(passable.object($0))) })
    delays = try TagTable(root.object("delays")) { try $0.seconds($1) }
    tolls = try TagSet(root.object("tollPoints"))
    turningPoints = try TagSet(root.object("turningPoints"))
  }

  /// Returns whether a point can be passed, in a direction along its way if one is given: its access tags decide,
  /// otherwise its kind. Only people pass turnstiles, so `oneway` applies to them there.
  ///
  /// - Parameter skipped: A key that does not matter.
  func passage(
    _ tags: Tags, _ access: AccessRules, _ oneway: OnewayRules, _ direction: Direction?, without skipped: String? = nil
  ) -> Passage {
    if let direction {
      let isTurnstile = tags["barrier"]?.hasSuffix("turnstile") == true
      let tagged = isTurnstile ? tags["oneway"].flatMap { oneway.values[$0] } : nil
      guard (tagged ?? oneway.directions(tags)).contains(direction) else { return .closed }
    }
    switch access.decision(tags, direction)?.access {
    // Permission for others (foot=yes at a stile) does not open a point to vehicles that no tag allows.
    case .allowed where !access.classes.isEmpty: return .open
    case .endsOnly: return .endsOnly
    case .forbidden: return .closed
    case .allowed, nil: return blocks(tags, without: skipped) ? .closed : .open
    }
  }

  /// Returns whether a point has a kind of barrier that blocks the way.
  func blocks(_ tags: Tags, without skipped: String? = nil) -> Bool {
    impassable.matches(tags, without: skipped) && !isPassable(tags)
  }

  /// Returns whether a point's access tags and kerbs apply to pedestrians who cross the street there, not to traffic
  /// along it.
  func appliesToCrossingPedestrians(_ tags: Tags) -> Bool {
    guard let highway = tags["highway"], highway != "elevator" else { return false }
    let barrier = tags["barrier"]
    return barrier == nil || barrier == "kerb"
  }

  private func isPassable(_ tags: Tags) -> Bool {
    if passable["*"]?.matches(tags) == true { return true }
    return tags["barrier"].flatMap { passable[$0] }?.matches(tags) == true
  }

  /// Returns the time for passing the point, in milliseconds; the maximum if several tags have one.
  func delay(_ tags: Tags) -> UInt32 {
    let seconds = delays.meanings(of: tags, without: appliesToCrossingPedestrians(tags) ? "kerb" : nil).max() ?? 0
    return UInt32((seconds * 1000).rounded())
  }
}

/// The time-dependent access to a point, such as a gate that is closed at night.
struct TimedPassage {
  var passage: PointRules.Passage
  /// The only direction along the way in which the point is passable; nil for both.
  var direction: Direction?
  /// The closures and access of the point, as for streets.
  var times = DirectionTimes(all: "")
  /// Unreadable time-dependent tags.
  var unreadable: [String] = []
}

extension Profile {
  func passage(_ tags: Tags) -> TimedPassage {
    let directions = tags["barrier"] == nil ? [] : [Direction.forward, .backward]
    let open = directions.filter { passage(tags, $0).passage != .closed }
    guard open.count < directions.count else { return passage(tags, nil) }
    var found = passage(tags, open.first ?? .forward)
    found.direction = open.first
    if found.passage == .open { found.passage = .gated }
    return found
  }

  private func passage(_ tags: Tags, _ direction: Direction?) -> TimedPassage {
    // The access of a bench or a shower is not that of the path.
    if tags["barrier"] == nil, let amenity = tags["amenity"], !amenity.hasPrefix("parking") {
      return TimedPassage(passage: .open)
    }
    let fits =
      !vehicle.isStopped(by: tags) && vehicle.exceededLimits(tags, by: access.classes, nil, isPoint: true).isEmpty
    // The height of a kerb says more than its kind.
    let skipped = vehicle.passesMeasuredKerb(tags) == true ? "kerb" : nil
    var usual = fits ? points.passage(tags, access, oneway, direction, without: skipped) : .closed
    // A bicycle is pushed past points where riding is forbidden, as along ways; hours for pedestrians are not read.
    // Tags for pedestrians do not open a kind of barrier that a bicycle does not fit through, as tags for bicycles do.
    if fits, usual == .closed, let pushing {
      if pushing.openedBy.matches(tags) {
        usual = .open
      } else if !points.blocks(tags) {
        usual = points.passage(tags, pushing.access, pushing.oneway, direction)
      }
    }
    if points.appliesToCrossingPedestrians(tags) {
      let isClosed = usual == .closed && crossings?.crossing(tags) != nil
      return TimedPassage(passage: isClosed ? .closedAcross : .open)
    }
    // Without a barrier or a lift, opening_hours describes another object at that point.
    let hasHours = tags["barrier"] != nil || tags["highway"] == "elevator"
    guard fits, hasHours || vehicle.isHazardous || tags.hasKey(endingWith: ":conditional") else {
      return TimedPassage(passage: usual)
    }
    var conditional = ConditionalTags(tags, for: vehicle)
    let passing = access(at: &conditional, direction, highway: nil, usual: usual.access)
    if passing.usual > usual.access { usual = passing.usual == .endsOnly ? .endsOnly : .closed }
    let hours = hasHours ? conditional.openingHours() : nil
    let closings = [passing.closing { $0 != .forbidden }, hours].compactMap(\.self)
    let isForAll = passing.values.contains(.allowed)
    guard isForAll || passing.values.contains(.endsOnly), !closings.isEmpty || !passing.clauses.isEmpty else {
      return TimedPassage(passage: usual, unreadable: conditional.unreadable)
    }
    var times = DirectionTimes(all: "")
    times.closing = Closing.text(anyOf: closings)
    if isForAll, passing.values.contains(.endsOnly) {
      times.closingAsThrough = passing.closing { $0 == .allowed } ?? ""
      times.closingAsEnds = passing.closing { $0 == .endsOnly } ?? ""
    }
    return TimedPassage(passage: isForAll ? .gated : .endsOnly, times: times, unreadable: conditional.unreadable)
  }
}

extension PointRules.Passage {
  fileprivate var access: AccessRules.Access {
    switch self {
    case .open, .gated, .closedAcross: .allowed
    case .endsOnly: .endsOnly
    case .closed: .forbidden
    }
  }
}
