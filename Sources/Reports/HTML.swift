import Geography

/// Building blocks of pages.
package enum HTML {
  /// Returns a text, escaped for elements and attributes.
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
      // HTML does not allow control characters.
      case _ where character.value < 0x20 && character != "\n" && character != "\t": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Returns a text with no-break spaces between numbers and their units.
  package static func unbroken(_ text: String) -> String {
    text.replacing(/(\d) (%|min|h|s|m²|m|km²|km\/h|km)(?![\w²\/])/) { "\($0.1)\u{A0}\($0.2)" }
      .replacing(/(\d\x{A0}h) (\d)/) { "\($0.1)\u{A0}\($0.2)" }
  }

  /// Returns a name from the input in its own direction: Arabic text must not affect the order of the surrounding text.
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

  /// Returns a list of names and values.
  static func list(_ items: [(key: String, value: String)]) -> String {
    let items = items.filter { !$0.value.isEmpty }.map { "<dt>\(escaped($0.key))</dt><dd>\(escaped($0.value))</dd>" }
    return items.isEmpty ? "" : "<dl>\(items.joined(separator: "\n"))</dl>\n"
  }

  /// Returns a link to a place on OpenStreetMap's website.
  static func link(to point: FixedCoordinate) -> String {
    let (latitude, longitude) = (point.coordinate.latitude, point.coordinate.longitude)
    return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=18/\(latitude)/\(longitude)"
  }
}
