import Tables

// Numbers of a matrix as text, for hundreds of millions of cells. A cell is two table entries: its whole part with the
// number of digits in the top byte, and a fixed number of decimals. Both are stored as eight bytes, of which only the
// leading ones are valid: the next cell overwrites the rest. The only dependency between cells is one addition.

/// Rows of a matrix as JSON arrays: seconds with three decimals, metres with two; null without a route.
package struct CellText: Sendable {
  /// Whole numbers under `tableCount`: up to five digits, with the number of digits in the top byte.
  let wholes: [UInt64]
  private let thousandths: [UInt64]
  private let hundredths: [UInt64]
  /// Decimals for CSV, without trailing zeros or a trailing point, with their number in the top byte.
  let shortThousandths: [UInt64]
  let shortHundredths: [UInt64]

  static let tableCount = 100_000
  /// The maximum size of a cell's text: `2147483.646,` and `42949672.95,`.
  package static let longestCell = 12
  /// The maximum number of bytes stored per cell: ten digits, a point, three decimals and a comma, plus the bytes stored
  /// beyond them.
  private static let cellCapacity = 24

  package init() {
    func packed(_ text: String) -> UInt64 {
      text.utf8.enumerated().reduce(UInt64(text.utf8.count) << 56) { $0 | UInt64($1.element) << (8 * $1.offset) }
    }
    func decimals(_ count: Int, digits: Int) -> [UInt64] {
      (0..<count).map { value in
        let text = String(value)
        return packed("." + String(repeating: "0", count: digits - text.utf8.count) + text + ",")
      }
    }
    func shortDecimals(_ count: Int, digits: Int) -> [UInt64] {
      (0..<count).map { value in
        let text = String(value)
        var padded = Substring(String(repeating: "0", count: digits - text.utf8.count) + text)
        while padded.last == "0" { padded.removeLast() }
        return padded.isEmpty ? 0 : packed("." + padded)
      }
    }
    shortThousandths = shortDecimals(1000, digits: 3)
    shortHundredths = shortDecimals(100, digits: 2)
    wholes = (0..<CellText.tableCount).map { packed(String($0)) }
    thousandths = decimals(1000, digits: 3)
    hundredths = decimals(100, digits: 2)
  }

  /// Reserves space for `rows`, so that the text need not be copied as it grows.
  package func reserve(rows: Int, columns: Int, in text: TextBytes) {
    text.reserve(rows * (columns * CellText.longestCell + 2) + columns * CellText.cellCapacity + 16)
  }

  /// Appends `[12.500,null,7.034]`: the milliseconds of a row as seconds; times of `missing` and above mean no route.
  package func append(seconds times: UnsafeBufferPointer<UInt32>, missing: UInt32, to text: TextBytes) {
    append(times, times, missing, per: 1000, thousandths, decimals: 5, to: text)
  }

  /// Appends `[17.00,null,9.99]`: the centimetres of a row as metres; no route if its time is `missing` or above.
  package func append(
    metres lengths: UnsafeBufferPointer<UInt32>, times: UnsafeBufferPointer<UInt32>, missing: UInt32, to text: TextBytes
  ) { append(lengths, times, missing, per: 100, hundredths, decimals: 4, to: text) }

  /// Writes a whole number and returns its length in bytes; bytes beyond it may be overwritten.
  @inline(__always)
  static func write(whole: Int, _ wholes: UnsafeBufferPointer<UInt64>, at start: UnsafeMutableRawPointer) -> Int {
    guard whole >= tableCount else {
      start.storeBytes(of: wholes[whole], as: UInt64.self)
      return Int(wholes[whole] >> 56)
    }
    // Written as hundreds of thousands, then five digits.
    let high = wholes[whole / tableCount]
    start.storeBytes(of: high, as: UInt64.self)
    let at = start + Int(high >> 56)
    var rest = whole % tableCount
    for digit in 0..<5 {
      at.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: 4 - digit, as: UInt8.self)
      rest /= 10
    }
    return Int(high >> 56) + 5
  }

  @inline(__always)
  private func append(
    _ values: UnsafeBufferPointer<UInt32>, _ times: UnsafeBufferPointer<UInt32>, _ missing: UInt32, per scale: UInt32,
    _ fractions: [UInt64], decimals: Int, to text: TextBytes
  ) {
    precondition(values.count == times.count, "rows of different lengths")
    text.buffer.reserve(values.count * CellText.cellCapacity + 16)
    wholes.withUnsafeBufferPointer { wholes in
      fractions.withUnsafeBufferPointer { fractions in
        var at = UnsafeMutableRawPointer(text.buffer.base + text.count)
        at.storeBytes(of: UInt8(ascii: "["), as: UInt8.self)
        at += 1
        for index in 0..<values.count {
          guard times[index] < missing else {
            at.copyMemory(from: "null,", byteCount: 5)
            at += 5
            continue
          }
          let value = values[index]
          at += CellText.write(whole: Int(value / scale), wholes, at: at)
          at.storeBytes(of: fractions[Int(value % scale)], as: UInt64.self)
          at += decimals
        }
        // The last comma becomes the bracket.
        if !values.isEmpty { at -= 1 }
        at.storeBytes(of: UInt8(ascii: "]"), as: UInt8.self)
        text.buffer.count = at + 1 - UnsafeMutableRawPointer(text.buffer.base)
      }
    }
  }
}
