import Geography

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
