import CZlib

/// Separately compressed text: complete deflate blocks that end on a byte boundary, none marked as final.
package struct DeflatedBlock: Sendable {
  package var bytes: [UInt8] = []
  /// The checksum of the uncompressed text, and its length in bytes.
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

/// Finds the end of a deflate stream of one block within its last byte (P. Deutsch 1996, RFC 1951).
///
/// The end-of-block code is followed by zero bits up to the end of the byte. The code lengths in the block's header
/// distinguish this padding from zeros in the code itself.
enum DeflateEnd {
  /// Returns the number of unused bits in the last byte; nil if there is more than one block, the block has fixed
  /// codes, or the end code is all zeros.
  package static func padding(_ stream: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let last = stream.last, stream[0] & 1 == 1 else { return nil }
    switch stream[0] >> 1 & 3 {
    case 0: return 0
    case 2:
      guard let code = endCode(stream), code != 0 else { return nil }
      var zeros = last.leadingZeroBitCount
      var before = stream.count - 2
      while zeros % 8 == 0, before >= 0, zeros == 8 * (stream.count - 1 - before) {
        zeros += stream[before].leadingZeroBitCount
        before -= 1
      }
      let padding = zeros - code.trailingZeroBitCount
      return 0..<8 ~= padding ? padding : nil
    default: return nil
    }
  }

  /// Returns the end-of-block code (symbol 256) of a block with dynamic codes.
  private static func endCode(_ stream: UnsafeBufferPointer<UInt8>) -> UInt32? {
    var bits = Bits(stream, from: 3)
    let (literals, distances, count) = (257 + bits.next(5), 1 + bits.next(5), 4 + bits.next(4))
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<count { lengths[order[index]] = bits.next(3) }
    let codes = PrefixCode(lengths)
    var all: [Int] = []
    while all.count < literals + distances {
      guard let symbol = codes.next(&bits) else { return nil }
      switch symbol {
      case 16:
        guard let last = all.last else { return nil }
        all += Array(repeating: last, count: 3 + bits.next(2))
      case 17: all += Array(repeating: 0, count: 3 + bits.next(3))
      case 18: all += Array(repeating: 0, count: 11 + bits.next(7))
      default: all.append(symbol)
      }
    }
    return PrefixCode(Array(all[..<literals])).code(of: 256)
  }

  /// The order in which the lengths of the code length codes are stored.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private struct Bits {
    private let stream: UnsafeBufferPointer<UInt8>
    private var position: Int

    init(_ stream: UnsafeBufferPointer<UInt8>, from position: Int) { (self.stream, self.position) = (stream, position) }

    /// Reads the next `count` bits as a number, lowest bit first; zeros after the end.
    mutating func next(_ count: Int) -> Int {
      var number = 0
      for bit in 0..<count {
        let byte = position / 8 < stream.count ? stream[position / 8] : 0
        number |= Int(byte >> (position % 8) & 1) << bit
        position += 1
      }
      return number
    }
  }

  /// The canonical prefix code for code lengths, which are 0 for unused symbols.
  private struct PrefixCode {
    private let lengths: [Int]
    /// The number of codes per length, and the first code of each length.
    private var counts = [Int](repeating: 0, count: 16)
    private var firsts = [UInt32](repeating: 0, count: 16)
    /// The symbols, sorted by code length.
    private let symbols: [Int]

    init(_ lengths: [Int]) {
      self.lengths = lengths
      for length in lengths where length > 0 { counts[length] += 1 }
      for length in 1..<16 { firsts[length] = (firsts[length - 1] + UInt32(length == 1 ? 0 : counts[length - 1])) << 1 }
      symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }

    func code(of symbol: Int) -> UInt32? {
      let length = lengths[symbol]
      guard length > 0 else { return nil }
      return firsts[length] + UInt32(lengths[..<symbol].count { $0 == length })
    }

    func next(_ bits: inout Bits) -> Int? {
      var (code, before) = (UInt32(0), 0)
      for length in 1..<16 {
        code = code << 1 | UInt32(bits.next(1))
        if code >= firsts[length], code < firsts[length] + UInt32(counts[length]) {
          return symbols[before + Int(code - firsts[length])]
        }
        before += counts[length]
      }
      return nil
    }
  }
}

extension DeflatedBlock {
  /// Decompresses blocks with text of a known length in bytes; nil if they are corrupt, or the text has another length.
  package static func inflated(_ blocks: ArraySlice<UInt8>, length: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return nil
    }
    defer { inflateEnd(&stream) }
    var isComplete = false
    // One extra byte, to detect text that is too long.
    let bytes = [UInt8](unsafeUninitializedCapacity: length + 1) { text, count in
      blocks.withUnsafeBufferPointer { blocks in
        stream.next_in = UnsafeMutablePointer(mutating: blocks.baseAddress)
        stream.next_out = text.baseAddress
        var (fed, code) = (0, Z_OK)
        while code == Z_OK, count < text.count {
          if stream.avail_in == 0 {
            stream.avail_in = UInt32(min(blocks.count - fed, 1 << 30))
            fed += Int(stream.avail_in)
          }
          let space = UInt32(min(text.count - count, 1 << 30))
          stream.avail_out = space
          code = inflate(&stream, Z_SYNC_FLUSH)
          count += Int(space - stream.avail_out)
        }
        isComplete = code == Z_BUF_ERROR && fed == blocks.count && stream.avail_in == 0 && count == length
      }
    }
    return isComplete ? bytes : nil
  }
}
