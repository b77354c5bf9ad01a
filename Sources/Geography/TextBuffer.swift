/// Text under construction, as UTF-8 bytes: integers, fixed-point decimals and JSON strings without
/// formatters or locales, for files with millions of rows.
///
///     var text = TextBuffer()
///     text.append("\"distance\":")
///     text.append(decimal: 123_450, places: 2)        // 1234.5
///
/// Cost: 3–6 ns per number.
package struct TextBuffer: ~Copyable {
  var bytes: ByteBuffer

  package init(capacity: Int = 4096) { bytes = ByteBuffer(capacity: capacity) }

  package var count: Int { bytes.count }

  package mutating func removeAll() { bytes.count = 0 }

  package mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func append(text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  package mutating func append(integer: Int) { append(decimal: Int64(integer), places: 0) }

  /// `value` / 10^`places`, without trailing zeros: `append(decimal: 12_340, places: 3)` writes 12.34.
  package mutating func append(decimal value: Int64, places: Int) {
    bytes.reserve(32)
    bytes.count += writeDecimal(value, places: places, at: bytes.base + count)
  }

  /// `[lon,lat],[lon,lat],…` with seven decimals at most.
  package mutating func append(positions points: ArraySlice<FixedCoordinate>) {
    bytes.reserve(points.count * 28)
    bytes.count += points.withUnsafeBufferPointer { writePositions($0, at: bytes.base + count) }
  }

  /// A JSON string with its quotes; control characters, quotes and backslashes escaped.
  package mutating func append(jsonString text: String) {
    append("\"")
    var text = text
    text.withUTF8 { bytes in
      var run = 0
      for (index, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
        append(UnsafeBufferPointer(rebasing: bytes[run..<index]))
        appendEscape(of: byte)
        run = index + 1
      }
      append(UnsafeBufferPointer(rebasing: bytes[run...]))
    }
    append("\"")
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case 0x22: append("\\\"")
    case 0x5C: append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    default:
      append("\\u00")
      append(text: byte < 0x10 ? "0" : "1")
      append(text: String(byte & 0xF, radix: 16))
    }
  }

  package consuming func string() -> String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
