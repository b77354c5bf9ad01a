import Foundation

/// A window over a file of the input that moves forward: what was read and not yet taken.
final class InputBuffer {
  let path: String
  /// Fills a part of a buffer; 0 at the end.
  private let read: (UnsafeMutableBufferPointer<UInt8>) throws -> Int
  private var capacity = 1 << 20
  /// What was read lies in `start..<end`.
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var start = 0
  private(set) var end = 0
  private(set) var isAtEnd = false

  /// Opens the file, behind a byte order mark. *Throws*: `InputError`, also where it is not text.
  convenience init(_ path: String) throws {
    let blocks = try InputBlocks(path: path)
    try self.init(path, reading: { try blocks.read(into: $0) })
  }

  /// The same of what `read` gives, which `path` stands for in messages.
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

  /// How much was read and not yet taken.
  var count: Int { end - start }

  func take(_ count: Int) { start += count }

  /// Reads more behind what is left, which moves. *Throws*: `InputError`.
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
