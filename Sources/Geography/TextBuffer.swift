/// A builder of UTF-8 text for files with millions of rows. Writes integers, fixed-point decimals and JSON strings
/// without formatters or locales.
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

  /// Appends `value` / 10^`places` without trailing zeros: `append(decimal: 12_340, places: 3)` writes 12.34.
  package mutating func append(decimal value: Int64, places: Int) {
    bytes.reserve(32)
    bytes.count += writeDecimal(value, places: places, at: bytes.base + count)
  }

  /// Appends `[lon,lat],[lon,lat],…` with at most seven decimals.
  package mutating func append(positions points: ArraySlice<FixedCoordinate>) {
    bytes.reserve(points.count * 28)
    bytes.count += points.withUnsafeBufferPointer { writePositions($0, at: bytes.base + count) }
  }

  /// Appends a JSON string with its quotes; escapes quotes, backslashes and control characters (`isControl`).
  package mutating func append(jsonString text: String) {
    append("\"")
    var text = text
    text.withUTF8 { bytes in
      var run = 0
      for (index, byte) in bytes.enumerated() {
        // All characters to escape begin with one of these bytes.
        let isQuoted = byte == 0x22 || byte == 0x5C
        guard byte < 0x20 || isQuoted || byte == 0x7F || byte == 0xC2 || byte == 0xE2 else { continue }
        let size = byte == 0xC2 ? 2 : byte == 0xE2 ? 3 : 1
        let character = String(decoding: bytes[index..<index + size], as: UTF8.self).unicodeScalars.first!
        guard isQuoted || character.isControl else { continue }
        append(UnsafeBufferPointer(rebasing: bytes[run..<index]))
        appendEscape(of: character)
        run = index + size
      }
      append(UnsafeBufferPointer(rebasing: bytes[run...]))
    }
    append("\"")
  }

  private mutating func appendEscape(of character: Unicode.Scalar) {
    switch character {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    default:
      let digits = String(character.value, radix: 16)
      append("\\u")
      append(text: String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }

  package consuming func string() -> String { withBytes { String(decoding: $0, as: UTF8.self) } }
}

/// JSON objects and arrays, with commas between their items:
///
///     text.append("{")
///     text.member("name", "Rua")
///     text.member("distance", decimal: 12_340, places: 2)
///     text.append("}")                                    // {"name":"Rua","distance":123.4}
///
/// A member without a value is omitted, or null with `orNull`. Names are written verbatim: the program's names need no
/// escaping.
extension TextBuffer {
  /// Appends a comma, except at the beginning of an object or an array.
  package mutating func separate() {
    if count > 0, bytes.base[count - 1] != UInt8(ascii: "{"), bytes.base[count - 1] != UInt8(ascii: "[") { append(",") }
  }

  /// Appends the name of a member. The caller must append the value next.
  package mutating func key(_ name: String) {
    separate()
    append("\"")
    append(text: name)
    append("\":")
  }

  package mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    append(jsonString: value)
  }

  package mutating func member(_ name: String, orNull value: String?) {
    key(name)
    if let value { append(jsonString: value) } else { append("null") }
  }

  package mutating func member(_ name: String, _ value: Int?) {
    member(name, decimal: value.map { Int64($0) }, places: 0)
  }

  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    append(value ? "true" : "false")
  }

  /// Appends a member with the value `value` / 10^`places`.
  package mutating func member(_ name: String, decimal value: Int64?, places: Int) {
    guard let value else { return }
    key(name)
    append(decimal: value, places: places)
  }

  /// Appends a member with a number, which must be finite, rounded to `places` decimals.
  package mutating func member(_ name: String, _ value: Double?, places: Int) {
    guard let value else { return }
    key(name)
    append(value, places: places)
  }

  package mutating func member(_ name: String, orNull value: Double?, places: Int) {
    key(name)
    if let value { append(value, places: places) } else { append("null") }
  }

  package mutating func append(_ value: Double, places: Int) {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    append(decimal: Int64((value * scale).rounded()), places: places)
  }

  /// Appends an array with the output of `each` for every item.
  package mutating func list<Items: Sequence>(
    _ items: Items, _ each: (inout TextBuffer, Items.Element) throws -> Void
  ) rethrows {
    append("[")
    for item in items {
      separate()
      try each(&self, item)
    }
    append("]")
  }

  /// Ends the properties of a GeoJSON Feature, and completes the Feature with a point.
  package mutating func endFeature(at point: FixedCoordinate) {
    append("},\"geometry\":{\"type\":\"Point\",\"coordinates\":")
    append(positions: [point])
    append("}}")
  }

  /// Ends the properties of a GeoJSON Feature, and completes the Feature with a line.
  package mutating func endFeature(along line: Polyline) {
    append("},")
    appendGeometry(line)
    append("}")
  }

  /// Appends a member `geometry` with a line. A GeoJSON line must have at least two positions, so a single one is
  /// written twice.
  package mutating func appendGeometry(_ line: Polyline) {
    append("\"geometry\":{\"type\":\"LineString\",\"coordinates\":[")
    append(positions: line.points)
    if line.count == 1 {
      append(",")
      append(positions: line.points)
    }
    append("]}")
  }
}
