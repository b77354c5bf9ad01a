/// A file of the input as its bytes.
enum InputFile {
  /// The content of the file at `path`, unpacked if it is gzipped, without a byte order mark. *Throws*: `InputError`.
  static func bytes(of path: String) throws -> [UInt8] {
    try checked(unpacked(path), of: path)
  }

  /// Text without its mark. *Throws*: `InputError`.
  private static func checked(_ bytes: [UInt8], of path: String) throws -> [UInt8] {
    let bytes = withoutMark(bytes)
    guard !bytes.isEmpty else { throw InputError(file: path, problem: "the file is empty") }
    if let problem = InputText.problem(bytes) { throw InputError(file: path, problem: problem) }
    return bytes
  }

  /// What a file begins with, so far as that tells its kind: a block of it. *Throws*: `InputError`.
  static func start(of path: String) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    let count = try InputBlocks(path: path).read(into: &buffer)
    return try checked(Array(buffer[..<count]), of: path)
  }

  /// The most that the given number of compressed bytes is unpacked to: tables shrink to a tenth, bombs to a
  /// thousandth.
  static func mostBytes(unpackedFrom size: Int) -> Int { max(256 << 20, 100 * size) }

  /// Without a byte order mark.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  }

  private static func unpacked(_ path: String) throws -> [UInt8] {
    let blocks = try InputBlocks(path: path)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while case let count = try blocks.read(into: &buffer), count > 0 {
      bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
  }
}
