import Geography
import Input
import OpeningHours
import Routing
import Settings
import StreetNetwork
import Tables

/// A reader of the keys of a job file. One expression gives a key's name, type, default and meaning, reads it, and adds
/// it to the job's identity, with what it decides:
///
///     buffer = try keys.setting(
///       "buffer", .number(of: "metres", over: 0, atMost: 1000), default: 30,
///       "buffer radius around the reached streets, in metres")
///
/// Without a file, it describes the keys of a kind: help, the documentation and `odometer init` list them in the order
/// in which they are read.
struct KeyReader {
  /// The object of the job file; nil while describing keys.
  private let root: SettingsObject?
  let kind: JobKind
  /// Whether the job's transportType is transit; set when that key is read.
  var isTransit = false
  /// The keys of the kind: first those of every kind, then its own, then the shared ones.
  private(set) var sections: [[SettingDescription]] = [[]]
  /// Closures that add the values to a job's identity, in the order of reading. Files are digested only when these run.
  private(set) var identity: [@Sendable (inout Entries<IdentityKey>) throws -> Void] = []
  /// The keys of the identity that do not change results.
  private(set) var presentation: Set<IdentityKey> = []

  /// Creates a reader that has described the keys of a kind, in the order in which they are read.
  init(describing kind: JobKind) {
    (root, self.kind) = (nil, kind)
    do { _ = try Job(&self) } catch { preconditionFailure("examples and defaults are not a valid job: \(error)") }
  }

  /// Reads the kind of a job file and prepares to read its other keys. *Throws*: `OdometerError`, also for keys of
  /// other kinds.
  init(_ root: SettingsObject) throws {
    self.root = root
    root.expect(Job.keys.map(\.name))
    let kind = try root.value(of: KeyReader.kindKey)
    self.kind = kind
    root.expect(kind.keys.map(\.name)) { Job.kindsHint(for: $0, in: kind) }
    for key in kind.task.keysWithoutEffect.sorted() where root.has(key) {
      throw root.error(key, Job.kindsHint(for: key, in: kind) ?? "it has no effect in kind \(kind.rawValue)")
    }
  }

  static let kindKey = SettingKey<JobKind>("kind", .choice, "result to compute", example: "routes")

  var isDescribing: Bool { root == nil }

  /// Returns the value of a key that is not part of the job's identity or is added to it separately.
  ///
  /// - Parameter applies: Whether the kind has the key. If not, the key is not described, and a job file with it is
  ///   rejected unless the kind has its own key of that name, whose value is returned.
  mutating func value<Value>(_ key: SettingKey<Value>, applies: Bool = true) throws -> Value {
    if !applies, has(key.name), let hint = Job.kindsHint(for: key.name, in: kind) { throw error(key.name, hint) }
    if applies, !kind.task.keysWithoutEffect.contains(key.name) {
      sections[sections.count - 1].append(key.description)
    }
    return try root?.value(of: key) ?? key.exampleValue
  }

  /// Returns the value of an optional key, described by the arguments.
  mutating func value<Wrapped>(
    _ name: String, _ type: SettingType<Wrapped>, otherwise: String, _ summary: String, example: Setting,
    applies: Bool = true
  ) throws -> Wrapped? {
    try value(.init(name, type, otherwise: otherwise, summary, example: example), applies: applies)
  }

  /// Returns the value of a key and adds it to the job's identity, under the key's name or another.
  ///
  /// - Parameters:
  ///   - meaning: `.presentation` if the key does not change results, but only what is written.
  ///   - isAlwaysEntered: Whether the value is added even if it is the default.
  mutating func setting<Value: IdentityValue>(
    _ key: SettingKey<Value>, as name: String? = nil, decides meaning: IdentityKey.Meaning = .setting,
    isAlwaysEntered: Bool = true, applies: Bool = true
  ) throws -> Value {
    let value = try value(key, applies: applies)
    let isEntered = isAlwaysEntered || value.identityText != key.absent?().identityText
    enter(name.map { IdentityKey($0) } ?? IdentityKey(of: key.name), isEntered ? value : nil, decides: meaning)
    return value
  }

