import CZlib
import Foundation

/// A file of the input as its bytes.
enum InputFile {
  /// The content of the file at `path`, unpacked if it is gzipped, without a byte order mark. *Throws*: `InputError`.
  static func bytes(of path: String) throws -> [UInt8] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw InputError(file: path, problem: "no such file")
    }
    guard !isDirectory.boolValue else { throw InputError(file: path, problem: "got a folder, expected a file") }
    let bytes = withoutMark(try unpacked(path))
    guard !bytes.isEmpty else { throw InputError(file: path, problem: "the file is empty") }
    guard !bytes.prefix(4096).contains(0) else {
      throw InputError(file: path, problem: "not UTF-8 text, expected a CSV, GeoJSON or GTFS zip")
    }
    return bytes
  }

  /// The most that the given number of compressed bytes is unpacked to: tables shrink to a tenth, bombs to a
  /// thousandth.
  static func mostBytes(unpackedFrom size: Int) -> Int { max(256 << 20, 100 * size) }

  /// Without a byte order mark.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  }

  private static func unpacked(_ path: String) throws -> [UInt8] {
    guard let file = gzopen(path, "rb") else {
      throw InputError(file: path, problem: "the file cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { gzclose(file) }
    gzbuffer(file, 1 << 17)
    let size = FileManager.size(of: path) ?? 0
    let most = mostBytes(unpackedFrom: size)
    let corrupt = InputError(file: path, problem: "the compressed file is corrupt or truncated")
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = gzread(file, &buffer, UInt32(buffer.count))
      guard count >= 0 else { throw corrupt }
      if count == 0 { break }
      guard bytes.count + Int(count) <= most || gzdirect(file) == 1 else {
        throw InputError(file: path, problem: "it unpacks to more than a hundred times its size: not a table")
      }
      bytes.append(contentsOf: buffer[..<Int(count)])
    }
    // A truncated member reads as its end, but leaves an error behind.
    var code: Int32 = 0
    _ = gzerror(file, &code)
    guard code == Z_OK || code == Z_STREAM_END else { throw corrupt }
    return bytes
  }
}
