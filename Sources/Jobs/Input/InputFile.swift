import CZlib
import Foundation
import Results

/// What stops a job because of its input, as one sentence.
package struct InputError: Error, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var problem: String

  package init(file: String, line: Int? = nil, problem: String) {
    (self.file, self.line, self.problem) = (file, line, problem)
  }

  package var description: String {
    line.map { "\(file):\($0): \(problem)" } ?? "\(file): \(problem)"
  }
}

extension InputError {
  /// Of a file none of whose rows can be used.
  init(file: String, noneUsableOf rejected: [RejectedRow]) {
    self.init(file: file, problem: "the file has no rows")
    guard let first = rejected.first else { return }
    line = first.line
    problem = "no row of the file can be used; the first one: \(first.reason)"
  }
}

/// The bytes of an input file, unpacked if it is gzipped, without a byte order mark.
func inputBytes(of path: String) throws -> [UInt8] {
  var isDirectory: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
    throw InputError(file: path, problem: "there is no such file")
  }
  guard !isDirectory.boolValue else { throw InputError(file: path, problem: "this is a folder; a file is needed") }
  guard let file = gzopen(path, "rb") else {
    throw InputError(file: path, problem: "the file cannot be read: \(String(cString: strerror(errno)))")
  }
  defer { gzclose(file) }
  gzbuffer(file, 1 << 17)
  let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  let most = mostBytes(unpackedFrom: size)
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 17)
  while true {
    let count = gzread(file, &buffer, UInt32(buffer.count))
    guard count >= 0 else {
      throw InputError(file: path, problem: "the compressed file is damaged, or cut off")
    }
    if count == 0 { break }
    guard bytes.count + Int(count) <= most || gzdirect(file) == 1 else {
      throw InputError(file: path, problem: "it unpacks to more than a hundred times its size: this is no table")
    }
    bytes.append(contentsOf: buffer[..<Int(count)])
  }
  // A cut-off member reads as its end, but leaves an error behind.
  var code: Int32 = 0
  _ = gzerror(file, &code)
  guard code == Z_OK || code == Z_STREAM_END else {
    throw InputError(file: path, problem: "the compressed file is damaged, or cut off")
  }
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
  guard !bytes.isEmpty else { throw InputError(file: path, problem: "the file is empty") }
  guard !bytes.prefix(4096).contains(0) else {
    throw InputError(file: path, problem: "this is no text in UTF-8; a CSV, GeoJSON or GTFS zip is needed")
  }
  return bytes
}

/// The most that so many compressed bytes are unpacked to: tables shrink to a tenth, bombs to a thousandth.
func mostBytes(unpackedFrom size: Int) -> Int { max(256 << 20, 100 * size) }
