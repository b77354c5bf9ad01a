/// Decodes values from the bytes of a journal in the order in which `JournalWriter` encoded them. Missing or invalid
/// values throw errors and never trap.
package struct JournalReader {
  private let bytes: [UInt8]
  package private(set) var position = 0

  /// An error for invalid bytes.
  package struct Failure: Error {
    package init() {}
  }

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { position == bytes.count }

  package mutating func take<Value: Journaled>(_ type: Value.Type = Value.self) throws -> Value {
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

  package mutating func takeSigned() throws -> Int64 {
    let number = try takeUnsigned()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads the number of items that follow, each of which takes at least one byte.
  package mutating func takeCount() throws -> Int {
    guard let count = Int(exactly: try takeUnsigned()), count <= bytes.count - position else { throw Failure() }
    return count
  }

  package mutating func takeBytes() throws -> ArraySlice<UInt8> {
    let count = try takeCount()
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads fixed-size numbers.
  package mutating func takeFixed<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws -> [Value] {
    let taken = try takeBytes()
    let (count, rest) = taken.count.quotientAndRemainder(dividingBy: MemoryLayout<Value>.stride)
    guard rest == 0 else { throw Failure() }
    return [Value](unsafeUninitializedCapacity: count) { values, initialized in
      taken.withUnsafeBytes { UnsafeMutableRawBufferPointer(values).copyMemory(from: $0) }
      initialized = count
    }
  }
}
