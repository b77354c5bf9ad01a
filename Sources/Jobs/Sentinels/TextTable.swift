/// Text in columns: the first left-aligned, numbers right-aligned.
package struct TextTable: CustomStringConvertible {
  private var rows: [[String]]
  /// Whether the last column is of words.
  private let hasNotes: Bool

  package init(_ header: [String], hasNotes: Bool = false) {
    rows = [header]
    self.hasNotes = hasNotes
  }

  package mutating func append(_ row: [String]) { rows.append(row) }

  package var description: String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        let isOnTheLeft = column == 0 || (hasNotes && column == count - 1)
        return isOnTheLeft ? cell + padding : padding + cell
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
