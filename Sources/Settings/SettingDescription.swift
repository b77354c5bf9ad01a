/// What help, documents and messages say about a key of a settings file.
package struct SettingDescription: Sendable, Equatable {
  package let name: String
  /// One line.
  package let summary: String
  /// "text", "number", "list of text".
  package let type: String
  package let unit: String?
  /// The allowed words; empty where any will do.
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
