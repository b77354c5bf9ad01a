import Geography

/// A value in a settings file.
package enum Setting: Sendable {
  /// An object, with the line number of each key.
  case object([String: Setting], keyLines: [String: Int])
  case list([Setting])
  case text(String)
  case number(Double)
  case bool(Bool)
  case null
}

extension Setting {
  /// The value as one line of JSON5, which parses to an equal value.
  package var json5: String {
    switch self {
    case .object(let values, _):
      "{ \(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.json5)" }.joined(separator: ", ")) }"
    case .list(let items): "[\(items.map(\.json5).joined(separator: ", "))]"
    case .text(let text): "\"\(text.map(Setting.escaped).joined())\""
    case .number(let number): Setting.text(of: number)
    case .bool(let bool): bool ? "true" : "false"
    case .null: "null"
    }
  }

  /// Returns whether the value contains a key or a string that satisfies a condition.
  func mentions(_ predicate: (String) -> Bool) -> Bool {
    switch self {
    case .object(let values, _): values.contains { predicate($0.key) || $0.value.mentions(predicate) }
    case .list(let items): items.contains { $0.mentions(predicate) }
    case .text(let text): predicate(text)
    case .number, .bool, .null: false
    }
  }

  /// Converts the items of a list; nil if the setting is not a list, or if an item is not allowed.
  func items<Item>(_ convert: (Setting) -> Item?) -> [Item]? {
    guard case .list(let items) = self else { return nil }
    let converted = items.compactMap(convert)
    return converted.count == items.count ? converted : nil
  }

  /// The value as shown in messages.
  var shown: String {
    switch self {
    case .object: return "an object"
    case .list: return json5.count <= 60 ? json5 : "a list"
    case .text(let text): return "\"\(text)\""
    default: return json5
    }
  }

  /// Returns the value as shown in an error message. For a list with an entry that is allowed, this is the first entry
  /// that is not allowed on its own, or that must not be repeated.
  func shown(_ isAllowed: (Setting) -> Bool) -> String {
    guard case .list(let items) = self, items.contains(where: { isAllowed(.list([$0])) }) else { return shown }
    if let index = items.firstIndex(where: { !isAllowed(.list([$0])) }) {
      return "\(items[index].shown) (entry \(index + 1))"
    }
    var seen: Set<String> = []
    let repeated = items.first { !seen.insert($0.json5).inserted && !isAllowed(.list([$0, $0])) }
    return repeated.map { "\($0.shown) twice" } ?? shown
  }

  /// Returns a hint such as "; did you mean routes?" for the first string that is not one of `choices`; empty if there
  /// is no suggestion.
  func question(of choices: [String]) -> String {
    // A choice that ends with a colon takes parameters ("within:600").
    guard !choices.contains(where: { $0.hasSuffix(":") }) else { return "" }
    let strings: [String] =
      switch self {
      case .text(let text): [text]
      case .list(let items): items.compactMap { if case .text(let text) = $0 { text } else { nil } }
      default: []
      }
    return strings.first { !choices.contains($0) }.map { Suggestion.question($0, of: choices) } ?? ""
  }

  /// Formats a number, without a fraction if it is an integer: "3", "0.5".
  package static func text(of number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }

  private static func escaped(_ character: Character) -> String {
    switch character {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\r\n": "\\r\\n"
    case "\t": "\\t"
    default: String(character)
    }
  }
}

// Allows defaults and examples in code to be written as in a file.
extension Setting: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(arrayLiteral elements: Setting...) { self = .list(elements) }
}

/// A key in a settings file. The parser, messages, help and documentation all use this single description.
///
///     static let nearest = SettingKey("nearest", .wholeNumber(1...100), default: 3, "stations to find for each origin")
///     let nearest = try file.root.value(of: nearest)
package struct SettingKey<Value: Sendable>: Sendable {
  package let description: SettingDescription
  /// Converts a setting; nil if it is not allowed.
  let convert: @Sendable (Setting) -> Value?
  /// Returns the value of a key that is missing from the file; nil for a required key.
  package let absent: (@Sendable () -> Value)?
  private let example: Setting

  package var name: String { description.name }

  /// Creates a required key.
  package init(_ name: String, _ type: SettingType<Value>, _ summary: String, example: Setting) {
    self.init(name, type, summary, .error, example, absent: nil)
  }

  /// Creates a key with a default, which is parsed as if it were in the file.
  package init(
    _ name: String, _ type: SettingType<Value>, default: Setting, _ summary: String, example: Setting? = nil
  ) {
    self.init(name, type, summary, .value(`default`.json5), example ?? `default`) {
      guard let value = type.convert(`default`) else {
        preconditionFailure("the default of \(name) is not \(type.expected)")
      }
      return value
    }
  }

  /// Creates an optional key; `otherwise` describes the behaviour if it is missing.
  package init<Wrapped>(
    _ name: String, _ type: SettingType<Wrapped>, otherwise: String, _ summary: String, example: Setting
  ) where Value == Wrapped? { self.init(name, type.map { .some($0) }, summary, .words(otherwise), example) { nil } }

  private init(
    _ name: String, _ type: SettingType<Value>, _ summary: String, _ absence: SettingDescription.Absence,
    _ example: Setting, absent: (@Sendable () -> Value)?
  ) {
    description = SettingDescription(
      name: name, summary: summary, type: type.name, unit: type.unit, choices: type.choices, expected: type.expected,
      absence: absence, example: example.json5)
    convert = type.convert
    (self.absent, self.example) = (absent, example)
  }

  /// The default, or the example for a required key.
  package var exampleValue: Value {
    guard let value = absent?() ?? convert(example) else {
      preconditionFailure("the example of \(name) is not \(description.expected)")
    }
    return value
  }
}

