/// A file next to the database that grows chunk by chunk. It gets its final name only once it is complete.
package protocol ResumableFile {
  /// Its final name.
  var path: String { get }
  /// Where it can be resumed.
  var checkpoint: Checkpoint { get }
  /// Flushes everything to the disk.
  func synchronize() throws
  /// Ends the file and flushes it. Nothing may follow.
  func finish() throws
}

extension String {
  /// The temporary name of a file during writing.
  package var unfinished: String { self + ".part" }
}
