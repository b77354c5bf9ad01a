import CZlib

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
