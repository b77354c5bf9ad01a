/// A file beside the database that grows chunk by chunk. While it grows it has another name: what looks whole is whole.
protocol GrowingFile {
  /// Its name when it is whole.
  var path: String { get }
  /// Where it can be gone on with.
  var mark: FileMark { get }
  /// Returns when all that was written has reached the disk.
  func synchronize() throws
  /// Ends the file, on the disk. Nothing may follow.
  func finish() throws
}

/// How far a file has come: what must be known to go on with it.
struct FileMark: Hashable {
  /// Bytes of the file.
  var end: Int
  /// Length and checksum of its text, where that is compressed; else the file's own.
  var length: Int
  var crc32: UInt32
}
