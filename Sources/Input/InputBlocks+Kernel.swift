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

  /// *Throws*: `OdometerError`.
  package init(path: String) throws {
    self.path = path
    guard FileManager.default.fileExists(atPath: path) else { throw .input(path, "no such file") }
    if let problem = FileManager.irregularity(of: path, expecting: "a file") {
      throw .input(path, problem)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0, let reader = cunpack_open(file, CUNPACK_GZIP) else { throw OdometerError(unreadable: path) }
    self.reader = reader
    maximumBytes = InputFile.maximumBytes(unpackedFrom: FileManager.size(of: path) ?? 0)
  }

  deinit { cunpack_close(reader) }

  /// Fills the array, or its beginning, and returns the number of bytes; 0 at the end. *Throws*: `OdometerError`.
  package func read(into buffer: inout [UInt8]) throws -> Int {
    try buffer.withUnsafeMutableBufferPointer { try read(into: $0) }
  }

  /// Fills the beginning of the buffer, and returns the number of bytes; 0 at the end. *Throws*: `OdometerError`.
  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    let read = cunpack_read(reader, buffer.baseAddress, buffer.count)
    switch read {
    case CUNPACK_UNREADABLE: throw OdometerError(unreadable: path)
    case CUNPACK_TRAILING:
      throw .input(path, "other bytes follow the end of the gzip data: compress or copy the file again")
    case ..<0: throw .input(path, "the compressed file is corrupt or truncated")
    default: break
    }
    count += read
    guard count <= maximumBytes || cunpack_is_plain(reader) == 1 else {
      throw .input(path, "it unpacks to more than a hundred times its size: not a table")
    }
    return read
  }
}

extension OdometerError {
  /// Creates the error for a file that the system cannot read.
  fileprivate init(unreadable path: String) {
    self.init(file: path, problem: "the file cannot be read: \(String(cString: strerror(errno)))")
  }
}

extension InputText {
  /// Checks that a file with these first bytes may be text. *Throws*: `OdometerError`.
  static func check(_ start: UnsafeBufferPointer<UInt8>, of path: String) throws {
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
      throw .input(path, "got UTF-16, expected UTF-8; iconv -f UTF-16 -t UTF-8 converts it")
    }
    if start.starts(with: [0x50, 0x4B, 3, 4]) {
      throw .input(
        path, "got a zip file, expected text such as CSV or GeoJSON; unpack it, or save a spreadsheet as CSV")
    }
    if start.starts(with: "SQLite format 3\0".utf8) {
      throw .input(
        path, "got a database, expected text such as CSV or GeoJSON; unpack it if it is a gzipped GeoPackage")
    }
    try checkNUL(start, of: path)
  }

  /// Checks that text has no NUL byte. *Throws*: `OdometerError`.
  ///
  /// - Parameters:
  ///   - checked: The number of bytes at the beginning that have been checked before.
  ///   - line: The line at which the text begins.
  static func checkNUL(_ text: UnsafeBufferPointer<UInt8>, after checked: Int = 0, of path: String, line: Int = 1)
    throws
  {
    guard let start = text.baseAddress, let found = memchr(start + checked, 0, text.count - checked) else { return }
    let length = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(found))
    let lines = text[..<length].count { $0 == UInt8(ascii: "\n") }
    throw .input(path, line: line + lines, "got a NUL byte, expected text such as CSV or GeoJSON")
  }
}

/// A window that moves forward over an input file: the data that was read but not yet consumed.
final class InputBuffer {
  let path: String
  /// Fills a part of a buffer and returns the number of bytes; 0 at the end.
  private let read: (UnsafeMutableBufferPointer<UInt8>) throws -> Int
  private var capacity = 1 << 20
  /// The unconsumed data is in `start..<end`.
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var start = 0
  private(set) var end = 0
  private(set) var isAtEnd = false

  /// Opens the file and skips a byte order mark. *Throws*: `OdometerError`, including if it is not text.
  convenience init(_ path: String) throws {
    let blocks = try InputBlocks(path: path)
    try self.init(path, reading: { try blocks.read(into: $0) })
  }

  /// Creates a buffer for data from `read`. Messages refer to it as `path`.
  init(_ path: String, reading read: @escaping (UnsafeMutableBufferPointer<UInt8>) throws -> Int) throws {
    (self.path, self.read) = (path, read)
    bytes = .allocate(capacity: capacity)
    try load(after: 0)
    guard end > 0 else { throw .input(path, "the file is empty") }
    try InputText.check(UnsafeBufferPointer(start: bytes, count: end), of: path)
    if end >= 3, (bytes[0], bytes[1], bytes[2]) == (0xEF, 0xBB, 0xBF) { start = 3 }
  }

  deinit { bytes.deallocate() }

  /// The number of unconsumed bytes.
  var count: Int { end - start }

  func consume(_ count: Int) { start += count }

  /// Reads more data after the unconsumed part, which moves to the beginning of the buffer. *Throws*: `OdometerError`,
  /// including if it contains a NUL byte.
  ///
  /// - Parameter line: The line at which the unconsumed part begins.
  func fill(line: Int) throws {
    let left = count
    if left > capacity / 2 {
      capacity *= 2
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: bytes + start, count: left)
      bytes.deallocate()
      bytes = larger
    } else if left > 0 {
      memmove(bytes, bytes + start, left)
    }
    start = 0
    try load(after: left)
    try InputText.checkNUL(UnsafeBufferPointer(start: bytes, count: end), after: left, of: path, line: line)
  }

  /// Reads data after the first `left` bytes of the buffer.
  private func load(after left: Int) throws {
    end = left
    while end < capacity, !isAtEnd {
      let count = try read(UnsafeMutableBufferPointer(start: bytes + end, count: capacity - end))
      isAtEnd = count == 0
      end += count
    }
  }
}
