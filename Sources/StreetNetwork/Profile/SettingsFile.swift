import Foundation

/// A JSON5 file that a person writes (a profile, a job), read key by key.
///
///     let file = try SettingsFile(path: "jobs/etas.json5")
///     let map = try file.root.string("map")
///     try file.root.finish()                          // throws where a key is not one that was asked for
///
/// Every complaint is a `SettingsError`: file, line, key, what was found and what is allowed.
package struct SettingsFile {
  package let name: String
  package let bytes: Data
  package let root: SettingsObject

  /// Reads the file at `path`. *Throws*: `SettingsError`.
  package init(path: String) throws {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw SettingsError(file: path, problem: "there is no such file")
    }
    guard !isDirectory.boolValue else {
      throw SettingsError(file: path, problem: "this is a folder; a file is needed")
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw SettingsError(file: path, problem: "the file cannot be read; check its permissions")
    }
    try self.init(name: path, bytes: bytes)
  }

  /// Reads settings that are in memory already; `name` stands for the file in messages.
  package init(name: String, bytes: Data) throws {
    self.name = name
    self.bytes = bytes
    let parsed: Setting
    do {
      parsed = try JSON5Parser.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw SettingsError(file: name, line: error.line, problem: "this is not JSON5: \(error.problem)")
    }
    guard case .object(let values, let lines) = parsed else {
      throw SettingsError(file: name, problem: "found \(parsed.shown); the file must be { key: value, … }")
    }
    root = SettingsObject(values: values, lines: lines, path: "", file: name)
  }
}

/// What is wrong in a settings file, as one sentence for the person who edits it.
package struct SettingsError: Error, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var problem: String

  package init(file: String, line: Int? = nil, problem: String) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  package var description: String {
    line.map { "\(file):\($0): \(problem)" } ?? "\(file): \(problem)"
  }
}

extension Setting {
  /// As a message shows it.
  fileprivate var shown: String {
    switch self {
    case .object: "an object"
    case .list: "a list"
    case .text(let text): "\"\(text)\""
    case .number(let number): plain(number)
    case .bool(let bool): bool ? "true" : "false"
    case .null: "null"
    }
  }
}

private func plain(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
}

/// One object of a settings file. Remembers which keys were asked for.
package final class SettingsObject {
  private let values: [String: Setting]
  private let lines: [String: Int]
  private let path: String
  private let file: String
  private var asked: Set<String> = []

  init(values: [String: Setting], lines: [String: Int], path: String, file: String) {
    self.values = values
    self.lines = lines
    self.path = path
    self.file = file
  }

  /// The keys of a table whose keys are free, sorted.
  package var keys: [String] {
    asked.formUnion(values.keys)
    return values.keys.sorted()
  }

  package func has(_ key: String) -> Bool { values[key] != nil }

  package func string(_ key: String) throws -> String {
    try required(key, optionalString(key), allowed: "a text")
  }

  package func optionalString(_ key: String) throws -> String? {
    try value(key, allowed: "a text") { if case .text(let text) = $0 { text } else { nil } }
  }

  package func choice(_ key: String, of choices: [String]) throws -> String {
    try required(key, optionalChoice(key, of: choices), allowed: choices.joined(separator: ", "))
  }

  package func optionalChoice(_ key: String, of choices: [String]) throws -> String? {
    try value(key, allowed: choices.joined(separator: ", ")) {
      if case .text(let text) = $0, choices.contains(text) { text } else { nil }
    }
  }

  package func number(_ key: String, over least: Double, unit: String) throws -> Double {
    try required(key, optionalNumber(key, over: least, unit: unit), allowed: "\(unit), over \(plain(least))")
  }

  package func number(_ key: String, atLeast least: Double, unit: String) throws -> Double {
    let allowed = "\(unit), \(plain(least)) or more"
    let found: Double? = try value(key, allowed: allowed) {
      if case .number(let number) = $0, number >= least { number } else { nil }
    }
    return try required(key, found, allowed: allowed)
  }

  package func optionalNumber(
    _ key: String, over least: Double, atMost most: Double = .infinity, unit: String
  ) throws -> Double? {
    let limit = most.isFinite ? ", at most \(plain(most))" : ""
    return try value(key, allowed: "\(unit), over \(plain(least))\(limit)") {
      if case .number(let number) = $0, number > least, number <= most { number } else { nil }
    }
  }

  package func bool(_ key: String) throws -> Bool {
    try required(key, optionalBool(key), allowed: "true or false")
  }

  package func optionalBool(_ key: String) throws -> Bool? {
    try value(key, allowed: "true or false") { if case .bool(let bool) = $0 { bool } else { nil } }
  }

  package func strings(_ key: String) throws -> [String] {
    let found: [String]? = try value(key, allowed: "a list of texts") {
      guard case .list(let items) = $0 else { return nil }
      let texts: [String] = items.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == items.count ? texts : nil
    }
    return try required(key, found, allowed: "a list of texts")
  }

  /// A list of numbers over `least`, at least one.
  package func optionalNumbers(_ key: String, over least: Double, atMost most: Double, unit: String) throws -> [Double]?
  {
    try value(key, allowed: "a list of \(unit), each over \(plain(least)), at most \(plain(most))") {
      guard case .list(let items) = $0 else { return nil }
      let numbers: [Double] = items.compactMap { if case .number(let number) = $0 { number } else { nil } }
      let areRight = !items.isEmpty && numbers.count == items.count && numbers.allSatisfy { $0 > least && $0 <= most }
      return areRight ? numbers : nil
    }
  }

  package func object(_ key: String) throws -> SettingsObject {
    let found = try value(key, allowed: "an object { … }") { setting -> SettingsObject? in
      guard case .object(let values, let lines) = setting else { return nil }
      return SettingsObject(values: values, lines: lines, path: name(of: key) + ".", file: file)
    }
    return try required(key, found, allowed: "an object { … }")
  }

  /// Throws unless every key of the object was asked for.
  package func finish() throws {
    guard let unknown = values.keys.filter({ !asked.contains($0) }).min() else { return }
    throw error(unknown, "unknown key; allowed: \(asked.sorted().joined(separator: ", "))")
  }

  /// An error about `key`, at its line.
  package func error(_ key: String, _ problem: String) -> SettingsError {
    SettingsError(file: file, line: lines[key], problem: "\(name(of: key)): \(problem)")
  }

  private func name(of key: String) -> String { path + key }

  private func value<T>(_ key: String, allowed: String, _ convert: (Setting) -> T?) throws -> T? {
    asked.insert(key)
    guard let found = values[key] else { return nil }
    if let value = convert(found) { return value }
    throw error(key, "found \(found.shown), allowed: \(allowed)")
  }

  private func required<T>(_ key: String, _ value: T?, allowed: String) throws -> T {
    if let value { return value }
    throw SettingsError(
      file: file, problem: "the key \(name(of: key)) is missing; it needs \(allowed)")
  }
}
