/// A value that holds at times: `no_left_turn @ (Mo-Fr 07:00-09:00)`, as the wiki's "Conditional restrictions" has it.
struct ConditionalValue {
  var value: String
  var condition: String

  /// The values of a `…:conditional` tag, separated by semicolons outside of parentheses.
  static func all(in text: String) -> [ConditionalValue] {
    parts(of: text).compactMap { part in
      guard let at = part.firstIndex(of: "@") else { return nil }
      var condition = part[part.index(after: at)...].trimmingSpaces
      if condition.hasPrefix("("), condition.hasSuffix(")") { condition = String(condition.dropFirst().dropLast()) }
      return ConditionalValue(value: part[..<at].trimmingSpaces, condition: condition)
    }
  }

  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var (start, depth) = (text.startIndex, 0)
    for index in text.indices {
      switch text[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case ";" where depth == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return parts + [text[start...]]
  }
}
