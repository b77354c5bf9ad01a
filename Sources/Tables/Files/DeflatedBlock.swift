/// Separately compressed text: complete deflate blocks that end on a byte boundary, none marked as final.
package struct DeflatedBlock: Sendable {
  package var bytes: [UInt8] = []
  /// The checksum and length of the text.
  package var crc32: UInt32 = 0
  package var length = 0
  package init() {}
}

extension DeflatedBlock: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(bytes: bytes)
    journal.put(crc32)
    journal.put(length)
  }

  package init(from journal: inout JournalReader) throws {
    bytes = Array(try journal.takeBytes())
    crc32 = try journal.take()
    length = try journal.take()
    guard length >= 0 else { throw JournalReader.Failure() }
  }
}
