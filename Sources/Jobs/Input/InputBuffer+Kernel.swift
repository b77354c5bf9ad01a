import Foundation

/// A window over a file of the input that moves forward: what was read and not yet taken.
final class InputBuffer {
  let path: String
  private let blocks: InputBlocks
  private var capacity = 1 << 20
  /// What was read lies in `start..<end`.
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var start = 0
  private(set) var end = 0
  private(set) var isAtEnd = false

  /// Opens the file, behind a byte order mark. *Throws*: `InputError`, also where it is not text.
  init(_ path: String) throws {
    self.path = path
    blocks = try InputBlocks(path: path)
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
      let count = try blocks.read(into: UnsafeMutableBufferPointer(start: bytes + end, count: capacity - end))
      isAtEnd = count == 0
      end += count
    }
  }
}
