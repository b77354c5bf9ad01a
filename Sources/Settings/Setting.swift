/// A value of a settings file.
package enum Setting: Sendable {
  /// With the line of each key.
  case object([String: Setting], keyLines: [String: Int])
  case list([Setting])
  case text(String)
  case number(Double)
  case bool(Bool)
  case null
}

extension Setting {
  /// As JSON5 that reads as this value again, on one line.
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

  /// Whether a key or a text within is meant.
  func mentions(_ isMeant: (String) -> Bool) -> Bool {
    switch self {
    case .object(let values, _): values.contains { isMeant($0.key) || $0.value.mentions(isMeant) }
    case .list(let items): items.contains { $0.mentions(isMeant) }
    case .text(let text): isMeant(text)
    case .number, .bool, .null: false
    }
  }

  /// As a message shows it.
  var shown: String {
    switch self {
    case .object: return "an object"
    case .list: return json5.count <= 60 ? json5 : "a list"
    case .text(let text): return "\"\(text)\""
    default: return json5
    }
  }

  /// "; did you mean routes?" of the first text that is none of `choices`, or nothing.
  func question(of choices: [String]) -> String {
    // What ends in a colon takes more than words ("within:600").
    guard !choices.contains(where: { $0.hasSuffix(":") }) else { return "" }
    let texts: [String] =
      switch self {
      case .text(let text): [text]
      case .list(let items): items.compactMap { if case .text(let text) = $0 { text } else { nil } }
      default: []
      }
    return texts.first { !choices.contains($0) }.map { Suggestion.question($0, of: choices) } ?? ""
  }

  /// Whole numbers without a fraction: "3", "0.5".
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

// Defaults and examples are written in code as they are in a file.
extension Setting: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(arrayLiteral elements: Setting...) { self = .list(elements) }
}

/// A key of a settings file, described once: messages, help and documents say of it what reading it does.
///
///     static let nearest = SettingKey("nearest", .wholeNumber(1...100), default: 3, "stations to find for each origin")
///     let nearest = try file.root.value(of: nearest)
package struct SettingKey<Value: Sendable>: Sendable {
  package let description: SettingDescription
  /// Nil if a setting is not allowed.
  let convert: @Sendable (Setting) -> Value?
  /// Where the file does not have the key; nil if it must.
  package let absent: (@Sendable () -> Value)?
  private let example: Setting

  package var name: String { description.name }

  /// A key that a file must have.
  package init(_ name: String, _ type: SettingType<Value>, _ summary: String, example: Setting) {
    self.init(name, type, summary, .error, example, absent: nil)
  }

  /// A key with a default, which is read as if the file had it.
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

  /// A key that a file may leave out; `otherwise` says in words what happens then.
  package init<Wrapped>(
    _ name: String, _ type: SettingType<Wrapped>, otherwise: String, _ summary: String, example: Setting
  ) where Value == Wrapped? {
    self.init(name, type.map { .some($0) }, summary, .words(otherwise), example) { nil }
  }

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

  /// The default, or what stands for a value that a file must have.
  package var valueShown: Value {
    guard let value = absent?() ?? convert(example) else {
      preconditionFailure("the example of \(name) is not \(description.expected)")
    }
    return value
  }
}

extension SettingsObject {
  /// The value of `key`, or its default. *Throws*: `SettingsError`.
  package func value<Value>(of key: SettingKey<Value>) throws -> Value {
    let (name, expected) = (key.name, key.description.expected)
    if let value = try value(name, expected: expected, choices: key.description.choices, key.convert) { return value }
    if let absent = key.absent { return absent() }
    return try required(name, nil, expected: expected)
  }
}

/// What help, documents and messages say about a key of a settings file.
package struct SettingDescription: Sendable, Equatable {
  package let name: String
  /// One line.
  package let summary: String
  /// "text", "number", "list of text".
  package let type: String
  package let unit: String?
  /// The allowed words; empty if any will do.
  package let choices: [String]
  /// What is allowed, as it follows "expected" in a message: "a number of metres, over 0, at most 1000".
  package let expected: String
  package let absence: Absence
  /// A value to show, as JSON5.
  package let example: String

  /// What holds where a file does not have the key.
  package enum Absence: Sendable, Equatable {
    /// The file is refused.
    case error
    /// A value, as JSON5.
    case value(String)
    /// What happens then, in words: "the origins".
    case words(String)
  }

  package var isRequired: Bool { if case .error = absence { true } else { false } }

  /// The default as documents show it, nil for a key that is required.
  package var defaultText: String? {
    switch absence {
    case .error: nil
    case .value(let text), .words(let text): text
    }
  }
}
