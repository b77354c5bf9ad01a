import COsmium
import Foundation
import Geography
import Settings

/// The rules by which a transport type uses the map: speeds, access and turns, as editable data.
///
///     let profile = try Profile.stock("automobile")
///     let mine = try Profile(path: "my-walking.json5")      // complete, or only the differences from its base
///
/// The files `data/profiles/*.json5` explain the keys. All values are validated when a profile is read.
public struct Profile: Sendable {
  /// The name, used in file names and tables.
  public let name: String
  /// The transport type.
  public let transportType: TransportType
  /// The roads that trips avoid unless their ends cannot be reached otherwise.
  public let avoids: Avoidance
  /// The profile's text and the avoided roads, which identify every network built with it.
  package let bytes: Data

  /// The vehicle, for limits and for signs that apply only to some vehicles.
  let vehicle: Vehicle
  let speeds: WaySpeeds
  /// Whether the profile's speeds scale with a pace on level ground; false for cars.
  package let hasPace: Bool
  /// The factor by which the pace changes the profile's speeds.
  let paceFactor: Double
  /// The effect of slopes; nil if there is none.
  let hills: Hills?
  /// Conveyances, and other ways on which slopes do not matter.
  let carried: TagSet?
  let level: TagSet?
  /// The hexadecimal SHA-256 of the DEM; nil without one.
  package let elevationDigest: String?
  /// The DEM for building a network; an existing network does not need it.
  package let elevation: Elevation?
  let access: AccessRules
  let oneway: OnewayRules
  /// The rules for pushing a bicycle where riding is forbidden.
  let pushing: PushingRules?
  let points: PointRules
  /// The waiting times of pedestrians at crossings; nil if there are none.
  let crossings: CrossingRules?
  let boarding: BoardingRules
  /// Seconds on ways whose travel time does not depend on their length: lifts.
  let durations: TagTable<Double>?
  let turns: TurnRules
  let forbidden: TagSet
  /// Roads over ice or frozen ground.
  let seasonal: TagSet
  let outlines: TagSet
  let onlyForOthers: TagSet
  let tolls: TagSet
  let motorways: TagSet
  let unpaved: TagSet
  /// Keys of a way's name, the most familiar one first.
  let names: [String]
  /// Whether rules read keys in which ways of one class may differ (`TagStore`), as custom profiles may.
  let readsNames: Bool
  /// The rules for paths along streets; nil if these do not matter.
  let sidepaths: SidepathRules?
  /// The rules for areas that are crossed; nil if there are none.
  let squares: SquareRules?
  let snapPenalties: TagTable<Double>
  /// Whether maneuvers include ramps and merging, and unnamed roads continue named ones; false on foot.
  let usesRoadManeuvers: Bool
  /// Metres per second on the straight line between a place and its street.
  package let snapLegSpeed: Double
  /// Whether snap legs are included by default.
  package let countsSnapLegs: Bool

