/// Text in columns: the first left-aligned, numbers right-aligned.
package struct TextTable: CustomStringConvertible {
  private var rows: [[String]]
  /// Whether the last column contains words, which are left-aligned.
  private let hasNotes: Bool

  package init(_ header: [String], hasNotes: Bool = false) {
    rows = [header]
    self.hasNotes = hasNotes
  }

  package mutating func append(_ row: [String]) { rows.append(row) }

  package var description: String {
    let last = (rows.map(\.count).max() ?? 0) - 1
    return TextTable.lines(rows) { column, _ in column == 0 || hasNotes && column == last }.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  /// Returns rows as lines of aligned columns; the last column is not padded at its end.
  package static func lines(_ rows: [[String]], isLeft: (_ column: Int, _ cell: String) -> Bool) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        guard isLeft(column, cell) else { return padding + cell }
        return column == count - 1 ? cell : cell + padding
      }.joined(separator: "  ")
    }
  }
}