extension SettingsObject {
  /// Returns the value of `key`, or its default. *Throws*: `OdometerError`.
  package func value<Value>(of key: SettingKey<Value>) throws -> Value {
    let (name, expected) = (key.name, key.description.expected)
    if let value = try value(name, expected: expected, choices: key.description.choices, key.convert) { return value }
    if let absent = key.absent { return absent() }
    return try required(name, nil, expected: expected)
  }
}

/// The description of a key for help, documentation and messages.
package struct SettingDescription: Sendable, Equatable {
  package let name: String
  /// The meaning in one line.
  package let summary: String
  /// The name of the type, such as "text", "number", "list of strings".
  package let type: String
  package let unit: String?
  /// The allowed words; empty if any text is allowed.
  package let choices: [String]
  /// The permitted values, as they follow "expected" in a message: "a number of metres, over 0, at most 1000".
  package let expected: String
  package let absence: Absence
  /// An example value, as JSON5.
  package let example: String

  /// The behaviour if the key is missing from a file.
  package enum Absence: Sendable, Equatable {
    /// The file is rejected.
    case error
    /// A default value, as JSON5.
    case value(String)
    /// A behaviour described in words: "the origins".
    case words(String)
  }

  package var isRequired: Bool { if case .error = absence { true } else { false } }

  /// The default as shown in documentation; nil for a required key.
  package var defaultText: String? {
    switch absence {
    case .error: nil
    case .value(let text), .words(let text): text
    }
  }
}

/// Suggestions for mistyped words.
package enum Suggestion {
  /// Returns the word in `words` most similar to `word`, else the only one that begins with `word`, else the synonym of
  /// `word`; nil if there is none.
  ///
  /// Up to a third of the letters may differ, ignoring case: "snaplimit" suggests "snapLimit", "ruote" suggests
  /// "route".
  package static func nearest(to word: String, of words: some Sequence<String>) -> String? {
    let (lower, count) = (word.lowercased(), word.count)
    var best: (word: String, distance: Int)?
    for candidate in words {
      let limit = min(max(count, candidate.count) / 3, count - 1)
      guard abs(count - candidate.count) <= limit else { continue }
      let distance = distance(lower, candidate.lowercased())
      guard distance <= limit else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    let suggestion = best?.word ?? completion(of: lower, in: words)
    guard suggestion == nil, let word = synonyms[lower] else { return suggestion }
    return words.contains(word) ? word : nil
  }

  /// Names of transport modes and vehicles in other programs, with those of this program.
  private static let synonyms = [
    "car": "automobile", "auto": "automobile", "driving": "automobile", "drive": "automobile", "bike": "cycling",
    "bicycle": "cycling", "foot": "walking", "pedestrian": "walking", "lorry": "truck", "hgv": "truck",
  ]

  /// Returns the only word that begins with `start`, if `start` has at least three letters: "auto" gives "automobile".
  private static func completion(of start: String, in words: some Sequence<String>) -> String? {
    let completions = start.count < 3 ? [] : words.filter { $0.lowercased().hasPrefix(start) }
    return completions.count == 1 ? completions[0] : nil
  }

  /// Returns a question such as "; did you mean run?"; empty if there is no suggestion.
  package static func question(_ word: String, of words: some Sequence<String>) -> String {
    nearest(to: word, of: words).map { "; did you mean \($0)?" } ?? ""
  }

  /// Returns the optimal string alignment distance: the number of letters to insert, delete, replace or swap with the
  /// next one to turn `a` into `b`.
  package static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var (beforeLast, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var minimum = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { minimum = min(minimum, beforeLast[j - 1] + 1) }
        row.append(minimum)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
