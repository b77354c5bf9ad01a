/// Texts, one behind the other.
struct TextColumn: Sendable {
  private var bytes = BlockColumn<UInt8>()
  private var ends = BlockColumn<Int>()

  var count: Int { ends.count }

  mutating func append(_ text: String) {
    for byte in text.utf8 { bytes.append(byte) }
    ends.append(bytes.count)
  }

  subscript(index: Int) -> String {
    String(decoding: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]], as: UTF8.self)
  }
}
