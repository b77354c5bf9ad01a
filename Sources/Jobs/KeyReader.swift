import Input
import OpeningHours
import Routing
import Settings
import StreetNetwork
import Tables

/// Reads the keys of a job file. One expression gives a key's name, type, default and meaning, reads it, and adds it to
/// the job's identity:
///
///     buffer = try keys.setting(
///       "buffer", .number(of: "metres", over: 0, atMost: 1000), default: 30,
///       "buffer radius around the reached streets, in metres")
///
/// Without a file it describes the keys of a kind: help, the documentation and `odometer init` show them in the order of reading.
struct KeyReader {
  /// Nil when keys are described.
  private let root: SettingsObject?
  let kind: JobKind
  /// Whether the job's transportType is transit; set once that is read.
  var isTransit = false
  /// The keys of the kind: first those of every kind, then its own, then the shared ones.
  private(set) var sections: [[SettingDescription]] = [[]]
  /// Adds the values to a job's identity, in the order of reading. Digests files only then.
  private(set) var identity: [@Sendable (inout Entries<IdentityKey>) -> Void] = []

  private init(describing kind: JobKind) { (root, self.kind) = (nil, kind) }

  /// The keys of a kind, in the order of reading.
  static func sections(of kind: JobKind) -> [[SettingDescription]] {
    var keys = KeyReader(describing: kind)
    do { _ = try Job(&keys) } catch { preconditionFailure("examples and defaults make no job: \(error)") }
    return keys.sections
  }

  /// Reads the keys of a file, the kind first. *Throws*: `SettingsError`, also for keys of other kinds.
  init(_ root: SettingsObject) throws {
    self.root = root
    root.expect(Job.keys.map(\.name))
    let kind = try root.value(of: KeyReader.kindKey)
    self.kind = kind
    root.expect(kind.keys.map(\.name)) { Job.home(of: $0, not: kind) }
    for key in kind.task.keysWithoutMeaning.sorted() where root.has(key) {
      throw root.error(key, Job.home(of: key, not: kind) ?? "it has no effect in kind \(kind.rawValue)")
    }
  }

  static let kindKey = SettingKey<JobKind>("kind", .choice, "result to compute", example: "routes")

  var isDescribing: Bool { root == nil }

  /// The value of a key that is not in the job's identity, or is added separately.
  ///
  /// - Parameter counts: Whether the kind has the key. If not, it has its default, is not described, and is refused
  ///   unless the kind has another key of that name.
  mutating func value<Value>(_ key: SettingKey<Value>, counts: Bool = true) throws -> Value {
    if !counts, has(key.name), let home = Job.home(of: key.name, not: kind) { throw error(key.name, home) }
    if counts, !kind.task.keysWithoutMeaning.contains(key.name) {
      sections[sections.count - 1].append(key.description)
    }
    return try root?.value(of: key) ?? key.valueShown
  }

  /// The same for an optional key, given by its words.
  mutating func value<Wrapped>(
    _ name: String, _ type: SettingType<Wrapped>, otherwise: String, _ summary: String, example: Setting,
    counts: Bool = true
  ) throws -> Wrapped? { try value(.init(name, type, otherwise: otherwise, summary, example: example), counts: counts) }

  /// The value of a key in the job's identity, under the key's name or another.
  ///
  /// - Parameter isAlwaysEntered: Whether it is added even if it is the default.
  mutating func setting<Value: IdentityValue>(
    _ key: SettingKey<Value>, as name: String? = nil, isAlwaysEntered: Bool = true, counts: Bool = true
  ) throws -> Value {
    let value = try value(key, counts: counts)
    let text = value.identityText
    if isAlwaysEntered || text != key.absent?().identityText {
      let entry = name.map { IdentityKey($0) } ?? IdentityKey(of: key.name)
      enter { $0[entry] = text }
    }
    return value
  }

  /// The same for a key with a default, given by its words.
  mutating func setting<Value: IdentityValue>(
    _ name: String, _ type: SettingType<Value>, default: Setting, _ summary: String, example: Setting? = nil,
    as entry: String? = nil, isAlwaysEntered: Bool = true, counts: Bool = true
  ) throws -> Value {
    let key = SettingKey(name, type, default: `default`, summary, example: example)
    return try setting(key, as: entry, isAlwaysEntered: isAlwaysEntered, counts: counts)
  }

  /// The same for an optional key, given by its words.
  mutating func setting<Wrapped: IdentityValue>(
    _ name: String, _ type: SettingType<Wrapped>, otherwise: String, _ summary: String, example: Setting,
    as entry: String? = nil, isAlwaysEntered: Bool = true, counts: Bool = true
  ) throws -> Wrapped? {
    let key = SettingKey<Wrapped?>(name, type, otherwise: otherwise, summary, example: example)
    return try setting(key, as: entry, isAlwaysEntered: isAlwaysEntered, counts: counts)
  }

  /// The path of an input, whose content is in the job's identity.
  mutating func file(_ key: SettingKey<String>) throws -> String {
    let path = try value(key)
    enter { $0.setFile(key.name, path) }
    return path
  }

  /// The same for an optional input.
  mutating func file(_ key: SettingKey<String?>) throws -> String? {
    let path = try value(key)
    if let path { enter { $0.setFile(key.name, path) } }
    return path
  }

  mutating func enter(_ entry: @escaping @Sendable (inout Entries<IdentityKey>) -> Void) { identity.append(entry) }

  /// Ends the section of keys of every kind, or of the kind.
  mutating func endSection() { sections.append([]) }

  func has(_ key: String) -> Bool { root?.has(key) ?? false }

  /// An error about a key, at its line.
  func error(_ key: String, _ problem: String) -> SettingsError {
    root?.error(key, problem) ?? SettingsError(file: kind.rawValue, problem: "\(key): \(problem)")
  }

  /// Throws unless every key of the file was read.
  func finish() throws { try root?.finish() }
}

/// A value that table `job` stores as text; nil is stored as empty text.
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
