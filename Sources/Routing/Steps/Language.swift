import Foundation
import Geography
import Settings
import StreetNetwork

/// The language of instructions: a table of phrases in a file (`data/phrases`).
///
///     var options = Directions.Options()
///     options.language = try Language(named: "pt")
public struct Language: Hashable, Sendable {
  /// The name of the language, such as `en` or `pt`.
  public let name: String
  let phrases: Phrases

  /// The names of the available languages.
  public static let names = ["en", "pt"]

  /// English, `en`.
  public static let english: Language = {
    do { return try Language(loading: "en") } catch { preconditionFailure("invalid built-in phrases: \(error)") }
  }()

  /// Loads the language with the given name.
  ///
  /// - Throws: `OdometerError` if it is not available.
  public init(named name: String) throws {
    guard Language.names.contains(name) else {
      throw .settings(
        file: "language \(name)",
        problem: "no phrases for this language, expected \(Language.names.joined(separator: ", "))")
    }
    // English is parsed only once.
    guard name != "en" else {
      self = .english
      return
    }
    try self.init(loading: name)
  }

  private init(loading name: String) throws {
    phrases = try Phrases(SettingsFile(embedded: "data/phrases/\(name).json5"))
    self.name = name
  }

  /// Whether both languages have the same name.
  public static func == (a: Language, b: Language) -> Bool { a.name == b.name }
  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The phrases of a language, checked to be complete.
struct Phrases: Sendable {
  let named: StreetForms
  /// The template for the name of a road that has a name and a number.
  let numbered: String
  let kinds: [StreetKind: StreetForms]
  let headings: [String]
  /// Templates; the second, if any, is for staying on the same street.
  let maneuvers: [Maneuver: [String]]
  let numberedExit: [Maneuver: String]
  let by: String
  let rampOnto: String
  let toward: String
  let nth: [String]
  let nthBeyond: String
  let notices: [(notice: Notices, step: String, route: String)]
  let vehicles: [TransitVehicle: String]
  /// The phrases for one stop and for several stops.
  let stops: [String]
  let alight: String
  let via: String
  let and: String

  /// The name of a street, alone and with the prepositions used in instructions.
  struct StreetForms: Sendable {
    var name: String
    var on: String
    var onto: String
  }

  init(_ file: SettingsFile) throws {
    let root = file.root
    _ = try root.string("language")
    let named = try root.object("named")
    self.named = StreetForms(name: "{name}", on: try named.string("on"), onto: try named.string("onto"))
    numbered = try named.string("numbered")
    try named.finish()
    let kinds = try root.object("kinds")
    self.kinds = try Dictionary(
      uniqueKeysWithValues: StreetKind.allCases.map { kind in
        let forms = try kinds.object("\(kind)")
        return (
          kind, StreetForms(name: try forms.string("name"), on: try forms.string("on"), onto: try forms.string("onto"))
        )
      })
    try kinds.finish()
    headings = try root.strings("headings")
    let maneuvers = try root.object("maneuvers")
    self.maneuvers = try Dictionary(
      uniqueKeysWithValues: Maneuver.allCases.map { ($0, try maneuvers.strings($0.rawValue)) })
    try maneuvers.finish()
    let numbered = try root.object("numberedExit")
    numberedExit = try Dictionary(
      uniqueKeysWithValues: [Maneuver.exitLeft, .exitRight].map { ($0, try numbered.string($0.rawValue)) })
    try numbered.finish()
    by = try root.string("by")
    rampOnto = try root.string("rampOnto")
    toward = try root.string("toward")
    nth = try root.strings("nth")
    nthBeyond = try root.string("nthBeyond")
    let notices = try root.object("notices")
    self.notices = try Notices.all.map { notice, key in
      let strings = try notices.strings(key)
      guard strings.count == 2 else { throw notices.error(key, "expected two strings: for a step and for a route") }
      return (notice, strings[0], strings[1])
    }
    try notices.finish()
    let vehicles = try root.object("vehicles")
    self.vehicles = try Dictionary(
      uniqueKeysWithValues: TransitVehicle.allCases.map { ($0, try vehicles.string($0.rawValue)) })
    try vehicles.finish()
    stops = try root.strings("stops")
    alight = try root.string("alight")
    via = try root.string("via")
    and = try root.string("and")
    guard stops.count == 2 else { throw root.error("stops", "expected two strings: for one stop and for several") }
    guard headings.count == 8 else { throw root.error("headings", "expected eight headings, clockwise from north") }
    try root.finish()
  }
}

/// The notices of a part of a route.
struct Notices: OptionSet, Hashable, Sendable {
  let rawValue: UInt16
  static let ferry = Notices(rawValue: 1)
  static let carTrain = Notices(rawValue: 2)
  static let steps = Notices(rawValue: 4)
  static let elevator = Notices(rawValue: 8)
  static let toll = Notices(rawValue: 16)
  static let unpaved = Notices(rawValue: 32)
  static let `private` = Notices(rawValue: 64)
  static let push = Notices(rawValue: 128)
  static let train = Notices(rawValue: 256)
  /// The step's time includes boarding and waiting.
  static let waiting = Notices(rawValue: 512)
  static let escalator = Notices(rawValue: 1024)

  /// All notices in display order, with their keys.
  static let all: [(Notices, String)] = [
    (.ferry, "ferry"), (.carTrain, "carTrain"), (.train, "train"), (.waiting, "waiting"), (.steps, "steps"),
    (.escalator, "escalator"), (.elevator, "elevator"), (.toll, "toll"),
    (.unpaved, "unpaved"), (.private, "private"), (.push, "push"),
  ]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ attributes: StreetAttributes, isPushed: Bool) {
    switch attributes.kind {
    case .ferry: self = .ferry
    case .carTrain: self = .carTrain
    case .train: self = .train
    case .steps: self = .steps
    case .escalator: self = .escalator
    case .elevator: self = .elevator
    default: self = []
    }
    if attributes.traits.contains(.toll) { insert(.toll) }
    if attributes.traits.contains(.unpaved) { insert(.unpaved) }
    if attributes.traits.contains(.private) { insert(.private) }
    if isPushed { insert(.push) }
  }
}
