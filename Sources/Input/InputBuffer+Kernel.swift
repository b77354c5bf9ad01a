import Foundation

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

  /// Opens the file and skips a byte order mark. *Throws*: `InputError`, including if it is not text.
  convenience init(_ path: String) throws {
    let blocks = try InputBlocks(path: path)
    try self.init(path, reading: { try blocks.read(into: $0) })
  }

  /// Creates a buffer for data from `read`. Messages refer to it as `path`.
  init(_ path: String, reading read: @escaping (UnsafeMutableBufferPointer<UInt8>) throws -> Int) throws {
    (self.path, self.read) = (path, read)
    bytes = .allocate(capacity: capacity)
    try fill()
    guard end > 0 else { throw InputError(file: path, problem: "the file is empty") }
    if let problem = InputText.problem(UnsafeBufferPointer(start: bytes, count: end)) {
      throw InputError(file: path, problem: problem)
    }
    if end >= 3, (bytes[0], bytes[1], bytes[2]) == (0xEF, 0xBB, 0xBF) { start = 3 }
  }

  deinit { bytes.deallocate() }

  /// The number of unconsumed bytes.
  var count: Int { end - start }

  func consume(_ count: Int) { start += count }

  /// Reads more data after the unconsumed part, which moves to the beginning of the buffer. *Throws*: `InputError`.
  func fill() throws {
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
    (start, end) = (0, left)
    while end < capacity, !isAtEnd {
      let count = try read(UnsafeMutableBufferPointer(start: bytes + end, count: capacity - end))
      isAtEnd = count == 0
      end += count
    }
  }
}
