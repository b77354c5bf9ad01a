/// A key of a settings file, described once: messages, help and documents say of it what reading it does.
///
///     static let nearest = SettingKey("nearest", .wholeNumber(1...100), default: 3, "stations to find for each origin")
///     let nearest = try file.root.value(of: nearest)
package struct SettingKey<Value: Sendable>: Sendable {
  package let description: SettingDescription
  /// Nil where a setting is not allowed.
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
