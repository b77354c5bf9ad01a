/// Returns text that is safe for a terminal: replaces control characters and changes of writing direction, and
/// truncates long text. Text from files may contain anything.
package func printable(_ text: String, atMost limit: Int = 1500) -> String {
  var shown = ""
  var count = 0
  for character in text.unicodeScalars {
    guard count < limit else { return shown + " …" }
    count += 1
    let isShown = character == "\n" || character == "\t" || !character.isControl
    shown.unicodeScalars.append(isShown ? character : "\u{FFFD}")
  }
  return shown
}

extension Unicode.Scalar {
  /// Whether a terminal would interpret it instead of displaying it: C0, DEL and C1; directional marks and overrides;
  /// line separators.
  var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
