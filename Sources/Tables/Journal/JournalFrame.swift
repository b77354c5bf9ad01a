/// A frame of a journal: a header with kind, length and checksum, followed by the payload.
package struct JournalFrame: Sendable {
  package enum Kind: UInt8 { case header = 1, places, chunk, ending }

  package var kind: Kind
  /// The payload's byte range in the file.
  package var payload: Range<Int>
  package var crc32: UInt32

  /// The header's size in bytes: kind, length and checksum, little-endian.
  static let headerSize = 13

  /// Returns the header of a payload.
  package static func head(_ kind: Kind, of payload: [UInt8]) -> [UInt8] {
    func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
    return [kind.rawValue] + bytes(UInt64(payload.count), 8) + bytes(UInt64(checksum(payload)), 4)
  }

  package static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { Checksum.of($0) } }
}

extension JournalFrame {
  /// Reads the frame whose header is at an offset of an open file; nil if it is incomplete.
  package init?(at offset: Int, of file: JournalInput) throws {
    guard offset + JournalFrame.headerSize <= file.count else { return nil }
    let head = try file.read(offset..<offset + JournalFrame.headerSize)
    func word(_ range: Range<Int>) -> UInt64 { head[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    guard let kind = Kind(rawValue: head[0]), let length = Int(exactly: word(1..<9)),
      length <= file.count - offset - JournalFrame.headerSize
    else { return nil }
    self.kind = kind
    payload = offset + JournalFrame.headerSize..<offset + JournalFrame.headerSize + length
    crc32 = UInt32(truncatingIfNeeded: word(9..<13))
  }
}
