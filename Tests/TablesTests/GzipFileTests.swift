import CZlib
import Foundation
import Geography
import TestMaps
import Testing

import Tables

struct GzipFileTests {
  /// Blocks of various sizes, compressed separately and joined, are read by zlib as one member.
  @Test(arguments: [[], [0], [1], [70_000], [5, 0, 300_000, 1], [4096, 4096, 4096]])
  func decompressesToItsInput(sizes: [Int]) throws {
    var random = SeededGenerator(seed: 5)
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path("x.gz")
    let member = try GzipFile(path: path, head: "head\n", tail: "tail\n", from: nil)
    let deflater = Deflater()
    var expected = "head\n"
    for size in sizes {
      let text = String((0..<size).map { _ in "abcdefgh,.[]0123456789\n".randomElement(using: &random)! })
      var buffer = TextBuffer()
      buffer.append(text: text)
      deflater.append(buffer)
      try member.append(deflater.finishBlock())
      expected += text
    }
    try member.finish()
    #expect(rename(path.unfinished, path) == 0)
    #expect(try unzipped(scratch.path("x.gz")) == expected + "tail\n")
    let gzip = try Run("/usr/bin/env", ["gzip", "--test", "x.gz"], in: scratch.folder)
    #expect(gzip.status == 0 && gzip.error.isEmpty)
  }

  /// Any text compresses to the same bytes wherever it is divided, and zlib can read them.
  @Test func compressedBytesDoNotDependOnBufferBoundaries() throws {
    var random = SeededGenerator(seed: 7)
    let (deflater, other) = (Deflater(), Deflater())
    for round in 0..<200 {
      let letters = (0..<Int.random(in: 1...256, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let size = round % 3 == 0 ? Int.random(in: 0...300, using: &random) : Int.random(in: 0...70_000, using: &random)
      var bytes: [UInt8] = []
      while bytes.count < size {
        let run = Int.random(in: 1...40, using: &random)
        if Bool.random(using: &random), bytes.count > run {
          let from = Int.random(in: 0..<bytes.count - run, using: &random)
          bytes += Array(bytes[from..<from + run])
        } else {
          for _ in 0..<run {
            bytes.append(
              letters[
                min(Int.random(in: 0..<letters.count, using: &random), .random(in: 0..<letters.count, using: &random))])
          }
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      var whole = TextBuffer()
      whole.append(text: text)
      deflater.append(whole)
      for part in stride(from: 0, to: text.unicodeScalars.count, by: 9001).map({ start in
        String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(start).prefix(9001)))
      }) {
        var buffer = TextBuffer()
        buffer.append(text: part)
        other.append(buffer)
      }
      let (block, cut) = (deflater.finishBlock(), other.finishBlock())
      #expect(block.bytes == cut.bytes)
      // The end of the stream: an empty block with fixed codes.
      #expect(try inflated(block.bytes + [3, 0]) == Array(text.utf8))
    }
  }

  private func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var (input, stream) = (bytes, z_stream())
    #expect(inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(&stream) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 19) { output, count in
      let size = UInt32(input.count)
      input.withUnsafeMutableBufferPointer { input in
        (stream.next_in, stream.avail_in) = (input.baseAddress, size)
        (stream.next_out, stream.avail_out) = (output.baseAddress, 1 << 19)
        #expect(inflate(&stream, Z_FINISH) == Z_STREAM_END)
      }
      count = Int(stream.total_out)
    }
  }

  /// Decompresses exactly one member, which must be the last.
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
