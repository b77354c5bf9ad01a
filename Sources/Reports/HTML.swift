import Geography
import Tables

/// Building blocks of pages.
package enum HTML {
  /// Returns text escaped for use in elements and attributes.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // HTML does not allow other control characters.
      case "\n", "\r", "\t": escaped.unicodeScalars.append(character)
      case _ where character.value < 0x20: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Returns text with no-break spaces between numbers and their units.
  package static func unbroken(_ text: String) -> String {
    text.replacing(/(\d) (%|min|h|s|m²|m|km²|km\/h|km)(?![\w²\/])/) { "\($0.1)\u{A0}\($0.2)" }
      .replacing(/(\d\x{A0}h) (\d)/) { "\($0.1)\u{A0}\($0.2)" }
  }

  /// Returns a name from the input, isolated so that Arabic text does not affect the order of the surrounding text.
  static func name(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

  /// Returns a section; empty if it has no content.
  static func section(_ title: String, _ content: String) -> String {
    content.isEmpty ? "" : "<section><h2>\(escaped(title))</h2>\n\(content)</section>\n"
  }

  /// Returns a collapsible section; empty if it has no content.
  static func folded(_ title: String, _ content: String, id: String? = nil) -> String {
    let id = id.map { " id=\"\($0)\"" } ?? ""
    return content.isEmpty
      ? "" : "<details\(id)><summary><h2>\(escaped(title))</h2></summary>\n\(content)</details>\n"
  }

  static func list(_ items: [(key: String, value: String)]) -> String {
    let items = items.filter { !$0.value.isEmpty }.map { "<dt>\(escaped($0.key))</dt><dd>\(escaped($0.value))</dd>" }
    return items.isEmpty ? "" : "<dl>\(items.joined(separator: "\n"))</dl>\n"
  }

  /// Returns the URL of a place on OpenStreetMap's website.
  static func link(to point: FixedCoordinate) -> String {
    let (latitude, longitude) = (point.coordinate.latitude, point.coordinate.longitude)
    return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=18/\(latitude)/\(longitude)"
  }
}

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
          let value = cell.value.map { " data-value=\"\($0)\"" } ?? (head.isNumber ? " data-value=\"\"" : "")
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
