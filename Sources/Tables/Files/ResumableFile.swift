import Geography

/// A file next to the database that grows chunk by chunk. It gets its final name only once it is complete.
package protocol ResumableFile {
  /// The final name.
  var path: String { get }
  /// The state from which it can be resumed.
  var checkpoint: Checkpoint { get }
  /// Flushes everything to disk.
  func synchronize() throws
  /// Ends the file and flushes it. Nothing may be appended afterwards.
  func finish() throws
}

extension String {
  /// The temporary name of a file while it is being written.
  package var unfinished: String { self + ".part" }
}

/// A matrix in NumPy's format (.npy, version 1.0): 32-bit floats row by row, in two or more dimensions, for
/// `numpy.load(path, mmap_mode="r")`.
package final class NumPyFile: ResumableFile {
  package let path: String
  private let file: OutputFile
  private var checksum: UInt32

  /// Creates the file at `path`, or resumes it from `checkpoint`. *Throws*: `ResultsError`.
  package init(path: String, shape: [Int], from checkpoint: Checkpoint?) throws {
    self.path = path
    let part = path.unfinished
    if let checkpoint {
      file = try OutputFile(path: part, resumingAt: checkpoint.end)
      checksum = checkpoint.crc32
      return
    }
    file = try OutputFile(path: part)
    checksum = 0
    try write(NumPyFile.header(shape))
  }

  /// Returns the header that precedes the numbers.
  package static func header(_ shape: [Int]) -> [UInt8] {
    let dictionary =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (\(shape.map(String.init).joined(separator: ", "))), }"
    // The header's length is a multiple of 64 bytes, and it ends with a line feed.
    let start = 10
    let padding = (64 - (start + dictionary.utf8.count + 1) % 64) % 64
    let length = dictionary.utf8.count + padding + 1
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(dictionary.utf8)
      + Array(repeating: UInt8(ascii: " "), count: padding) + [UInt8(ascii: "\n")]
  }

  package var checkpoint: Checkpoint { Checkpoint(end: file.count, length: file.count, crc32: checksum) }

  /// Appends rows.
  package func append(_ numbers: [Float]) throws { try write(numbers) }

  private func write(_ values: [some BitwiseCopyable]) throws {
    try values.withUnsafeBytes { bytes in
      checksum = Checksum.of(bytes, following: checksum)
      try file.write(bytes)
    }
  }

  package func synchronize() throws { try file.synchronize() }
  package func finish() throws { try file.synchronize() }
}

/// The Features of a chunk, compressed as they arrive, separated by a comma and a line feed.
package final class FeatureList {
  private let deflater = Deflater()
  private var isEmpty = true

  package init() {}

  /// Appends a Feature, which `body` writes; `text` is a buffer to reuse.
  package func append(_ text: inout TextBuffer, _ body: (inout TextBuffer) -> Void) {
    text.removeAll()
    if !isEmpty { text.append(",\n") }
    body(&text)
    deflater.append(text)
    isEmpty = false
  }

  /// Returns the Features appended so far; the next one begins a new chunk.
  package func finishBlock() -> DeflatedBlock {
    isEmpty = true
    return deflater.finishBlock()
  }
}
