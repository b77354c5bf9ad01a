import Foundation
import Tables

/// A reader of the JSON arrays written by `CellText`, which hold decimals and null: one pass over the bytes, one
/// multiplication per digit.
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
        // `CellText` writes at most three decimals and no larger numbers.
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

/// A reader of the lines of `matrix.csv.gz`, each with ids, the hour or percentile if any, the time, and the distance if
/// any: one pass over the bytes, one multiplication per digit.
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

/// Cells in `travel_times.npy` and `distances.npy`.
final class NumPyCells: MatrixCells {
  let name: String
  let isSingle = true
  private let shape: MatrixShape
  private let times: StoredFile
  private let lengths: StoredFile?
  /// The offset of the first number.
  private let start: Int
  private var row: [Float]

  /// - Parameter isChecked: Whether to verify the files' checksums.
  init(of database: ResultsDatabase, _ shape: MatrixShape, isChecked: Bool) throws {
    self.shape = shape
    let header = NumPyFile.header(shape.dimensions)
    start = header.count
    func file(_ name: String) throws -> StoredFile {
      let file = try StoredFile(name, of: database)
      try NumPyCells.check(file, header, shape, isChecked: isChecked)
      return file
    }
    name = MatrixResults.travelTimesFile
    times = try file(name)
    lengths = shape.hasLengths ? try file(MatrixResults.distancesFile) : nil
    row = Array(repeating: 0, count: shape.columns)
  }

  private static func check(
    _ file: StoredFile, _ header: [UInt8], _ shape: MatrixShape, isChecked: Bool
  ) throws {
    let expected = header.count + shape.rows * shape.columns * MemoryLayout<Float>.size
    guard file.size == expected else {
      throw file.damaged("the file has \(file.size) bytes, expected \(expected): it is truncated or from another run")
    }
    guard try file.bytes(0..<header.count) == header else {
      let dimensions = shape.dimensions.map(String.init).joined(separator: " x ")
      throw file.damaged("the file is not an array of \(dimensions) 32-bit floats: it is corrupt or from another run")
    }
    guard let last = file.chunks.last?.checkpoint else { return }
    guard last.end == expected, try !isChecked || file.crc32(ofFirst: expected) == last.crc32 else {
      throw file.checksumError
    }
  }

  func read(_ number: Int, into cells: inout CellRow) throws {
    try read(number, of: times, per: 1000, into: &cells.times)
    if let lengths { try read(number, of: lengths, per: 100, into: &cells.lengths) } else { cells.lengths = [] }
  }

  private func read(_ number: Int, of file: StoredFile, per scale: Double, into cells: inout [Int64]) throws {
    precondition((0..<shape.rows).contains(number), "no such row")
    let at = start + number * shape.columns * MemoryLayout<Float>.size
    try row.withUnsafeMutableBytes { try file.read(at: at, into: $0) }
    cells = row.map { SingleFloat.units($0, per: scale) }
  }
}
