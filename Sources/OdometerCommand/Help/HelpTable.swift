/// Names on the left and what they mean on the right, as wide as a terminal.
struct HelpTable: CustomStringConvertible {
  private let rows: [(name: String, text: String)]

  init(_ rows: [(name: String, text: String)]) { self.rows = rows }

  var description: String {
    // A long name stands alone on its line instead of pushing all others to the right.
    let column = min(28, (rows.map(\.name.count).max() ?? 0) + 4)
    return rows.map { name, text in
      let lines = HelpText.wrapped(text, HelpText.width - column)
      let indent = String(repeating: " ", count: column)
      let head = "  " + name
      let first = head.count + 2 <= column ? head + indent.dropFirst(head.count) : head + "\n" + indent
      return first + lines.joined(separator: "\n" + indent)
    }.joined(separator: "\n")
  }
}