  /// Roads that a trip avoids: used only to reach a place that cannot be reached otherwise.
  public struct Avoidance: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: UInt8
    /// Creates the set with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Toll roads.
    public static let tolls = Avoidance(rawValue: 1)
    /// Motorways and similar roads.
    public static let highways = Avoidance(rawValue: 2)
  }

  /// The names of the stock profiles.
  public static let stockNames = ["automobile", "van", "truck", "walking", "wheelchair", "pram", "cycling"]

  /// Returns the stock profile with the given name.
  ///
  /// - Throws: `OdometerError` if there is no such profile.
  public static func stock(_ name: String) throws -> Profile { try Profile(stockFile(name)) }

  /// Returns the stock profile of a transport type.
  public static func stock(_ type: TransportType) throws -> Profile { try stock(type.rawValue) }

  /// Reads the profile in the file at `path`. *Throws*: an error with the key, its value and the expected value.
  public init(path: String) throws { try self.init(SettingsFile(path: path)) }

  init(_ file: SettingsFile) throws { try self.init(complete: Profile.complete(file)) }

  init(complete file: SettingsFile, avoiding avoids: Avoidance = [], elevation: Elevation? = nil) throws {
    let root = file.root
    if root.has("base") { _ = try root.string("base") }
    bytes = file.bytes + Data(avoids.isEmpty ? [] : [avoids.rawValue])
    self.avoids = avoids
    let name = try root.string("name")
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) else {
      throw root.error("name", "got \"\(name)\", expected letters, digits, - and _")
    }
    self.name = name
    transportType = try root.choice("transportType", of: TransportType.self)
    vehicle = try root.has("vehicle") ? Vehicle(root.object("vehicle")) : .none
    access = try AccessRules(root.object("access"))
    speeds = try WaySpeeds(root, for: access.classes)
    let usualPace = try root.has("usualPace") ? root.speed("usualPace") : nil
    let pace = try root.has("pace") ? root.speed("pace") : usualPace
    guard pace == nil || usualPace != nil else {
      throw root.error("pace", "the profile has no usualPace for its speeds")
    }
    hasPace = usualPace != nil
    paceFactor = (pace ?? 1) / (usualPace ?? 1)
    hills = try root.has("hills") ? Hills(root.object("hills")) : nil
    carried = try root.has("carried") ? TagSet(root.object("carried")) : nil
    level = try root.has("level") ? TagSet(root.object("level")) : nil
    elevationDigest = root.has("elevation") ? try root.string("elevation") : nil
    self.elevation = elevation
    oneway = try OnewayRules(root.object("oneway"))
    pushing = root.has("pushing") ? try PushingRules(root.object("pushing")) : nil
    points = try PointRules(root)
    crossings = root.has("crossings") ? try CrossingRules(root.object("crossings")) : nil
    boarding = try BoardingRules(root.object("boarding"))
    durations = root.has("durations") ? try TagTable(root.object("durations")) { try $0.seconds($1) } : nil
    turns = try TurnRules(root)
    forbidden = try TagSet(root.object("forbidden"))
    seasonal = try TagSet(root.object("seasonal"))
    outlines = try TagSet(root.object("outlines"))
    onlyForOthers = try TagSet(root.object("onlyForOthers"))
    tolls = try TagSet(root.object("tolls"))
    motorways = try TagSet(root.object("motorways"))
    unpaved = try TagSet(root.object("unpaved"))
    names = try root.strings("names")
    readsNames =
      root.mentions(except: ["name", "names"], TagStore.mayDifferWithinClass)
      || names.contains(where: TagStore.isLeftOut)
    sidepaths = root.has("sidepaths") ? try SidepathRules(root.object("sidepaths")) : nil
    squares = root.has("squares") ? try SquareRules(root.object("squares")) : nil
    snapPenalties = try TagTable(root.object("snapPenalties")) {
      try $0.number($1, over: 0, unit: "a number of metres")
    }
    usesRoadManeuvers = transportType != .walking
    let snapLegs = try root.object("snapLegs")
    snapLegSpeed = try snapLegs.speed("speed") * paceFactor
    countsSnapLegs = try snapLegs.bool("counted")
    try snapLegs.finish()
    try root.finish()
  }

  /// Returns the profile that avoids tolls or highways: trips use them only to reach a place that cannot be reached
  /// otherwise.
  ///
  /// - Throws: nothing in practice, since the text has been parsed before.
  public func avoiding(_ avoids: Avoidance) throws -> Profile {
    guard avoids != self.avoids else { return self }
    return try Profile(name: "profile \(name)", text: text, avoiding: avoids, elevation: elevation)
  }

  /// The user's text: the profile without the avoided roads.
  package var text: Data { avoids.isEmpty ? bytes : Data(bytes.dropLast()) }
}

/// Rules for pushing a bicycle: the speeds and rules of pedestrians.
struct PushingRules: Sendable {
  private let highways: [String: Double]
  /// Platforms and piers.
  let otherWays: TagTable<Double>
  /// Tags that allow pushing regardless of the tags for pedestrians.
  let openedBy: TagSet
  let access: AccessRules
  let oneway: OnewayRules

  init(_ settings: SettingsObject) throws {
    highways = try settings.speedsByName("highways")
    otherWays = try settings.speeds("otherWays")
    openedBy = try TagSet(settings.object("openedBy"))
    access = try AccessRules(settings.object("access"))
    oneway = try OnewayRules(settings.object("oneway"))
    try settings.finish()
  }

  /// Returns the class of a way that is never ridden but may be walked.
  func classify(_ tags: Tags) -> WayClass? {
    if let highway = tags["highway"] {
      return highways[highway].map { _ in (StreetKind(highway: highway), highway, nil) }
    }
    return otherWays.firstMatch(tags).map { (StreetKind(key: $0.key, value: $0.value), nil, nil) }
  }

  /// Returns metres per second; nil if the way cannot be walked. `highway` is nil for ferries, piers and platforms.
  func speed(_ tags: Tags, highway: String?) -> Double? {
    highway.map { highways[$0] } ?? otherWays.firstMatch(tags)?.meaning
  }
}

