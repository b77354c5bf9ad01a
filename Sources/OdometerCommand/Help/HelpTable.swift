/// Names on the left and what they mean on the right, as wide as a terminal.
struct HelpTable: CustomStringConvertible {
  static let width = 100
  private let rows: [(name: String, text: String)]

  init(_ rows: [(name: String, text: String)]) { self.rows = rows }

  var description: String {
    // A long name stands alone on its line instead of pushing all others to the right.
    let column = min(28, (rows.map(\.name.count).max() ?? 0) + 4)
    return rows.map { name, text in
      let lines = HelpTable.wrapped(text, HelpTable.width - column)
      let indent = String(repeating: " ", count: column)
      let head = "  " + name
      let first = head.count + 2 <= column ? head + indent.dropFirst(head.count) : head + "\n" + indent
      return first + lines.joined(separator: "\n" + indent)
    }.joined(separator: "\n")
  }

  /// Lines of whole words, none longer than `width` unless a word is.
  static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
