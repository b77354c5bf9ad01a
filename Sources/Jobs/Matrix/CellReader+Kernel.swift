import Foundation
import Tables

// The numbers of a row of a matrix, parsed from its JSON array: one pass over the bytes, one multiplication per digit.

/// A reader of arrays written by `CellText`: decimals and null.
struct CellReader {
  /// The numbers in thousandths of the unit; negative for null.
  private(set) var cells: [Int64] = []

  mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
    cells.removeAll(keepingCapacity: true)
    var (value, decimals, isNumber, isNull): (Int64, Int, Bool, Bool) = (0, -1, false, false)
    for byte in text {
      switch byte {
      case 0x30...0x39:
        isNumber = true
        // This program writes no further decimals or digits.
        guard decimals < 3, value < 1 << 49 else { continue }
        value = value * 10 + Int64(byte - 0x30)
        if decimals >= 0 { decimals += 1 }
      case UInt8(ascii: "."): decimals = 0
      case UInt8(ascii: "n"): isNull = true
      case UInt8(ascii: ","), UInt8(ascii: "]"):
        if isNumber {
          for _ in max(0, decimals)..<3 { value *= 10 }
          cells.append(value)
        } else if isNull {
          cells.append(-1)
        }
        (value, decimals, isNumber, isNull) = (0, -1, false, false)
      default: break
      }
    }
  }
}
