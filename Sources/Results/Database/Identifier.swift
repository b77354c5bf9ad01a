import Geography

/// What a row or a place is called: a whole number where the input's text is one as people write it, else the text
/// ("007" stays a text).
package enum Identifier: Hashable, Sendable {
  case number(Int64)
  case text(String)

  package init(_ text: String) {
    if let number = Int64(text), String(number) == text { self = .number(number) } else { self = .text(text) }
  }
}

extension Identifier: CustomStringConvertible {
  package var description: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  package var isNumber: Bool {
    if case .number = self { true } else { false }
  }
}

extension Identifier {
  /// As a field of a CSV: in quotes where it must be.
  package var csvField: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text):
      text.contains(where: { ",\"\n\r".contains($0) }) ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }
  }
}

extension TextBuffer {
  /// Appends an id as JSON has it.
  mutating func append(_ identifier: Identifier) {
    switch identifier {
    case .number(let number): append(decimal: number, places: 0)
    case .text(let text): append(jsonString: text)
    }
  }
}