  /// Returns the value of a key with a default, described by the arguments, and adds it to the job's identity.
  mutating func setting<Value: IdentityValue>(
    _ name: String, _ type: SettingType<Value>, default: Setting, _ summary: String, example: Setting? = nil,
    as entry: String? = nil, decides meaning: IdentityKey.Meaning = .setting, isAlwaysEntered: Bool = true,
    applies: Bool = true
  ) throws -> Value {
    let key = SettingKey(name, type, default: `default`, summary, example: example)
    return try setting(key, as: entry, decides: meaning, isAlwaysEntered: isAlwaysEntered, applies: applies)
  }

  /// Returns the value of an optional key, described by the arguments, and adds it to the job's identity.
  mutating func setting<Wrapped: IdentityValue>(
    _ name: String, _ type: SettingType<Wrapped>, otherwise: String, _ summary: String, example: Setting,
    as entry: String? = nil, decides meaning: IdentityKey.Meaning = .setting, isAlwaysEntered: Bool = true,
    applies: Bool = true
  ) throws -> Wrapped? {
    let key = SettingKey<Wrapped?>(name, type, otherwise: otherwise, summary, example: example)
    return try setting(key, as: entry, decides: meaning, isAlwaysEntered: isAlwaysEntered, applies: applies)
  }

  /// Returns the path of an input whose content is part of the job's identity.
  mutating func file(_ key: SettingKey<String>) throws -> String {
    let path = try value(key)
    enter { try $0.setFile(key.name, path) }
    return path
  }

  /// Returns the path of an optional input whose content is part of the job's identity.
  mutating func file(_ key: SettingKey<String?>) throws -> String? {
    let path = try value(key)
    if let path { enter { try $0.setFile(key.name, path) } }
    return path
  }

  /// Adds a value to the job's identity; nil adds none.
  mutating func enter(
    _ key: IdentityKey, _ value: (some IdentityValue)?, decides meaning: IdentityKey.Meaning = .setting
  ) {
    if meaning == .presentation { presentation.insert(key) }
    if let text = value?.identityText { enter { $0[key] = text } }
  }

  mutating func enter(_ entry: @escaping @Sendable (inout Entries<IdentityKey>) throws -> Void) {
    identity.append(entry)
  }

  /// Ends the current section: the keys of every kind, or the kind's own keys.
  mutating func endSection() { sections.append([]) }

  func has(_ key: String) -> Bool { root?.has(key) ?? false }

  /// Returns an error about a key, with its line.
  func error(_ key: String, _ problem: String) -> OdometerError {
    root?.error(key, problem) ?? .settings(file: kind.rawValue, problem: "\(key): \(problem)")
  }

  /// Throws unless every key of the file was read.
  func finish() throws { try root?.finish() }
}

/// A value that table `job` stores as text; nil is stored as an empty string.
protocol IdentityValue: Sendable {
  var identityText: String { get }
}

extension IdentityValue where Self: CustomStringConvertible { var identityText: String { description } }
extension IdentityValue where Self: RawRepresentable<String> { var identityText: String { rawValue } }
extension Bool: IdentityValue {}
extension Int: IdentityValue {}
extension Double: IdentityValue {}
extension String: IdentityValue {}

extension Optional: IdentityValue where Wrapped: IdentityValue {
  var identityText: String { self?.identityText ?? "" }
}

extension Array: IdentityValue where Element: IdentityValue {
  var identityText: String { ListText.joined(map(\.identityText)) }
}

