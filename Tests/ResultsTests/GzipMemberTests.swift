import CZlib
import Foundation
import Geography
import TestMaps
import Testing

import Results

struct GzipMemberTests {
  /// Blocks of every size, deflated on their own and put together, read back by zlib as one member.
  @Test(arguments: [[], [0], [1], [70_000], [5, 0, 300_000, 1], [4096, 4096, 4096]])
  func decompressesToItsInput(sizes: [Int]) throws {
    var random = SeededGenerator(seed: 5)
    let scratch = try Scratch()
    defer { scratch.remove() }
    var member = try GzipMember(path: scratch.path("x.gz"))
    let deflater = Deflater()
    var expected = "head\n"
    try member.append(stored: "head\n")
    for size in sizes {
      let text = String((0..<size).map { _ in "abcdefgh,.[]0123456789\n".randomElement(using: &random)! })
      var buffer = TextBuffer()
      buffer.append(text: text)
      deflater.append(buffer)
      try member.append(deflater.finishBlock())
      expected += text
    }
    try member.append(stored: "tail\n")
    try member.finish()
    #expect(try unzipped(scratch.path("x.gz")) == expected + "tail\n")
    let gzip = try Run("/usr/bin/env", ["gzip", "--test", "x.gz"], in: scratch.folder)
    #expect(gzip.status == 0 && gzip.error.isEmpty)
  }

  /// Unpacks exactly one member, and nothing may follow.
  private func unzipped(_ path: String) throws -> String {
    var input = [UInt8](FileManager.default.contents(atPath: path)!)
    var stream = z_stream()
    #expect(inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: 1 << 20)
    let (inputCount, outputCount) = (UInt32(input.count), UInt32(output.count))
    let length = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = inputCount
        stream.next_out = output.baseAddress
        stream.avail_out = outputCount
        #expect(inflate(&stream, Z_FINISH) == Z_STREAM_END)
        #expect(stream.avail_in == 0)
        return Int(stream.total_out)
      }
    }
    return String(decoding: output[..<length], as: UTF8.self)
  }
}