/// Areas that are crossed between the streets at their edges.
struct SquareRules: Sendable {
  /// Closed ways with one of these tags are areas; relations always are.
  let ways: TagSet
  /// Areas with more corners and entrances than this are only walked around.
  let mostCorners: Int

  init(_ settings: SettingsObject) throws {
    ways = try TagSet(settings.object("ways"))
    mostCorners = try Int(
      min(settings.number("mostCorners", atLeast: 0, unit: "a number of corners").rounded(), 10_000))
    try settings.finish()
  }
}

/// Ways that look like streets, but are outlines of areas or exist only in a season.
extension Profile {
  /// Returns whether a way is the outline of an area: closed, and of a class that is mapped as areas.
  func isOutline(_ way: COsmiumWay, _ tags: Tags) -> Bool { way.isClosed && isOutline(closed: tags) }

  /// Returns whether a closed way with these tags is the outline of an area.
  func isOutline(closed tags: Tags) -> Bool { outlines.matches(tags) && tags["area"] != "no" }

  /// Returns whether a way exists only in a season that the map does not state.
  func isOutOfSeason(_ tags: Tags) -> Bool { seasonal.matches(tags) && seasonalClosing(tags) == nil }

  /// Returns the closing of a seasonal way: outside its hours, and without a date; nil for other ways.
  func seasonalClosing(_ tags: Tags) -> String? {
    guard seasonal.matches(tags), let hours = tags["opening_hours"].flatMap({ Condition($0) }) else { return nil }
    return Closing.text(isUsuallyClosed: true, [(false, hours)])
  }
}

/// Profiles based on another one, and the layers of a profile's text.
extension Profile {
  /// Returns the stock profile with this name, or else the profile in the file at this path.
  ///
  /// - Throws: `OdometerError` with the file, the line, the key, its value and the expected value.
  package static func named(_ name: String) throws -> Profile {
    if stockNames.contains(name) { return try stock(name) }
    guard name.contains(where: { "./".contains($0) }) || FileManager.default.fileExists(atPath: name) else {
      throw .settings(
        file: "profile \(name)",
        problem: "no such stock profile or file, expected \(stockNames.joined(separator: ", ")) or a file")
    }
    return try Profile(path: name)
  }

  /// Returns a profile's settings, applied over those of its base.
  static func complete(_ file: SettingsFile) throws -> SettingsFile {
    guard file.root.has("base") else { return file }
    let base = try file.root.choice("base", of: stockNames)
    guard file.root.has("name") else {
      throw file.root.error("base", "a profile that is based on another one needs its own name; add name: \"…\"")
    }
    let complete = try complete(stockFile(base))
    if file.root.has("transportType") {
      let type = try complete.root.choice("transportType", of: TransportType.self)
      guard try file.root.choice("transportType", of: TransportType.self) == type else {
        throw file.root.error("transportType", "the base \(base) is for \(type.rawValue); leave it out")
      }
    }
    return file.patching(complete)
  }

  /// Creates the profile from the layers in `text`, each applied over the one after it.
  ///
  /// - Throws: `OdometerError` with `name` as the file.
  init(name: String, text: Data, avoiding avoids: Avoidance, elevation: Elevation? = nil) throws {
    let layers = try text.split(separator: 0, omittingEmptySubsequences: false).map {
      try SettingsFile(name: name, bytes: Data($0))
    }
    let base = layers[layers.count - 1]
    try self.init(
      complete: layers.dropLast().reversed().reduce(base) { $1.patching($0) }, avoiding: avoids, elevation: elevation)
  }

  static func stockFile(_ name: String) throws -> SettingsFile {
    guard stockNames.contains(name) else {
      throw .settings(
        file: "profile \(name)", problem: "no such stock profile, expected \(stockNames.alternatives)")
    }
    return try SettingsFile(embedded: "data/profiles/\(name).json5")
  }
}

/// The properties of a way that do not depend on the direction. `speed` is the riding or driving speed before limits,
/// in metres per second; nil if the way can only be walked.
typealias WayClass = (kind: StreetKind, highway: String?, speed: Double?)

/// Speeds on ways: by class, speed limit and surface.
struct WaySpeeds: Sendable {
  private let highways: [String: Double]
  private let otherWays: TagTable<Double>
  let limits: SpeedLimits?
  private let caps: TagTable<Double>
  private let slowdowns: TagTable<Double>

  /// The keys of relevant ways; ways with none of them are skipped.
  var wayKeys: [String] { ["highway"] + otherWays.rules.map(\.key) }