extension DuplicateRule: IdentityValue {}
extension MatrixWriter.Format: IdentityValue {}
extension RoutePreference: IdentityValue {}
extension TraceWriter.Fixes: IdentityValue {}
extension WheelchairBoarding: IdentityValue {}
extension SummaryTask: IdentityValue {}
extension TraceAccuracy: IdentityValue {}
extension HourSummary: IdentityValue { var identityText: String { words.identityText } }
extension Holidays: IdentityValue { var identityText: String { text } }
extension Language: IdentityValue { var identityText: String { name } }
extension Timestamp: IdentityValue { var identityText: String { text } }
extension Set: IdentityValue where Element == RouteType {
  var identityText: String { RouteType.allCases.filter(contains).map(\.name).identityText }
}

/// The description of a key of job files, for help, documentation and messages.
package struct JobKeyDescription: Sendable {
  package let setting: SettingDescription
  /// The kinds of jobs that use the key.
  package fileprivate(set) var kinds: [JobKind]

  package var name: String { setting.name }
}

extension Job {
  /// All keys of job files, in the order in which `odometer init` writes them. A key whose default depends on the kind
  /// occurs once per default.
  package static let keys: [JobKeyDescription] = {
    let kinds = JobKind.allCases.map { ($0, KeyReader(describing: $0).sections) }
    return (0..<3).flatMap { section in
      kinds.reduce(into: [JobKeyDescription]()) { keys, kind in
        for setting in kind.1[section] {
          if let index = keys.firstIndex(where: { $0.setting == setting }) {
            keys[index].kinds.append(kind.0)
          } else {
            keys.append(JobKeyDescription(setting: setting, kinds: [kind.0]))
          }
        }
      }
    }
  }()

  /// Returns an explanation that names the kinds of `key`; nil if `kind` has the key, or no kind does.
  static func kindsHint(for key: String, in kind: JobKind) -> String? {
    let kinds = keys.filter { $0.name == key }.flatMap(\.kinds)
    guard !kinds.isEmpty, !kinds.contains(kind) else { return nil }
    let names = kinds.map(\.rawValue).joined(separator: ", ")
    return "it belongs to \(kinds.count == 1 ? "kind" : "kinds") \(names), but this job is of kind \(kind.rawValue)"
  }
}

extension JobKind {
  /// The keys of jobs of this kind.
  package var keys: [JobKeyDescription] { Job.keys.filter { $0.kinds.contains(self) } }
}

/// The keys of kinds that start from a list of places.
extension KeyReader {
  mutating func origins() throws -> String {
    try file(
      .init("origins", .path, "list of places: CSV, TSV, GeoJSON, GeoPackage or a GTFS zip", example: "origins.csv"))
  }

  /// - Parameter countsAll: Whether the kind uses several weights.
  mutating func placeColumns(countsAll: Bool) throws -> PlaceKeys {
    let id = try setting(
      "id", .text, otherwise: "the first default name in the file (docs/input.md), else the row number",
      "column with the places' ids", example: "GEOID", isAlwaysEntered: false)
    let weight = try value(
      "weight", .text, otherwise: "the first default name in the file (docs/input.md), else none",
      "column with the places' weights, such as residents or jobs", example: "population")
    let listed = try value(
      "weights", .strings, otherwise: "weight, and in kind access all columns with default names",
      "weight columns, instead of weight; several only in kind access; the first is the weight of the place",
      example: ["population"])
    if weight != nil, listed != nil {
      throw error("weight", "weights also names the columns; leave out one of the two")
    }
    if let listed, listed.count > 1, !countsAll {
      throw error("weights", "got \(listed.count) columns, expected one: only kind access counts several")
    }
    let names = listed?.map { $0.lowercased() } ?? []
    if let index = names.indices.first(where: { names[..<$0].contains(names[$0]) }), let name = listed?[index] {
      throw error("weights", "got column \(name) twice, expected each once")
    }
    let weights = listed ?? weight.map { [$0] }
    enter(.weights, weights)
    return PlaceKeys(id: id, weights: weights, countsAll: countsAll)
  }
}
