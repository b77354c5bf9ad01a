import CZlib
import Foundation
import Geography
import Results

/// A file of the input, read block by block, unpacked if it is gzipped.
final class InputBlocks {
  private let path: String
  private let file: gzFile
  /// What it may unpack to.
  private let most: Int
  private var count = 0

  /// *Throws*: `InputError`.
  init(path: String) throws {
    self.path = path
    guard FileManager.default.fileExists(atPath: path) else { throw InputError(file: path, problem: "no such file") }
    if let kind = FileManager.irregularity(of: path) {
      throw InputError(file: path, problem: "got \(kind), expected a file")
    }
    guard let file = gzopen(path, "rb") else {
      throw InputError(file: path, problem: "the file cannot be read: \(String(cString: strerror(errno)))")
    }
    self.file = file
    gzbuffer(file, 1 << 17)
    most = InputFile.mostBytes(unpackedFrom: FileManager.size(of: path) ?? 0)
  }

  deinit { gzclose(file) }

  /// Fills the array, or a part of it, from its start; 0 at the end of the file. *Throws*: `InputError`.
  func read(into buffer: inout [UInt8]) throws -> Int {
    try buffer.withUnsafeMutableBufferPointer { try read(into: $0) }
  }

  /// Fills a part of the buffer, from its start; 0 at the end of the file. *Throws*: `InputError`.
  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    let corrupt = InputError(file: path, problem: "the compressed file is corrupt or truncated")
    let read = Int(gzread(file, buffer.baseAddress, UInt32(min(buffer.count, 1 << 30))))
    guard read >= 0 else { throw corrupt }
    count += read
    guard count <= most || gzdirect(file) == 1 else {
      throw InputError(file: path, problem: "it unpacks to more than a hundred times its size: not a table")
    }
    if read == 0 {
      // A truncated member reads as its end, but leaves an error behind.
      var code: Int32 = 0
      _ = gzerror(file, &code)
      guard code == Z_OK || code == Z_STREAM_END else { throw corrupt }
    }
    return read
  }
}
