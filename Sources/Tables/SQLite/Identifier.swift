import Geography

/// What a row or a place is called: a whole number where the input's text is one as people write it, else the text
/// ("007" stays a text) and JSON's readers keep it exact.
package enum Identifier: Hashable, Sendable {
  case number(Int64)
  case text(String)

  /// 2^53, from which on a double has not every whole number.
  private static let limit = UInt64(1) << 53

  package init(_ text: String) {
    if let number = Int64(text), number.magnitude < Identifier.limit, String(number) == text {
      self = .number(number)
    } else {
      self = .text(text)
    }
  }
}

extension Identifier: CustomStringConvertible {
  package var description: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  /// As it is where not all of a job's ids are numbers.
  package var asText: Identifier { .text(description) }

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
  package mutating func member(_ name: String, _ identifier: Identifier) {
    key(name)
    append(identifier)
  }

  /// Appends an id as JSON has it.
  package mutating func append(_ identifier: Identifier) {
    switch identifier {
    case .number(let number): append(decimal: number, places: 0)
    case .text(let text): append(jsonString: text)
    }
  }
}
