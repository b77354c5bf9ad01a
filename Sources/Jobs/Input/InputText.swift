import Foundation

/// Text of the input: UTF-8, or, where it is not that, Windows-1252, of which ISO 8859-1 is a part.
enum InputText {
  /// What whoever runs the job should know of letters of a file: nil where it is UTF-8.
  static func note(on bytes: [UInt8], of file: String) -> String? {
    guard bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) == nil else { return nil }
    return note(on: file)
  }

  static func note(on file: String) -> String { "\(file): not UTF-8, read as Windows-1252" }

  /// What a file is that begins with these bytes, where it is not text that can be read; nil where it may be.
  static func problem(_ start: some Collection<UInt8>) -> String? {
    let mark = Array(start.prefix(2))
    if mark == [0xFF, 0xFE] || mark == [0xFE, 0xFF] {
      return "got UTF-16, expected UTF-8; iconv -f UTF-16 -t UTF-8 converts it"
    }
    if start.prefix(4096).contains(0) { return "not UTF-8 text, expected a CSV, GPX, GeoJSON or GTFS zip" }
    return nil
  }

  /// Why a header names no columns; nil where it may.
  static func problem(ofHeader header: [String]) -> String? {
    guard let first = header.first else { return nil }
    if header.contains(where: { $0.contains("\r") }) {
      return "lines end with a carriage return alone; expected line feeds, which tr '\\r' '\\n' makes of them"
    }
    // A header may begin with #id.
    if first.hasPrefix("#"), header.count == 1 || first.dropFirst().hasPrefix(" ") {
      return "got a line that begins with #, expected the header; leave such lines out"
    }
    if header.count == 1, first.contains("|") {
      return "fields are separated by |; expected a comma, a semicolon or a tab"
    }
    return nil
  }
}
