import Foundation
import Geography
import Tables

/// A file next to a finished results database, with its entry in that database.
final class StoredFile {
  let path: String
  let name: String
  /// The input rows of each chunk, and the file's length and checksum after the chunk.
  let chunks: [(rows: Range<Int>, checkpoint: Checkpoint)]
  /// Its size in bytes.
  let size: Int
  private let file: Int32

  /// - Throws: `ResultsError` if the file is missing, or not listed in the database.
  init(_ name: String, of database: ResultsDatabase) throws {
    self.name = name
    chunks = try database.database.rows(
      """
      SELECT first_row, rows, end, length, crc32 FROM chunk JOIN chunk_file USING (chunk_id) WHERE file = ?
      ORDER BY chunk_id
      """, name
    ) { row in
      let first = try row.integer("first_row", in: 0..<1 << 48)
      return (first..<first + (try row.integer("rows", in: 0..<1 << 48)), try Checkpoint(row))
    }
    let folder = database.path.folder
    let final = ResultsFolder(path: folder.isEmpty ? "." : folder).file(name)
    // While a job verifies itself, its files do not have their final names.
    let part = final.unfinished
    path = database.isPart && access(part, F_OK) == 0 ? part : final
    if let problem = FileManager.irregularity(of: path, expecting: "a file that the job wrote") {
      throw ResultsError(path: path, problem: problem, cause: .input)
    }
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      let reason = errno == ENOENT ? "no such file" : String(cString: strerror(errno))
      throw ResultsError(
        path: path, problem: "\(reason); \(lastPathComponent(database.path)) lists it among the job's files",
        cause: .input)
    }
    size = Int(lseek(file, 0, SEEK_END))
  }

  deinit { close(file) }

  /// Returns the bytes of a range. *Throws*: `ResultsError`, also if the file is too short.
  func bytes(_ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      try read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
      count = range.count
    }
  }

  /// Fills the buffer. *Throws*: `ResultsError`, also if the file is too short.
  func read(at start: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    guard let count = buffer.fill(from: file, at: start) else { throw damaged(String(cString: strerror(errno))) }
    guard count == buffer.count else { throw damaged("the file ends after \(start + count) bytes: it is truncated") }
  }

  /// Returns the checksum of the file's first bytes.
  func crc32(ofFirst count: Int) throws -> UInt32 {
    var (checksum, start) = (UInt32(0), 0)
    while start < count {
      let block = try bytes(start..<min(count, start + 1 << 22))
      checksum = block.withUnsafeBytes { Checksum.of($0, following: checksum) }
      start += block.count
    }
    return checksum
  }

  func damaged(_ problem: String) -> ResultsError { ResultsError(path: path, problem: problem, cause: .input) }

  /// The error for changed content.
  var checksumError: ResultsError {
    damaged("the checksum differs from the job's: the file is corrupt or from another run")
  }
}