  init(_ root: SettingsObject, for classes: [String]) throws {
    highways = try root.speedsByName("highways")
    otherWays = try root.speeds("otherWays")
    limits = root.has("maxspeed") ? try SpeedLimits(root.object("maxspeed"), for: classes) : nil
    caps = try root.speeds("speedCaps")
    slowdowns = try TagTable(root.object("slowdowns")) { try $0.number($1, over: 0, unit: "a factor") }
  }

  /// Returns the class of a way; nil if it is never used.
  func classify(_ tags: Tags) -> WayClass? {
    let other = otherWays.firstMatch(tags).map { (kind: StreetKind(key: $0.key, value: $0.value), speed: $0.meaning) }
    // A ferry that is also tagged as a road is a ferry; rails in a street do not change the street.
    if let highway = tags["highway"], let speed = highways[highway], other?.kind != .ferry, other?.kind != .carTrain {
      return (StreetKind(highway: highway), highway, speed)
    }
    return other.map { ($0.kind, nil, $0.speed) }
  }

  /// Returns metres per second in a direction by time, at the way's locality.
  func metresPerSecond(
    _ conditional: inout ConditionalTags, _ highway: String?, from classSpeed: Double, in locality: Locality?,
    _ direction: Direction
  ) -> Timed<Double> {
    // Without a locality, it matters only whether the way is used.
    guard let locality else { return Timed(classSpeed) }
    let tags = conditional.tags
    let limited = limits?.apply(to: classSpeed, &conditional, highway, in: locality, direction)
    return (limited ?? Timed(classSpeed)).map { slowed($0, tags) }
  }

  private func slowed(_ speed: Double, _ tags: Tags) -> Double {
    var speed = speed
    for cap in caps.meanings(of: tags) { speed = min(speed, cap) }
    for factor in slowdowns.meanings(of: tags) { speed *= factor }
    return speed
  }
}

extension Profile {
  /// Returns the tag that excludes a way, in OpenStreetMap's notation: `access=private`. This is the tag without which
  /// the way would be used, or two tags if they exclude it together; otherwise the tag of its class.
  ///
  /// - Parameter direction: The direction in which the way is not used; nil for either.
  func cause(closing tags: TagList, _ direction: Direction?) -> String {
    func isOpen(_ tags: TagList) -> Bool {
      tags.withTags { tags in (direction.map { [$0] } ?? [.forward, .backward]).contains { isUsed(tags, $0) } }
    }
    if isOpen(tags) { return "\(classTag(of: tags)), which is not used there" }
    return cause(of: tags, isOpen)
      ?? (isOpen(tags.with("oneway", "no")) ? "\(classTag(of: tags)), which is one-way" : classTag(of: tags))
  }

  /// Returns the tag that restricts a way to trips that start or end there.
  func cause(ofEndsOnly tags: TagList) -> String {
    cause(of: tags) { tags in tags.withTags { usableWay($0, in: Locality())?.isEndsOnly == false } }
      ?? "\(classTag(of: tags)), reached only over private streets"
  }

  /// Returns the tags that close a point or block through traffic: `barrier=gate`.
  func cause(closingPoint tags: TagList) -> String {
    let cause = cause(of: tags) { tags in tags.withTags { passage($0).passage == .open } }
    return cause.map { cause in
      let barrier = tags["barrier"].map { "barrier=\($0)" }
      return barrier.map { cause.contains($0) ? cause : "\($0), \(cause)" } ?? cause
    } ?? tags.pairs.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }

  /// Returns the tag, or the two tags, without which the object would be open.
  private func cause(of tags: TagList, _ isOpen: (TagList) -> Bool) -> String? {
    func text(_ indices: Int...) -> String {
      indices.map { "\(tags.pairs[$0].key)=\(tags.pairs[$0].value)" }.joined(separator: " and ")
    }
    let indices = tags.pairs.indices
    if let one = indices.first(where: { isOpen(tags.without($0)) }) { return text(one) }
    for first in indices {
      for second in indices where second > first && isOpen(tags.without(first, second)) { return text(first, second) }
    }
    return nil
  }

  /// Returns whether a way would be closed if it had only the tag of its class.
  func isClosedByClass(_ tags: TagList) -> Bool {
    var bare = tags
    bare.pairs = tags.pairs.filter { wayKeys.contains($0.key) }
    return !bare.withTags { isUsed($0, .forward) || isUsed($0, .backward) }
  }

  /// Returns the class of a way: `highway=footway`.
  func classTag(of tags: TagList) -> String {
    wayKeys.lazy.compactMap { key in tags[key].map { "\(key)=\($0)" } }.first ?? "no class"
  }
}
