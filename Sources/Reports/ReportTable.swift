import Tables

/// A table of a report that can be sorted by clicking a column's header.
package struct ReportTable {
  /// A table cell: its text, and the number to sort by.
  package struct Cell {
    var html: String
    var value: Double?

    package static func text(_ text: String) -> Cell { Cell(html: HTML.escaped(text)) }
    /// Returns a cell with a name from the input, which has its own text direction.
    package static func name(_ text: String) -> Cell { Cell(html: HTML.name(text)) }
    package static func number(_ value: Double?, _ text: (Double) -> String) -> Cell {
      Cell(html: value.map { HTML.escaped(text($0)) } ?? "–", value: value)
    }
    static func number(_ value: Double?, places: Int = 0) -> Cell { number(value) { Format.decimal($0, places) } }
    static func count(_ value: Int) -> Cell { number(Double(value)) }
    /// Returns a cell with seconds shown as minutes.
    static func minutes(_ seconds: Double?) -> Cell { number(seconds.map { $0 / 60 }, places: 1) }
    package static func link(_ text: String, _ address: String?) -> Cell {
      Cell(html: address.map { "<a href=\"\(HTML.escaped($0))\">\(HTML.name(text))</a>" } ?? HTML.name(text))
    }
  }

  private let title: String
  private let note: String
  private let heads: [(title: String, isNumber: Bool)]
  private var rows: [[Cell]]

  /// Creates a table. A header that starts with "#" belongs to a numeric column; the "#" is not shown.
  package init(_ title: String, note: String = "", heads: [String], rows: [[Cell]]) {
    self.title = title
    self.note = note
    self.heads = heads.map { $0.hasPrefix("#") ? (String($0.dropFirst()), true) : ($0, false) }
    self.rows = rows
  }

  /// The table; empty if there are no rows.
  package var html: String {
    guard !rows.isEmpty else { return "" }
    let head = heads.map { "<th scope=\"col\"\($0.isNumber ? " class=\"n\"" : "")>\(HTML.escaped($0.title))</th>" }
    let body = rows.map { row in
      "<tr>"
        + zip(row, heads).map { cell, head in
          let value = cell.value.map { " data-value=\"\($0)\"" } ?? (head.isNumber ? " data-value=\"-1\"" : "")
          return "<td\(head.isNumber ? " class=\"n\"" : "")\(value)>\(cell.html)</td>"
        }.joined() + "</tr>"
    }
    return """
      <div class="scroll"><table class="sortable"><caption>\(HTML.escaped(title)) <small>\(HTML.escaped(note))</small></caption>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>
      \(body.joined(separator: "\n"))
      </tbody></table></div>

      """
  }
}
