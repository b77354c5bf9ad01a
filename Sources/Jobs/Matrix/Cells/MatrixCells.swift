import CZlib
import Geography
import Hierarchy
import Tables

/// The cells of a finished matrix in one of its formats, read row by row: in any order, fastest in file order.
package protocol MatrixCells: AnyObject {
  /// The table or file of the cells: `matrix_row`, `travel_times.npy`, `matrix.csv.gz`.
  var name: String { get }
  /// Whether the cells are 32-bit floats, which represent times up to 4.6 hours and distances up to 167 km exactly, and
  /// others to seven digits.
  var isSingle: Bool { get }
  /// Reads a row, counted from 0 by origin and then hour. *Throws*: `ResultsError`.
  func read(_ row: Int, into cells: inout CellRow) throws
}

/// An origin's cells, at one hour in a job with hours.
package struct CellRow: Sendable {
  /// Milliseconds; negative for no route.
  package var times: [Int64] = []
  /// Centimetres, negative for no route; empty if the matrix has none, or they were not requested.
  var lengths: [Int64] = []
  package init() {}
  init(times: [Int64]) { self.times = times }

  /// The time of a cell that is missing from another program's file.
  static let absent = Int64.min

  /// Returns the weight in a column; nil for no route.
  package func weight(_ column: Int, isSingle: Bool) -> VerifiedWeight? {
    guard times[column] >= 0 else { return nil }
    return VerifiedWeight(
      milliseconds: Int(times[column]), centimetres: lengths.isEmpty ? nil : Int(lengths[column]), isSingle: isSingle)
  }
}

/// The number of rows of a matrix, and of cells per row.
struct MatrixShape {
  var origins: Int
  /// 0 in a job without hours.
  var hours: Int
  var columns: Int
  var hasLengths: Bool

  var rowsPerOrigin: Int { max(1, hours) }
  var rows: Int { origins * rowsPerOrigin }
  /// The dimensions of its NumPy array.
  var dimensions: [Int] { [origins] + (hours > 0 ? [hours] : []) + [columns] }
}

extension ResultsDatabase {
  /// Returns the cells of a matrix in every format that the job wrote; none if it kept only summaries.
  ///
  /// - Throws: `ResultsError` if a file is missing, has changed, or belongs to another job.
  func matrixCells() throws -> [any MatrixCells] { try cellFormats.map { try matrixCells(in: $0, lengths: true) } }

  /// Returns the times of a matrix in a format with fast access to any row; nil if the job wrote none, or the file
  /// cannot be opened.
  package func shownMatrixCells() throws -> (any MatrixCells)? {
    guard let format = cellFormats.first(where: { $0 != .csv }) else { return nil }
    if format == .sqlite { return try matrixCells(in: format, lengths: false) }
    // A run need not check the files it has just written.
    return try? matrixCells(in: format, lengths: false, isChecked: !isPart)
  }

  /// The formats of the job's cells.
  var cellFormats: [MatrixWriter.Format] {
    let words = record.identity.list(.format)
    return MatrixWriter.Format.allCases.filter { words.contains($0.rawValue) }
  }

  /// - Parameters:
  ///   - lengths: Whether distances are also needed.
  ///   - isChecked: Whether to verify a file's checksum.
  func matrixCells(
    in format: MatrixWriter.Format, lengths: Bool, isChecked: Bool = true
  ) throws -> any MatrixCells {
    var shape = try matrixShape()
    let hasLengths = shape.hasLengths
    shape.hasLengths = hasLengths && lengths
    switch format {
    case .sqlite: return try TableCells(self, shape)
    case .npy: return try NumPyCells(of: self, shape, isChecked: isChecked)
    case .csv: return try CSVCells(of: self, shape, fieldsAfter: hasLengths ? 1 : 0)
    }
  }

  func matrixShape() throws -> MatrixShape {
    func count(_ role: PlaceRole) throws -> Int {
      try database.value("SELECT count(*) FROM place WHERE role = ?", role.rawValue)
    }
    return MatrixShape(
      origins: try count(.origin), hours: try rowAxis().count, columns: try count(.destination),
      hasLengths: record.identity.flag(.distances) ?? false)
  }
}

/// Cells as JSON arrays in table `matrix_row`.
final class TableCells: MatrixCells {
  let name = "matrix_row"
  let isSingle = false
  private let path: String
  private let shape: MatrixShape
  private let row: SQLite.Statement
  private var reader = CellReader()

  init(_ database: ResultsDatabase, _ shape: MatrixShape) throws {
    (path, self.shape) = (database.path, shape)
    row = try database.database.prepare(
      "SELECT travel_times\(shape.hasLengths ? ", distances" : "") FROM matrix_row WHERE rowid = ?")
  }

  func read(_ number: Int, into cells: inout CellRow) throws {
    row.bind(number + 1)
    defer { row.reset() }
    guard try row.next() else { throw damaged("table matrix_row has no row \(number + 1)") }
    func numbers(_ column: String) throws -> [Int64] {
      try row.withBytes(column) { reader.read($0) }
      guard reader.cells.count == shape.columns else {
        throw damaged(
          "row \(number + 1) of table matrix_row has \(reader.cells.count) \(column), expected \(shape.columns)")
      }
      return reader.cells
    }
    cells.times = try numbers("travel_times")
    // The reader returns thousandths of a metre.
    cells.lengths = shape.hasLengths ? try numbers("distances").map { $0 < 0 ? -1 : $0 / 10 } : []
  }

