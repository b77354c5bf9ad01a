import Geography

/// The id of a row or place: an integer if the input is an integer in plain notation ("007" stays text) that JSON
/// readers represent exactly, else text.
package enum Identifier: Hashable, Sendable {
  case number(Int64)
  case text(String)

  /// 2^53: beyond it a double cannot represent every whole number.
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

  /// The id as text, for jobs in which not all ids are numbers.
  package var asText: Identifier { .text(description) }

  package var isNumber: Bool {
    if case .number = self { true } else { false }
  }
}

extension Identifier {
  /// The id as a CSV field, quoted if necessary.
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

  /// Appends an id as JSON.
  package mutating func append(_ identifier: Identifier) {
    switch identifier {
    case .number(let number): append(decimal: number, places: 0)
    case .text(let text): append(jsonString: text)
    }
  }
}
