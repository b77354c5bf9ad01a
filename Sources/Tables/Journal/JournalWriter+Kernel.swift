/// Encodes values into the bytes of a journal: whole numbers with seven bits per byte, lowest bits first; strings and
/// lists preceded by their length. `JournalReader` decodes them in the same order.
package struct JournalWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func put<Value: Journaled>(_ value: Value) { value.write(to: &self) }

  package mutating func put(byte: UInt8) { bytes.append(byte) }

  package mutating func put(unsigned number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a signed number; numbers close to zero are short.
  package mutating func put(signed number: Int64) { put(unsigned: UInt64(bitPattern: number << 1 ^ number >> 63)) }

  package mutating func put(bytes more: some Collection<UInt8>) {
    put(unsigned: UInt64(more.count))
    bytes.append(contentsOf: more)
  }

  /// Writes fixed-size numbers in their memory layout.
  package mutating func put<Value: BitwiseCopyable>(fixed values: [Value]) { values.withUnsafeBytes { put(bytes: $0) } }
}
