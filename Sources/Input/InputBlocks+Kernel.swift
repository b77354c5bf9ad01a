import CUnpack
import Foundation
import Geography
import Tables

/// An input file, read block by block and unpacked if gzipped.
package final class InputBlocks {
  private let path: String
  private let reader: OpaquePointer
  /// The maximum unpacked size in bytes.
  private let maximumBytes: Int
  private var count = 0

  /// *Throws*: `InputError`.
  package init(path: String) throws {
    self.path = path
    guard FileManager.default.fileExists(atPath: path) else { throw InputError(file: path, problem: "no such file") }
    if let problem = FileManager.irregularity(of: path, expecting: "a file") {
      throw InputError(file: path, problem: problem)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0, let reader = cunpack_open(file, CUNPACK_GZIP) else { throw InputError(unreadable: path) }
    self.reader = reader
    maximumBytes = InputFile.maximumBytes(unpackedFrom: FileManager.size(of: path) ?? 0)
  }

  deinit { cunpack_close(reader) }

  /// Fills the array, or its beginning, and returns the number of bytes; 0 at the end. *Throws*: `InputError`.
  package func read(into buffer: inout [UInt8]) throws -> Int {
    try buffer.withUnsafeMutableBufferPointer { try read(into: $0) }
  }

  /// Fills the beginning of the buffer, and returns the number of bytes; 0 at the end. *Throws*: `InputError`.
  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    let read = cunpack_read(reader, buffer.baseAddress, buffer.count)
    switch read {
    case CUNPACK_UNREADABLE: throw InputError(unreadable: path)
    case CUNPACK_TRAILING:
      throw InputError(
        file: path, problem: "other bytes follow the end of the gzip data: compress or copy the file again")
    case ..<0: throw InputError(file: path, problem: "the compressed file is corrupt or truncated")
    default: break
    }
    count += read
    guard count <= maximumBytes || cunpack_is_plain(reader) == 1 else {
      throw InputError(file: path, problem: "it unpacks to more than a hundred times its size: not a table")
    }
    return read
  }
}

extension InputError {
  /// Creates the error for a file that the system cannot read.
  fileprivate init(unreadable path: String) {
    self.init(file: path, problem: "the file cannot be read: \(String(cString: strerror(errno)))")
  }
}
