import Foundation
import Geography

/// Decodes values from the bytes of a journal in the order in which `JournalWriter` encoded them. Missing or invalid
/// values throw errors and never trap.
@usableFromInline package struct JournalReader {
  private let bytes: [UInt8]
  package private(set) var position = 0

  /// An error for invalid bytes.
  @usableFromInline package struct Failure: Error {
    @usableFromInline package init() {}
  }

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { position == bytes.count }

  @inlinable package mutating func take<Value: Journaled>(_ type: Value.Type = Value.self) throws -> Value {
    try Value(from: &self)
  }

  mutating func takeByte() throws -> UInt8 {
    guard position < bytes.count else { throw Failure() }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func takeUnsigned() throws -> UInt64 {
    var (number, shift) = (UInt64(0), UInt64(0))
    while true {
      let byte = try takeByte()
      guard shift < 63 || byte <= 1 else { throw Failure() }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  @usableFromInline package mutating func takeSigned() throws -> Int64 {
    let number = try takeUnsigned()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads the number of items that follow, each of which takes at least one byte.
  @usableFromInline package mutating func takeCount() throws -> Int {
    guard let count = Int(exactly: try takeUnsigned()), count <= bytes.count - position else { throw Failure() }
    return count
  }

  package mutating func takeBytes() throws -> ArraySlice<UInt8> {
    let count = try takeCount()
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads fixed-size numbers.
  @usableFromInline package mutating func takeFixed<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws
    -> [Value]
  {
    let taken = try takeBytes()
    let (count, rest) = taken.count.quotientAndRemainder(dividingBy: MemoryLayout<Value>.stride)
    guard rest == 0 else { throw Failure() }
    return [Value](unsafeUninitializedCapacity: count) { values, initialized in
      taken.withUnsafeBytes { UnsafeMutableRawBufferPointer(values).copyMemory(from: $0) }
      initialized = count
    }
  }
}

/// A journal opened for reading. It is reopened for each read, since there may be more shards than file descriptors.
package struct JournalInput: Sendable {
  package let path: String
  /// The file's size in bytes when it was first opened.
  package let count: Int

  package init(path: String) throws {
    self.path = path
    let file = try JournalInput.open(path)
    defer { close(file) }
    count = Int(lseek(file, 0, SEEK_END))
  }

  private static func open(_ path: String) throws -> Int32 {
    if let problem = FileManager.irregularity(of: path, expecting: "a journal") {
      throw ResultsError(path: path, problem: problem, cause: .input)
    }
    let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw ResultsError(path: path, problem: String(cString: strerror(errno)), cause: .input) }
    return file
  }

  package func read(_ range: Range<Int>) throws -> [UInt8] {
    let file = try JournalInput.open(path)
    defer { close(file) }
    return try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      func error(_ problem: String) -> ResultsError { ResultsError(path: path, problem: problem, cause: .input) }
      guard let count = UnsafeMutableRawBufferPointer(buffer).fill(from: file, at: range.lowerBound) else {
        throw error(String(cString: strerror(errno)))
      }
      guard count == range.count else { throw error("the file ends at byte \(range.lowerBound + count)") }
      initialized = count
    }
  }
}

/// Encodes values into the bytes of a journal: whole numbers with seven bits per byte, lowest bits first; strings and
/// lists preceded by their length. `JournalReader` decodes them in the same order.
@usableFromInline package struct JournalWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  @inlinable package mutating func put<Value: Journaled>(_ value: Value) { value.write(to: &self) }

  @usableFromInline package mutating func put(byte: UInt8) { bytes.append(byte) }

  @usableFromInline package mutating func put(unsigned number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a signed number; numbers close to zero are short.
  @usableFromInline package mutating func put(signed number: Int64) {
    put(unsigned: UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  package mutating func put(bytes more: some Collection<UInt8>) {
    put(unsigned: UInt64(more.count))
    bytes.append(contentsOf: more)
  }

  /// Writes fixed-size numbers in their memory layout.
  @usableFromInline package mutating func put<Value: BitwiseCopyable>(fixed values: [Value]) {
    values.withUnsafeBytes { put(bytes: $0) }
  }
}
