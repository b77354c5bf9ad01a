import CZlib
import Tables

/// Cells in `matrix.csv.gz`: chunk by chunk, since each was deflated on its own. Where rows are not asked for in the file's
/// order, chunks are kept, so that most are unpacked once.
final class CSVCells: MatrixCells {
  let name: String
  let isSingle = false
  private let shape: MatrixShape
  private let file: StoredFile
  private let reader: CSVCellReader
  private var chunks: [Int: Chunk] = [:]
  private var last = 0
  private var isInOrder = true
  private static let mostKept = 1 << 27

  private struct Chunk {
    var times: [Int64] = []
    var lengths: [Int64] = []
  }

  /// - Parameter fieldsBehind: How many fields follow the time in a line.
  init(of database: ResultsDatabase, _ shape: MatrixShape, fieldsBehind: Int) throws {
    self.shape = shape
    name = MatrixResults.matrixFile
    file = try StoredFile(name, of: database)
    reader = CSVCellReader(
      fieldsBefore: shape.hours > 0 ? 3 : 2, fieldsBehind: fieldsBehind, wantsLengths: shape.hasLengths)
    // Behind the last chunk are the end of the text, and its checksum and length.
    let expected = (file.chunks.last?.checkpoint.end).map { $0 + 10 }
    guard file.chunks.last?.rows.upperBound ?? 0 == shape.origins, expected ?? file.size == file.size else {
      throw file.damaged(
        "the file has \(file.size) bytes, expected \(expected ?? 0): it is truncated, or another run's")
    }
  }

  func read(_ row: Int, into cells: inout CellRow) throws {
    let (origin, hour) = row.quotientAndRemainder(dividingBy: shape.rowsPerOrigin)
    let index =
      file.chunks[last].rows.contains(origin) ? last : file.chunks.partitionIndex { $0.rows.upperBound > origin }
    let chunk = try chunk(index)
    let first = ((origin - file.chunks[index].rows.lowerBound) * shape.rowsPerOrigin + hour) * shape.columns
    cells.times = Array(chunk.times[first..<first + shape.columns])
    cells.lengths = shape.hasLengths ? Array(chunk.lengths[first..<first + shape.columns]) : []
  }

  private func chunk(_ index: Int) throws -> Chunk {
    if index < last { isInOrder = false }
    last = index
    if let chunk = chunks[index] { return chunk }
    let kept = chunks.values.reduce(0) { $0 + $1.times.count + $1.lengths.count }
    if isInOrder || kept > CSVCells.mostKept { chunks.removeAll() }
    let chunk = try loaded(index)
    chunks[index] = chunk
    return chunk
  }

  private func loaded(_ index: Int) throws -> Chunk {
    let (rows, end) = (file.chunks[index].rows, file.chunks[index].checkpoint)
    let before = index == 0 ? Checkpoint(end: 0, length: 0, crc32: 0) : file.chunks[index - 1].checkpoint
    let bytes = try file.bytes(before.end..<end.end)
    let blocks = index == 0 ? bytes[CSVCells.headerSize(bytes)...] : bytes[...]
    let length = end.length - before.length
    guard let text = InflatedText(blocks, length: length),
      UInt32(crc32_combine(uLong(before.crc32), uLong(text.crc32), length)) == end.crc32
    else { throw file.foreign }
    var chunk = Chunk()
    reader.read(text.bytes, skipsLine: index == 0, times: &chunk.times, lengths: &chunk.lengths)
    let expected = rows.count * shape.rowsPerOrigin * shape.columns
    guard chunk.times.count == expected else {
      throw file.damaged(
        "the rows of \(rows.count) origins from the one at \(rows.lowerBound) on have \(chunk.times.count) cells, expected \(expected)"
      )
    }
    return chunk
  }

  /// Size of a gzip member's header: `GzipMember` writes no flags, earlier versions wrote a comment.
  private static func headerSize(_ bytes: [UInt8]) -> Int {
    guard bytes.count > 10 else { return bytes.count }
    let comment = bytes[3] == 0 ? 0 : bytes[10...].prefix { $0 != 0 }.count + 1
    return min(10 + comment, bytes.count)
  }
}

extension Array {
  /// The index of the first element that is so, where all behind it are; its end where none is.
  fileprivate func partitionIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
