import CZlib

/// A matrix in NumPy's own format (.npy, version 1.0), 32-bit floats row by row: `numpy.load(path, mmap_mode="r")`.
final class NumPyFile: GrowingFile {
  let path: String
  private let file: OutputFile
  private var checksum: UInt32

  /// The file at `path`, begun, or gone on with from `mark`. *Throws*: `ResultsError`.
  init(path: String, rows: Int, columns: Int, from mark: FileMark?) throws {
    self.path = path
    let part = ResultsFolder.unfinished(path)
    if let mark {
      file = try OutputFile(path: part, cutAt: mark.end)
      checksum = mark.crc32
      return
    }
    file = try OutputFile(path: part)
    checksum = 0
    let about = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows), \(columns)), }"
    // What comes before the numbers is a multiple of 64 bytes and ends with a line's end.
    let start = 10
    let padding = (64 - (start + about.utf8.count + 1) % 64) % 64
    let length = about.utf8.count + padding + 1
    try write(
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(about.utf8)
        + Array(repeating: UInt8(ascii: " "), count: padding) + [UInt8(ascii: "\n")])
  }

  var mark: FileMark { FileMark(end: file.count, length: file.count, crc32: checksum) }

  /// Appends rows.
  func append(_ numbers: [Float]) throws { try write(numbers) }

  private func write(_ values: [some BitwiseCopyable]) throws {
    try values.withUnsafeBytes { bytes in
      checksum = UInt32(crc32_z(uLong(checksum), bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
      try file.write(bytes)
    }
  }

  func synchronize() throws { try file.synchronize() }
  func finish() throws { try file.synchronize() }
}