  private func damaged(_ problem: String) -> ResultsError { ResultsError(path: path, problem: problem, cause: .input) }
}

/// Cells in `matrix.csv.gz`, read chunk by chunk, since each chunk was compressed separately. Chunks are cached when
/// rows are read in a different order, so that most are decompressed only once.
final class CSVCells: MatrixCells {
  let name: String
  let isSingle = false
  private let shape: MatrixShape
  private let file: StoredFile
  private let reader: CSVCellReader
  private var chunks: [Int: CellRow] = [:]
  private var last = 0
  private var isInOrder = true
  /// The maximum number of cached times and lengths: 1 GiB.
  private static let maximumCached = 1 << 27

  /// - Parameter fieldsAfter: The number of fields after the time in a line.
  init(of database: ResultsDatabase, _ shape: MatrixShape, fieldsAfter: Int) throws {
    self.shape = shape
    name = MatrixResults.matrixFile
    file = try StoredFile(name, of: database)
    reader = CSVCellReader(
      fieldsBefore: shape.hours > 0 ? 3 : 2, fieldsAfter: fieldsAfter, readsLengths: shape.hasLengths)
    // The last chunk is followed by the end of the text, its checksum and its length.
    let expected = (file.chunks.last?.checkpoint.end).map { $0 + 10 }
    guard file.chunks.last?.rows.upperBound ?? 0 == shape.origins, expected ?? file.size == file.size else {
      throw file.damaged(
        "the file has \(file.size) bytes, expected \(expected ?? 0): it is truncated or from another run")
    }
  }

  func read(_ row: Int, into cells: inout CellRow) throws {
    let (origin, hour) = row.quotientAndRemainder(dividingBy: shape.rowsPerOrigin)
    let index =
      file.chunks[last].rows.contains(origin)
      ? last : file.chunks.indices.partitionPoint { file.chunks[$0].rows.upperBound > origin }
    let chunk = try chunk(index)
    let first = ((origin - file.chunks[index].rows.lowerBound) * shape.rowsPerOrigin + hour) * shape.columns
    cells.times = Array(chunk.times[first..<first + shape.columns])
    cells.lengths = shape.hasLengths ? Array(chunk.lengths[first..<first + shape.columns]) : []
  }

  private func chunk(_ index: Int) throws -> CellRow {
    if index < last { isInOrder = false }
    last = index
    if let chunk = chunks[index] { return chunk }
    let cached = chunks.values.reduce(0) { $0 + $1.times.count + $1.lengths.count }
    if isInOrder || cached > CSVCells.maximumCached { chunks.removeAll() }
    let chunk = try loaded(index)
    chunks[index] = chunk
    return chunk
  }

  /// Returns the cells of all rows of a chunk.
  private func loaded(_ index: Int) throws -> CellRow {
    let (rows, end) = (file.chunks[index].rows, file.chunks[index].checkpoint)
    let previous = index == 0 ? Checkpoint(end: 0, length: 0, crc32: 0) : file.chunks[index - 1].checkpoint
    let bytes = try file.bytes(previous.end..<end.end)
    let blocks = index == 0 ? bytes[CSVCells.headerSize(bytes)...] : bytes[...]
    let length = end.length - previous.length
    guard let text = DeflatedBlock.inflated(blocks, length: length),
      case let checksum = text.withUnsafeBytes({ Checksum.of($0) }),
      UInt32(crc32_combine(uLong(previous.crc32), uLong(checksum), length)) == end.crc32
    else { throw file.checksumError }
    var chunk = CellRow()
    reader.read(text, skipsLine: index == 0, times: &chunk.times, lengths: &chunk.lengths)
    let expected = rows.count * shape.rowsPerOrigin * shape.columns
    guard chunk.times.count == expected else {
      throw file.damaged(
        "the rows of \(rows.count) origins, starting at index \(rows.lowerBound), have \(chunk.times.count) cells, "
          + "expected \(expected)")
    }
    return chunk
  }

  /// Returns the header size of a gzip member: `GzipFile` writes no flags, earlier versions wrote a comment.
  private static func headerSize(_ bytes: [UInt8]) -> Int {
    guard bytes.count > 10 else { return bytes.count }
    let comment = bytes[3] == 0 ? 0 : bytes[10...].prefix { $0 != 0 }.count + 1
    return min(10 + comment, bytes.count)
  }
}

/// Conversion between the engine's numbers and 32-bit floats in files: seconds for milliseconds, metres for
/// centimetres.
enum SingleFloat {
  /// Converts a float to the engine's units; negative if the float is NaN or out of the range of a cell.
  static func units(_ float: Float, per scale: Double) -> Int64 {
    let value = (Double(float) * scale).rounded()
    return value >= 0 && value < 1e15 ? Int64(value) : -1
  }

  /// Returns a number in the engine's units after rounding to the nearest 32-bit float, as a file would store it.
  static func rounded(_ units: Int64, per scale: Float) -> Int64 {
    units < 0 ? -1 : SingleFloat.units(Float(units) / scale, per: Double(scale))
  }
}
