/// A file next to the database that grows chunk by chunk. It gets its final name only once it is complete.
package protocol ResumableFile {
  /// Its final name.
  var path: String { get }
  /// Where it can be resumed.
  var checkpoint: Checkpoint { get }
  /// Returns when all that was written has reached the disk.
  func synchronize() throws
  /// Ends the file, on the disk. Nothing may follow.
  func finish() throws
}

extension String {
  /// A file's name while it is being written.
  package var unfinished: String { self + ".part" }
}
