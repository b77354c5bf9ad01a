import Tables

// The numbers of a long CSV: one pass over the bytes, one multiplication per digit.

/// A reader of the lines of `matrix.csv.gz`: ids, the hour if any, the time, the distance.
struct CSVCellReader {
  let fieldsBefore: Int
  let fieldsAfter: Int
  let readsLengths: Bool

  private static let (comma, quote, newline) = (UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"))

  /// Reads times in milliseconds and lengths in centimetres; negative for empty fields.
  func read(_ text: [UInt8], skipsLine: Bool, times: inout [Int64], lengths: inout [Int64]) {
    times.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    text.withUnsafeBufferPointer { text in
      var at = 0
      if skipsLine { skipField(text, &at, until: CSVCellReader.newline) }
      while at < text.count {
        for _ in 0..<fieldsBefore { skipField(text, &at, until: CSVCellReader.comma) }
        times.append(number(text, &at, places: 3))
        guard fieldsAfter > 0 else { continue }
        let length = number(text, &at, places: 2)
        if readsLengths { lengths.append(length) }
      }
    }
  }

  /// Moves past the next `end` outside quotes.
  @inline(__always)
  private func skipField(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int, until end: UInt8) {
    var isQuoted = false
    while at < text.count {
      let byte = text[at]
      at += 1
      if byte == CSVCellReader.quote { isQuoted.toggle() }
      if byte == end && !isQuoted { return }
    }
  }

  /// Reads the number up to the end of its field, multiplied by a power of ten, and moves past that end.
  @inline(__always)
  private func number(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int, places: Int) -> Int64 {
    var (value, digits, decimals): (Int64, Int, Int) = (0, 0, -1)
    while at < text.count {
      let byte = text[at]
      at += 1
      if byte == CSVCellReader.comma || byte == CSVCellReader.newline { break }
      if byte == UInt8(ascii: ".") {
        decimals = 0
      } else if digits < 15 {
        value = value * 10 + Int64(byte & 15)
        digits += 1
        if decimals >= 0 { decimals += 1 }
      }
    }
    guard digits > 0 else { return -1 }
    for _ in max(0, decimals)..<max(places, decimals, 0) { value *= 10 }
    return value
  }
}
