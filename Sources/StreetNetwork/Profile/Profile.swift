import Foundation
import Settings

/// How a transport type uses the map: speeds, access and turns, as data that a person can edit.
///
///     let profile = try Profile.stock("automobile")
///     let mine = try Profile(path: "my-walking.json5")      // whole, or what differs from its base
///
/// The keys are explained in `data/profiles/*.json5`. All of it is checked when it is read.
public struct Profile: Sendable {
  /// The name, used in file names and tables.
  public let name: String
  /// Who travels.
  public let transportType: TransportType
  /// What trips avoid unless their ends cannot be reached otherwise.
  public let avoids: Avoidance
  /// The text it was read from, and what is avoided: the key of every network built with it.
  package let bytes: Data

  /// For signs that are about certain vehicles.
  let vehicle: Vehicle
  let speeds: WaySpeeds
  /// Whether its speeds are those of a pace on the flat, so that others may be faster or slower: not of cars.
  package let knowsPace: Bool
  /// How much faster than those speeds one is.
  let paceFactor: Double
  /// How slopes change speeds; nil where they do not.
  let hills: Hills?
  /// Ways on which one is carried, and others on which slopes do not matter.
  let carried: TagSet?
  let level: TagSet?
  /// Hexadecimal SHA-256 of the heights of the ground that times are of; nil for none.
  package let elevationDigest: String?
  /// Those heights, which a network is built with; one that is opened needs them no more.
  package let elevation: Elevation?
  let access: AccessRules
  let oneway: OnewayRules
  /// How a bicycle is pushed where riding is forbidden.
  let pushing: Pushing?
  let points: PointRules
  /// Where people on foot wait to cross; nil where nobody does.
  let crossings: CrossingRules?
  let boarding: BoardingRules
  /// Seconds on ways that take as long whatever their length: lifts.
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
  /// Keys under which a way's name is tagged, the one that people know best first.
  let names: [String]
  /// Whether rules read what ways of one class may differ in (`TagStore`): those of a profile of one's own may.
  let readsNames: Bool
  /// Which ways may be paths along a street; nil where none matters.
  let sidepaths: SidepathRules?
  /// Which areas are crossed; nil where none is.
  let squares: SquareRules?
  let snapPenalties: TagTable<Double>
  /// Whether roundabouts are counted by exits, and ramps and merging announced: not on foot.
  let usesRoadManeuvers: Bool
  /// Metres per second of the straight line between a place and its point on the street.
  package let snapLegSpeed: Double
  /// Whether snap legs count unless a job says otherwise.
  package let countsSnapLegs: Bool

  /// What a trip avoids: used only to reach a place that cannot be reached otherwise.
  public struct Avoidance: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// The set of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Toll roads.
    public static let tolls = Avoidance(rawValue: 1)
    /// Motorways and the like.
    public static let highways = Avoidance(rawValue: 2)
  }

  /// The names of the profiles that come with the program.
  public static let stockNames = ["automobile", "van", "truck", "walking", "wheelchair", "pram", "cycling"]

  /// A profile that is part of the library, by its name.
  ///
  /// - Throws: `SettingsError` for another name.
  public static func stock(_ name: String) throws -> Profile { try Profile(stockFile(name)) }

  /// The profile of a transport type that comes with the program.
  public static func stock(_ type: TransportType) throws -> Profile { try stock(type.rawValue) }

  /// The profile in the file at `path`. *Throws*: an error that names the key, what it got and what it expected.
  public init(path: String) throws {
    try self.init(SettingsFile(path: path))
  }

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
    speeds = try WaySpeeds(root)
    let usualPace = try root.has("usualPace") ? root.speed("usualPace") : nil
    let pace = try root.has("pace") ? root.speed("pace") : usualPace
    guard pace == nil || usualPace != nil else {
      throw root.error("pace", "the profile has no usualPace that its speeds are of")
    }
    knowsPace = usualPace != nil
    paceFactor = (pace ?? 1) / (usualPace ?? 1)
    hills = try root.has("hills") ? Hills(root.object("hills")) : nil
    carried = try root.has("carried") ? TagSet(root.object("carried")) : nil
    level = try root.has("level") ? TagSet(root.object("level")) : nil
    elevationDigest = root.has("elevation") ? try root.string("elevation") : nil
    self.elevation = elevation
    access = try AccessRules(root.object("access"))
    oneway = try OnewayRules(root.object("oneway"))
    pushing = root.has("pushing") ? try Pushing(root.object("pushing")) : nil
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
    readsNames = root.mentions(except: ["name", "names"], TagStore.isPassedOver)
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

  /// The same profile, avoiding tolls or highways: trips use them only to reach a place that cannot be reached
  /// otherwise.
  ///
  /// - Throws: nothing in practice: the text has been read before.
  public func avoiding(_ avoids: Avoidance) throws -> Profile {
    guard avoids != self.avoids else { return self }
    return try Profile(name: "profile \(name)", text: text, avoiding: avoids, elevation: elevation)
  }

  /// What a person wrote: the profile but for what is avoided.
  package var text: Data { avoids.isEmpty ? bytes : Data(bytes.dropLast()) }
}

/// Walking next to a bicycle: the speeds and rules of pedestrians.
struct Pushing: Sendable {
  private let highways: [String: Double]
  /// Platforms and piers.
  let otherWays: TagTable<Double>
  let access: AccessRules
  let oneway: OnewayRules

  init(_ settings: SettingsObject) throws {
    highways = try settings.speedsByName("highways")
    otherWays = try settings.speeds("otherWays")
    access = try AccessRules(settings.object("access"))
    oneway = try OnewayRules(settings.object("oneway"))
    try settings.finish()
  }

  /// What a way is that is never ridden, but walked.
  func classify(_ tags: Tags) -> (kind: StreetKind, highway: String?, speed: Double?)? {
    if let highway = tags["highway"] {
      return highways[highway].map { _ in (StreetKind(highway: highway), highway, nil) }
    }
    return otherWays.firstMatch(tags).map { (StreetKind(key: $0.key, value: $0.value), nil, nil) }
  }

  /// Metres per second; nil where nobody walks. `highway` is nil for ferries, piers and platforms.
  func speed(_ tags: Tags, highway: String?) -> Double? {
    highway.map { highways[$0] } ?? otherWays.firstMatch(tags)?.meaning
  }
}
