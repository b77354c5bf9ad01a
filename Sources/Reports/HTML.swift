import Geography

/// Pieces of pages.
package enum HTML {
  /// A text as HTML has it, in elements and in attributes.
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
      // Control characters are not allowed in a page.
      case _ where character.value < 0x20 && character != "\n" && character != "\t": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// A name of the input, in its own direction: one in Arabic leaves what stands around it in order.
  static func name(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

  /// The same where there are no elements: between Unicode's FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, unless
  /// every letter is read from left to right.
  package static func isolated(_ text: String) -> String {
    text.unicodeScalars.contains(where: isRightToLeft) ? "\u{2068}\(text)\u{2069}" : text
  }

  /// Whether a letter is of a script that is read from right to left: Hebrew, Arabic and their neighbours (the ranges that
  /// Unicode's bidirectional algorithm reserves for them).
  private static func isRightToLeft(_ letter: Unicode.Scalar) -> Bool {
    switch letter.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }

  /// A part of a page; nothing where it has no content.
  static func section(_ title: String, _ content: String) -> String {
    content.isEmpty ? "" : "<section><h2>\(escaped(title))</h2>\n\(content)</section>\n"
  }

  /// Names and values, one below the other.
  static func list(_ items: [(key: String, value: String)]) -> String {
    let items = items.filter { !$0.value.isEmpty }.map { "<dt>\(escaped($0.key))</dt><dd>\(escaped($0.value))</dd>" }
    return items.isEmpty ? "" : "<dl>\(items.joined(separator: "\n"))</dl>\n"
  }

  /// Where a place is shown on OpenStreetMap's site.
  static func link(to point: FixedCoordinate) -> String {
    let (latitude, longitude) = (point.coordinate.latitude, point.coordinate.longitude)
    return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=18/\(latitude)/\(longitude)"
  }
}
