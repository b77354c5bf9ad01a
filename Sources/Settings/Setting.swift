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
