import Foundation
import Geography

/// A memory-mapped NumPy array (.npy, versions 1 to 3).
package struct NumPyArray {
  /// The signature at the beginning of a NumPy file.
  package static let mark: [UInt8] = [0x93] + Array("NUMPY".utf8)
  package let shape: [Int]
  /// Whether elements are contiguous along the first dimension rather than the last.
  package let isByColumns: Bool
  /// Whether elements are 32-bit floats.
  package var isSingle: Bool { element == .float32 }
  private let element: Element
  private let bytes: Data
  /// The offset of the first number.
  private let start: Int

  /// The type of the numbers, by NumPy's names.
  private enum Element: String {
    case float32 = "<f4"
    case float64 = "<f8"
    case int8 = "|i1"
    case uint8 = "|u1"
    case int16 = "<i2"
    case uint16 = "<u2"
    case int32 = "<i4"
    case uint32 = "<u4"
    case int64 = "<i8"
    case uint64 = "<u8"

    var size: Int { Int(String(rawValue.suffix(1))) ?? 1 }
  }

  /// *Throws*: `OdometerError`.
  package init(_ path: String) throws {
    func invalid(_ problem: String) -> OdometerError { OdometerError(file: path, problem: problem) }
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else {
      throw invalid("the file cannot be read")
    }
    self.bytes = bytes
    guard bytes.count >= 12, bytes.starts(with: NumPyArray.mark), (1...3).contains(bytes[6]) else {
      throw invalid("expected a NumPy array, version 1 to 3")
    }
    let lengthSize = bytes[6] == 1 ? 2 : 4
    let length = (0..<lengthSize).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    let end = 8 + lengthSize + length
    guard end <= bytes.count else { throw invalid("the array's header is truncated") }
    let header = String(decoding: bytes[(8 + lengthSize)..<end], as: UTF8.self)
    guard let type = header.firstMatch(of: /'descr': *'([^']*)'/)?.1,
      let order = header.firstMatch(of: /'fortran_order': *(True|False)/)?.1,
      let dimensions = header.firstMatch(of: /'shape': *\(([0-9, ]*)\)/)?.1
    else { throw invalid("the header does not describe a plain array of numbers") }
    guard let element = Element(rawValue: String(type)) else {
      throw invalid("got an array of type \(type), expected whole numbers or floats, little-endian")
    }
    let shape = dimensions.split { $0 == "," || $0 == " " }.map { Int($0) ?? -1 }
    guard (2...3).contains(shape.count), shape.allSatisfy({ $0 >= 0 }) else {
      throw invalid("got an array of \(shape.count) dimensions, expected origins x destinations")
    }
    var count = element.size
    for dimension in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
      count = overflow ? .max : product
    }
    guard bytes.count - end == count else {
      throw invalid("the file has \(bytes.count - end) bytes of numbers, expected \(count): it is truncated or corrupt")
    }
    (self.element, self.shape, start, isByColumns) = (element, shape, end, order == "True")
  }

  /// Returns the number at a position; nil if it is negative or not finite.
  package func value(_ index: Int) -> Double? {
    func load<Number: BitwiseCopyable>(_: Number.Type) -> Number {
      bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: start + index * MemoryLayout<Number>.size, as: Number.self)
      }
    }
    let value: Double =
      switch element {
      case .float32: Double(load(Float.self))
      case .float64: load(Double.self)
      case .int8: Double(load(Int8.self))
      case .uint8: Double(load(UInt8.self))
      case .int16: Double(load(Int16.self))
      case .uint16: Double(load(UInt16.self))
      case .int32: Double(load(Int32.self))
      case .uint32: Double(load(UInt32.self))
      case .int64: Double(load(Int64.self))
      case .uint64: Double(load(UInt64.self))
      }
    return value.isFinite && value >= 0 ? value : nil
  }
}
