/// A file next to the database that grows chunk by chunk. It gets its final name only once it is complete.
protocol ResumableFile {
  /// Its final name.
  var path: String { get }
  /// Where it can be resumed.
  var checkpoint: Checkpoint { get }
  /// Returns when all that was written has reached the disk.
  func synchronize() throws
  /// Ends the file, on the disk. Nothing may follow.
  func finish() throws
}

/// How far a file has come: what must be known to resume it.
struct Checkpoint: Hashable {
  /// Bytes of the file.
  var end: Int
  /// Length and checksum of its text, where that is compressed; else the file's own.
  var length: Int
  var crc32: UInt32
}
