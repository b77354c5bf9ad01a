/// Travel times of a matrix as text: half minutes, rounded up, in one or two characters each. Half of them, rounded down,
/// are the nearest whole minutes, and a time is within whole minutes exactly if its half minutes are.
///
/// The ASCII characters from "#" onward, except "<" and "\", are the digits 0 to 89. Digits up to 79 are half minutes. 80
/// to 88 begin a pair: 80 + 90 × (first − 80) + second. 89 begins a triple: 890 + 90 × second + third. "!" means no
/// route. Longer times are written as 8,989 half minutes.
enum MinuteText {
  static let digits: [UInt8] = (UInt8(ascii: "#")...UInt8(ascii: "~")).filter {
    $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "\\")
  }

  /// - Parameter milliseconds: Travel times; negative if there is no route.
  static func append(_ milliseconds: some Sequence<Int64>, to bytes: inout [UInt8]) {
    digits.withUnsafeBufferPointer { digits in
      for time in milliseconds {
        guard time >= 0 else {
          bytes.append(UInt8(ascii: "!"))
          continue
        }
        let halves = Int((time + 29_999) / 30_000)
        switch halves {
        case ..<80: bytes.append(digits[halves])
        case ..<890:
          bytes.append(digits[80 + (halves - 80) / 90])
          bytes.append(digits[(halves - 80) % 90])
        default:
          let rest = min(halves - 890, 90 * 90 - 1)
          bytes.append(digits[89])
          bytes.append(digits[rest / 90])
          bytes.append(digits[rest % 90])
        }
      }
    }
  }
}
