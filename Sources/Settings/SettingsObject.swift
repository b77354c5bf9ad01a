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
    try required(key, optionalString(key), expected: "text")
  }

  package func optionalString(_ key: String) throws -> String? {
    try value(key, expected: "text") { if case .text(let text) = $0 { text } else { nil } }
  }

  package func choice(_ key: String, of choices: [String]) throws -> String {
    try required(key, optionalChoice(key, of: choices), expected: choices.joined(separator: ", "))
  }

  package func optionalChoice(_ key: String, of choices: [String]) throws -> String? {
    try value(key, expected: choices.joined(separator: ", ")) {
      if case .text(let text) = $0, choices.contains(text) { text } else { nil }
    }
  }

  package func choice<Choice>(_ key: String, of type: Choice.Type) throws -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    let names = type.allCases.map(\.rawValue)
    return try required(
      key, optionalChoice(key, of: names).flatMap(Choice.init), expected: names.joined(separator: ", "))
  }

  package func number(_ key: String, over least: Double, unit: String) throws -> Double {
    try required(
      key, optionalNumber(key, over: least, unit: unit), expected: "\(unit), over \(Setting.text(of: least))")
  }

  package func number(_ key: String, atLeast least: Double, unit: String) throws -> Double {
    let expected = "\(unit), \(Setting.text(of: least)) or more"
    let found: Double? = try value(key, expected: expected) {
      if case .number(let number) = $0, number >= least { number } else { nil }
    }
    return try required(key, found, expected: expected)
  }

  package func optionalNumber(
    _ key: String, over least: Double, atMost most: Double = .infinity, unit: String
  ) throws -> Double? {
    let limit = most.isFinite ? ", at most \(Setting.text(of: most))" : ""
    return try value(key, expected: "\(unit), over \(Setting.text(of: least))\(limit)") {
      if case .number(let number) = $0, number > least, number <= most { number } else { nil }
    }
  }

  package func bool(_ key: String) throws -> Bool {
    try required(key, optionalBool(key), expected: "true or false")
  }

  package func optionalBool(_ key: String) throws -> Bool? {
    try value(key, expected: "true or false") { if case .bool(let bool) = $0 { bool } else { nil } }
  }

  package func strings(_ key: String) throws -> [String] {
    let found: [String]? = try value(key, expected: "a list of text") {
      guard case .list(let items) = $0 else { return nil }
      let texts: [String] = items.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == items.count ? texts : nil
    }
    return try required(key, found, expected: "a list of text")
  }

  /// A list of numbers over `least`, at least one.
  package func optionalNumbers(_ key: String, over least: Double, atMost most: Double, unit: String) throws -> [Double]?
  {
    try value(
      key, expected: "a list of \(unit), each over \(Setting.text(of: least)), at most \(Setting.text(of: most))"
    ) {
      guard case .list(let items) = $0 else { return nil }
      let numbers: [Double] = items.compactMap { if case .number(let number) = $0 { number } else { nil } }
      let areRight = !items.isEmpty && numbers.count == items.count && numbers.allSatisfy { $0 > least && $0 <= most }
      return areRight ? numbers : nil
    }
  }

  package func object(_ key: String) throws -> SettingsObject {
    let found = try value(key, expected: "an object { … }") { setting -> SettingsObject? in
      guard case .object(let values, let lines) = setting else { return nil }
      return SettingsObject(values: values, lines: lines, path: name(of: key) + ".", file: file)
    }
    return try required(key, found, expected: "an object { … }")
  }

  /// Throws unless every key of the object was asked for. `home` says of a key that is known elsewhere where it belongs.
  package func finish(home: (String) -> String? = { _ in nil }) throws {
    let unknown = values.keys.filter { !asked.contains($0) }.min { (lines[$0] ?? 0, $0) < (lines[$1] ?? 0, $1) }
    guard let unknown else { return }
    let advice =
      home(unknown).map { "; \($0)" }
      ?? Suggestion.nearest(to: unknown, of: asked.sorted()).map { "; did you mean \(name(of: $0))?" }
      ?? ", expected one of \(asked.sorted().joined(separator: ", "))"
    throw SettingsError(file: file, line: lines[unknown], problem: "unknown key \(name(of: unknown))\(advice)")
  }

  /// An error about `key`, at its line.
  package func error(_ key: String, _ problem: String) -> SettingsError {
    SettingsError(file: file, line: lines[key], problem: "\(name(of: key)): \(problem)")
  }

  private func name(of key: String) -> String { path + key }

  func value<T>(_ key: String, expected: String, _ convert: (Setting) -> T?) throws -> T? {
    asked.insert(key)
    guard let found = values[key] else { return nil }
    if let value = convert(found) { return value }
    throw error(key, "got \(found.shown), expected \(expected)")
  }

  func required<T>(_ key: String, _ value: T?, expected: String) throws -> T {
    if let value { return value }
    throw SettingsError(
      file: file, problem: "the key \(name(of: key)) is missing; expected \(expected)")
  }
}
