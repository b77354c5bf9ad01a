import Foundation
import Geography
import Tables

/// A field of a row or of an XML file, valid until more is read.
package struct RowField {
  package let bytes: UnsafeBufferPointer<UInt8>

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  package static var empty: RowField { RowField(UnsafeBufferPointer(start: nil, count: 0)) }

  /// Creates a field trimmed of spaces and the line's carriage return.
  init(trimming start: UnsafePointer<UInt8>, count: Int) {
    var (start, count) = (start, count)
    while count > 0, RowField.isSpace(start[0]) { (start, count) = (start + 1, count - 1) }
    while count > 0, RowField.isSpace(start[count - 1]) { count -= 1 }
    bytes = UnsafeBufferPointer(start: start, count: count)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }

  package var isEmpty: Bool { bytes.isEmpty }
  package var text: String { String(input: bytes) }

  /// The field as an id; nil if empty. Equal to `Identifier(text)`, but creates no string for most numbers.
  var identifier: Identifier? {
    guard let first = bytes.first else { return nil }
    var number: Int64 = 0
    // 15 digits are below 2^53; text that begins with a zero stays text, except zero itself.
    let isPlain =
      bytes.count <= 15 && (first != UInt8(ascii: "0") || bytes.count == 1)
      && bytes.allSatisfy { byte in
        number = number &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        return byte &- UInt8(ascii: "0") < 10
      }
    return isPlain ? .number(number) : Identifier(text)
  }

  /// Returns whether the field equals these bytes.
  func equals(_ other: [UInt8]) -> Bool {
    bytes.count == other.count && (other.isEmpty || memcmp(bytes.baseAddress!, other, other.count) == 0)
  }

  /// Returns the field as a number. `column` is for messages.
  package func number(in column: String) throws(RowProblem) -> Double {
    if let number = DecimalText.number(bytes) { return number }
    return try CoordinateCheck.number(text, in: column)
  }

  /// Returns a measured value; nil if the field is empty or negative.
  func measure(in column: String) throws(RowProblem) -> Double? {
    isEmpty ? nil : try CoordinateCheck.measure(try number(in: column), in: column)
  }
}

/// A number parser that creates no strings.
package enum DecimalText {
  /// Returns the same number as `Double(decimal: text)`, bit for bit; nil if that returns nil.
  ///
  /// Whole numbers up to 2^53 and powers of ten up to 22 are exact, and dividing one by the other rounds only once (W.
  /// D. Clinger, 1990). Longer numbers, and other notations of `Double`, are passed to `Double`.
  package static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var at = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { at += 1 }
    // `point` is the number of digits before the decimal point.
    var (mantissa, digits, point): (UInt64, Int, Int?) = (0, 0, nil)
    while at < text.count {
      let digit = text[at] &- UInt8(ascii: "0")
      if digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
      } else if text[at] == UInt8(ascii: "."), point == nil, digits > 0 {
        point = digits
      } else {
        break
      }
      at += 1
    }
    // 18 digits cannot overflow.
    guard at == text.count, digits > 0, digits <= 18, mantissa <= 1 << 53, point != digits else {
      return Double(decimal: String(decoding: text, as: UTF8.self))
    }
    let magnitude = point.map { Double(mantissa) / powersOfTen[digits - $0] } ?? Double(mantissa)
    return isNegative ? -magnitude : magnitude
  }

  private static let powersOfTen: [Double] = (0...22).map { power in
    (0..<power).reduce(1.0) { product, _ in product * 10 }
  }
}
