import Foundation
import Tables

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
