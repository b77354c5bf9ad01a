import Foundation

/// How one kind of traveller uses the map: speeds and access rules, as data that a person can edit.
///
///     let profile = try Profile.stock("walking")
///     let mine = try Profile(path: "my-walking.json5")
///
/// The keys are explained in `data/profiles/walking.json5`. All of it is checked when it is read.
public struct Profile: Sendable {
  /// The name that stands in file names and tables.
  public let name: String
  /// `walking`.
  public let transportType: String
  /// The text it was read from: part of the key of every network built with it.
  package let bytes: Data

  let speeds: [String: Double]
  // Sorted by key: rules apply in the same order in every run.
  let otherWays: [Rule<Double>]
  let ferrySpeed: Double
  let slowdowns: [Rule<Double>]
  let access: AccessRules
  let oneway: [Rule<Direction>]
  let impassable: [String: Set<String>]
  let impassableAccess: Set<String>
  let unpaved: Set<String>
  let snapPenalties: [Rule<Double>]
  /// Metres per second of the straight way between a place and its point on the street.
  package let snapLegSpeed: Double
  /// Whether snap legs count unless a job says otherwise.
  package let countsSnapLegs: Bool

  enum Direction: String { case forward, backward }

  /// What each value of one tag means.
  struct Rule<Meaning: Sendable>: Sendable {
    let key: String
    let meanings: [String: Meaning]
  }

  /// The names of the profiles that come with the program.
  public static let stockNames = ["walking"]

  /// A profile that comes with the program, whatever directory it is started from.
  public static func stock(_ name: String) throws -> Profile {
    switch name {
    case "walking":
      return try Profile(
        SettingsFile(name: "data/profiles/walking.json5", bytes: Data(PackageResources.walking_json5)))
    default:
      let names = stockNames.joined(separator: ", ")
      throw SettingsError(file: "profile \(name)", problem: "there is no such stock profile; allowed: \(names)")
    }
  }

  /// The profile in the file at `path`. *Throws*: an error that names the key, what was found and what is allowed.
  public init(path: String) throws {
    try self.init(SettingsFile(path: path))
  }

  package init(_ file: SettingsFile) throws {
    let root = file.root
    bytes = file.bytes
    name = try root.string("name")
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) else {
      throw root.error("name", "found \"\(name)\", allowed: letters, digits, - and _")
    }
    transportType = try root.choice("transportType", of: Profile.stockNames)
    speeds = try Profile.numbers(root.object("highways"), over: 0, unit: "a speed in km/h").mapValues(metresPerSecond)
    otherWays = try Profile.rules(root.object("otherWays")) { table, key in
      try Profile.numbers(table.object(key), over: 0, unit: "a speed in km/h").mapValues(metresPerSecond)
    }
    let ferry = try root.object("ferry")
    ferrySpeed = metresPerSecond(try ferry.number("speed", over: 0, unit: "a speed in km/h"))
    try ferry.finish()
    slowdowns = try Profile.rules(root.object("slowdowns")) { table, key in
      try Profile.numbers(table.object(key), over: 0, unit: "a factor")
    }
    access = try AccessRules(root.object("access"))
    oneway = try Profile.rules(root.object("oneway")) { table, key in
      try Profile.table(table.object(key)) { values, value in
        Direction(rawValue: try values.choice(value, of: ["forward", "backward"]))!
      }
    }
    impassable = try Profile.table(root.object("impassable")) { Set(try $0.strings($1)) }
    impassableAccess = Set(try root.strings("impassableAccess"))
    unpaved = Set(try root.strings("unpaved"))
    snapPenalties = try Profile.rules(root.object("snapPenalties")) { table, key in
      try Profile.numbers(table.object(key), over: 0, unit: "a number of metres")
    }
    let snapLegs = try root.object("snapLegs")
    snapLegSpeed = metresPerSecond(try snapLegs.number("speed", over: 0, unit: "a speed in km/h"))
    countsSnapLegs = try snapLegs.bool("counted")
    try snapLegs.finish()
    try root.finish()
  }

  private static func table<T>(
    _ object: SettingsObject, _ read: (SettingsObject, String) throws -> T
  ) throws -> [String: T] {
    try Dictionary(uniqueKeysWithValues: object.keys.map { ($0, try read(object, $0)) })
  }

  private static func rules<T>(
    _ object: SettingsObject, _ read: (SettingsObject, String) throws -> [String: T]
  ) throws -> [Rule<T>] {
    try object.keys.map { Rule(key: $0, meanings: try read(object, $0)) }
  }

  private static func numbers(_ object: SettingsObject, over least: Double, unit: String) throws -> [String: Double] {
    try table(object) { try $0.number($1, over: least, unit: unit) }
  }
}

private func metresPerSecond(_ kilometresPerHour: Double) -> Double { kilometresPerHour / 3.6 }
