import Foundation
import Geography

/// An object in a settings file. Keeps track of the keys that were read.
package final class SettingsObject {
  private let values: [String: Setting]
  private let lines: [String: Int]
  private let path: String
  private let file: String
  private var read: Set<String> = []
  /// The permitted keys; nil if the keys that are read are the permitted ones.
  private var known: Set<String>?
  /// Returns a hint on where a key that is unknown here belongs; nil if the key is unknown everywhere.
  private var explanation: (String) -> String? = { _ in nil }

  init(values: [String: Setting], lines: [String: Int], path: String, file: String) {
    self.values = values
    self.lines = lines
    self.path = path
    self.file = file
  }

  var setting: Setting { .object(values, keyLines: lines) }

  /// The sorted keys of an object that permits any keys; all of them count as read.
  package var keys: [String] {
    read.formUnion(values.keys)
    return values.keys.sorted()
  }

  /// Sets the permitted keys, for messages; `explanation` returns a hint on where a key that is known elsewhere
  /// belongs.
  package func expect(_ keys: [String], explanation: @escaping (String) -> String? = { _ in nil }) {
    known = Set(keys)
    self.explanation = explanation
  }

  /// Returns whether a nested key or string satisfies a condition; the object's keys in `ignored` are skipped.
  package func mentions(except ignored: [String], _ predicate: (String) -> Bool) -> Bool {
    values.contains { !ignored.contains($0.key) && (predicate($0.key) || $0.value.mentions(predicate)) }
  }

  package func has(_ key: String) -> Bool { values[key] != nil }

  package func string(_ key: String) throws -> String { try value(of: key, .text) }

  package func strings(_ key: String) throws -> [String] { try value(of: key, .strings) }

  package func bool(_ key: String) throws -> Bool { try value(of: key, .bool) }

  package func choice(_ key: String, of choices: [String]) throws -> String { try value(of: key, .word(of: choices)) }

  package func choice<Choice>(_ key: String, of type: Choice.Type) throws -> Choice
  where Choice: RawRepresentable<String> & CaseIterable & Sendable { try value(of: key, SettingType<Choice>.choice) }

  /// Returns a number above a limit.
  ///
  /// - Parameter unit: The meaning of the number: "a speed in km/h".
  package func number(_ key: String, over minimum: Double, unit: String) throws -> Double {
    try value(of: key, .number(unit, expected: "\(unit), over \(Setting.text(of: minimum))") { $0 > minimum })
  }

  package func number(_ key: String, atLeast minimum: Double, unit: String) throws -> Double {
    try value(of: key, .number(unit, expected: "\(unit), \(Setting.text(of: minimum)) or more") { $0 >= minimum })
  }

  package func object(_ key: String) throws -> SettingsObject {
    let (path, file) = (name(of: key) + ".", file)
    return try required(
      key,
      value(key, expected: "an object { … }") { setting in
        guard case .object(let values, let lines) = setting else { return nil }
        return SettingsObject(values: values, lines: lines, path: path, file: file)
      }, expected: "an object { … }")
  }

  /// Throws unless every key of the object was read.
  package func finish() throws {
    let unknown = values.keys.filter { !read.contains($0) }.min { (lines[$0] ?? 0, $0) < (lines[$1] ?? 0, $1) }
    guard let unknown else { return }
    let expected = (known ?? read).sorted()
    let advice = advice(on: unknown, expected: expected) ?? ", expected \(expected.alternatives)"
    throw .settings(file: file, line: lines[unknown], problem: "unknown key \(name(of: unknown))\(advice)")
  }

  /// Returns an error about `key`, with its line.
  package func error(_ key: String, _ problem: String) -> OdometerError {
    .settings(file: file, line: lines[key], problem: "\(name(of: key)): \(problem)")
  }

  private func advice(on unknown: String, expected: [String]) -> String? {
    explanation(unknown).map { "; \($0)" }
      ?? Suggestion.nearest(to: unknown, of: expected).map { "; did you mean \(name(of: $0))?" }
  }

  /// Returns the unknown key that was probably meant as the missing `key`: the most similar one, or else the first.
  private func unknownKey(insteadOf key: String) -> String? {
    guard let known else { return nil }
    let unknown = values.keys.filter { !known.contains($0) && !read.contains($0) }
      .sorted { (lines[$0] ?? 0, $0) < (lines[$1] ?? 0, $1) }
    return Suggestion.nearest(to: key, of: unknown) ?? unknown.first
  }

  private func name(of key: String) -> String { path + key }

  private func value<Value>(of key: String, _ type: SettingType<Value>) throws -> Value {
    try required(key, value(key, expected: type.expected, choices: type.choices, type.convert), expected: type.expected)
  }

  /// Returns the value of a key; nil if the file does not have the key.
  func value<Value>(
    _ key: String, expected: String, choices: [String] = [], _ convert: (Setting) -> Value?
  ) throws -> Value? {
    read.insert(key)
    guard let setting = values[key] else { return nil }
    if let value = convert(setting) { return value }
    let got = setting.shown { convert($0) != nil }
    throw error(key, "got \(got), expected \(expected)\(setting.question(of: choices))")
  }

  func required<Value>(_ key: String, _ value: Value?, expected: String) throws -> Value {
    if let value { return value }
    let missing = "the key \(name(of: key)) is missing; expected \(expected)"
    guard let unknown = unknownKey(insteadOf: key) else { throw .settings(file: file, problem: missing) }
    let advice = advice(on: unknown, expected: [key] + (known ?? []).sorted()) ?? ""
    throw .settings(
      file: file, line: lines[unknown], problem: "\(missing); got the unknown key \(name(of: unknown))\(advice)")
  }
}
