/// The type of a setting: its permitted values and their meanings.
package struct SettingType<Value: Sendable>: Sendable {
  /// The name, such as "text", "number", "list".
  package let name: String
  /// The unit, such as "metres" or "minutes", if any.
  package let unit: String?
  /// The allowed words, or the words allowed in a list; empty if any text is allowed.
  package let choices: [String]
  /// A description of the permitted values; follows "expected" in messages.
  package let expected: String
  /// Converts a setting; nil if it is not allowed.
  let convert: @Sendable (Setting) -> Value?

  init(
    _ name: String, unit: String? = nil, choices: [String] = [], expected: String,
    convert: @escaping @Sendable (Setting) -> Value?
  ) { (self.name, self.unit, self.choices, self.expected, self.convert) = (name, unit, choices, expected, convert) }

  /// Returns the problem with a number that a program passes as a property, such as "count: got 0, expected a whole
  /// number from 1 to 8"; nil if the type permits it.
  package func problem(with number: Double, in property: String) -> String? {
    convert(.number(number)) == nil ? "\(property): got \(Setting.text(of: number)), expected \(expected)" : nil
  }

  /// Returns a type whose values are converted by `transform`, which returns nil for a value that is not allowed.
  package func map<Meaning>(
    name: String? = nil, expected: String? = nil, choices: [String]? = nil,
    _ transform: @escaping @Sendable (Value) -> Meaning?
  ) -> SettingType<Meaning> {
    let convert = convert
    return SettingType<Meaning>(
      name ?? self.name, unit: unit, choices: choices ?? self.choices, expected: expected ?? self.expected
    ) { setting in convert(setting).flatMap(transform) }
  }
}

extension SettingType<String> {
  package static var text: SettingType {
    SettingType("text", expected: "text") { if case .text(let text) = $0 { text } else { nil } }
  }

  /// The path of a file or folder.
  package static var path: SettingType {
    text.map(name: "path", expected: "a path (not empty, no ~)") { path in
      path.contains { !$0.isWhitespace } && path != "~" && !path.hasPrefix("~/") ? path : nil
    }
  }

  /// Returns a type for one of several words.
  package static func word(of choices: [String]) -> SettingType {
    text.map(expected: choices.alternatives, choices: choices) { choices.contains($0) ? $0 : nil }
  }
}

extension [String] {
  /// The words that are allowed in a place, for messages: "one of text, json, geojson", or the only word.
  package var alternatives: String { (count > 1 ? "one of " : "") + joined(separator: ", ") }
}

extension SettingType<[String]> {
  /// One or more strings.
  package static var stringOrList: SettingType {
    SettingType("string or list of strings", expected: "a string or a list of strings, not empty") { setting in
      if case .text(let text) = setting { return text.isEmpty ? nil : [text] }
      guard let strings = strings.convert(setting) else { return nil }
      return strings.isEmpty || strings.contains("") ? nil : strings
    }
  }
}

extension SettingType<Bool> {
  package static var bool: SettingType {
    SettingType("true or false", choices: ["true", "false"], expected: "true or false") {
      if case .bool(let bool) = $0 { bool } else { nil }
    }
  }
}

extension SettingType<Double> {
  /// Returns a type that also permits a word, which means nil.
  package func orWord(_ word: String) -> SettingType<Double?> {
    let convert = convert
    return SettingType<Double?>(
      "\(name) or \(word)", unit: unit, choices: [word], expected: "\(expected), or \(word)"
    ) { setting in
      if case .text(word) = setting { return .some(nil) }
      return convert(setting).map { .some($0) }
    }
  }

  package static func number(of unit: String, atLeast minimum: Double, atMost maximum: Double) -> SettingType {
    let limits = "from \(Setting.text(of: minimum)) to \(Setting.text(of: maximum))"
    return number(unit, expected: "a number of \(unit), \(limits)") { $0 >= minimum && $0 <= maximum }
  }

  static func number(
    _ unit: String?, expected: String, where isAllowed: @escaping @Sendable (Double) -> Bool
  ) -> SettingType {
    SettingType("number", unit: unit, expected: expected) {
      if case .number(let number) = $0, isAllowed(number) { number } else { nil }
    }
  }

  package static var share: SettingType { number(nil, expected: "a share from 0 to 1") { (0...1).contains($0) } }

  package static func number(of unit: String, over minimum: Double, atMost maximum: Double) -> SettingType {
    let limits = "over \(Setting.text(of: minimum)), at most \(Setting.text(of: maximum))"
    return number(unit, expected: "a number of \(unit), \(limits)") { $0 > minimum && $0 <= maximum }
  }
}

extension SettingType<Int> {
  package static func wholeNumber(of unit: String? = nil, _ limits: ClosedRange<Int>) -> SettingType {
    let subject = unit.map { "a whole number of \($0)" } ?? "a whole number"
    return SettingType(
      "whole number", unit: unit, expected: "\(subject) from \(limits.lowerBound) to \(limits.upperBound)"
    ) {
      if case .number(let number) = $0, let whole = Int(exactly: number), limits.contains(whole) { whole } else { nil }
    }
  }
}

extension SettingType<[Double]> {
  /// Returns a type for a list of at least one number.
  package static func numbers(of unit: String, over minimum: Double, atMost maximum: Double) -> SettingType {
    let limits = "each over \(Setting.text(of: minimum)), at most \(Setting.text(of: maximum))"
    return SettingType("list of numbers", unit: unit, expected: "a list of \(unit), \(limits)") { setting in
      let numbers = setting.items { item -> Double? in
        if case .number(let number) = item, number > minimum, number <= maximum { number } else { nil }
      }
      return numbers?.isEmpty == false ? numbers : nil
    }
  }
}

extension SettingType<[String]> {
  package static var strings: SettingType {
    SettingType("list of strings", expected: "a list of strings") { setting in
      setting.items { if case .text(let text) = $0 { text } else { nil } }
    }
  }

  /// A list of ids: strings or whole numbers.
  package static var ids: SettingType {
    SettingType("list of ids", expected: "a list of ids: strings or whole numbers") { setting in
      setting.items { item in
        switch item {
        case .text(let text): text.isEmpty ? nil : text
        case .number(let number): Int(exactly: number).map(String.init)
        default: nil
        }
      }
    }
  }
}

extension SettingType where Value: RawRepresentable<String> & CaseIterable {
  /// One of the raw values of an enum.
  package static var choice: SettingType {
    let names = Value.allCases.map(\.rawValue)
    return SettingType<String>.text.map(expected: names.alternatives, choices: names, Value.init)
  }
}

extension SettingType {
  /// Returns a type for a list of raw values of an enum.
  package static func choices<Choice>() -> SettingType
  where Value == [Choice], Choice: RawRepresentable<String> & CaseIterable & Sendable {
    let names = Choice.allCases.map(\.rawValue)
    return SettingType<[String]>.strings.map(
      expected: "a list of \(names.joined(separator: ", "))", choices: names
    ) { strings in
      let choices = strings.compactMap(Choice.init)
      return choices.count == strings.count ? choices : nil
    }
  }
}

extension SettingType<Setting> {
  /// Returns a type for any setting, for values that parse it themselves.
  package static func any(_ name: String, expected: String) -> SettingType {
    SettingType(name, expected: expected) { $0 }
  }
}
