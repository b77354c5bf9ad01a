import Foundation

/// Returns text that is safe for a terminal: replaces control characters and bidirectional formatting characters, and
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
  /// Whether a terminal would interpret the character instead of displaying it: C0, DEL and C1; directional marks and
  /// overrides; line separators.
  var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The parent folder of this path; empty if there is none. (`NSString.deletingLastPathComponent` traps for a path of
  /// one character in Swift 6.3.)
  package var folder: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The text without spaces, tabs and carriage returns at its ends, as in a CSV field.
  package var trimmed: String {
    let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0D].contains(byte) }
    let text = utf8.drop(while: isSpace)
    guard let last = text.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(Substring(text[...last]))
  }

  /// Decodes input text: UTF-8, or else Windows-1252, a superset of ISO 8859-1.
  package init(input bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    let data = Data(bytes)
    // Windows-1252 leaves five bytes undefined; ISO 8859-1 defines all of them.
    self = String(data: data, encoding: .windowsCP1252) ?? String(data: data, encoding: .isoLatin1) ?? ""
  }
}

extension Double {
  /// Parses decimal notation, "nan" or "infinity"; nil for other text. `Double.init` also accepts hexadecimal digits
  /// ("0x2", "0x1.8p1") and stops at a NUL.
  // Inlinable, so that other modules specialize it: tables of places have two numbers in each row.
  @inlinable package init?(decimal text: some StringProtocol) {
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") || $0 == 0 }) else { return nil }
    self.init(text)
  }
}

extension BinaryInteger {
  /// Returns the number followed by a noun, in the plural if necessary: "1 row", "12 rows".
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension Int {
  /// The number with at least two digits, for clock times: 7 is "07".
  package var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
