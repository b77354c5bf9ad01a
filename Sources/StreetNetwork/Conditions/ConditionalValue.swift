/// A value that holds at times: `no_left_turn @ (Mo-Fr 07:00-09:00)`, as the wiki's "Conditional restrictions" has it.
struct ConditionalValue: Equatable {
  var value: String
  var condition: String

  /// The values of a `…:conditional` tag, separated by semicolons outside of parentheses. A part without `@` continues
  /// the condition before it: `no @ Mo-Fr 07:00-09:00; Sa 10:00-12:00`.
  static func all(in text: String) -> [ConditionalValue] {
    var values: [ConditionalValue] = []
    for part in parts(of: text) {
      if let at = part.firstIndex(of: "@") {
        values.append(
          ConditionalValue(
            value: part[..<at].trimmingSpaces, condition: part[part.index(after: at)...].withoutParentheses))
      } else if !values.isEmpty, !part.trimmingSpaces.isEmpty {
        values[values.count - 1].condition += "; " + part.trimmingSpaces
      }
    }
    return values
  }

  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var (start, depth, isComment) = (text.startIndex, 0, false)
    for index in text.indices {
      switch text[index] {
      case "\"": isComment.toggle()
      case "(" where !isComment: depth += 1
      case ")" where !isComment: depth -= 1
      case ";" where depth <= 0 && !isComment:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return parts + [text[start...]]
  }
}
