/// A file next to the database that grows chunk by chunk. It gets its final name only once it is complete.
package protocol ResumableFile {
  /// The final name.
  var path: String { get }
  /// The state from which it can be resumed.
  var checkpoint: Checkpoint { get }
  /// Flushes everything to disk.
  func synchronize() throws
  /// Ends the file and flushes it. Nothing may be appended afterwards.
  func finish() throws
}

extension String {
  /// The temporary name of a file while it is being written.
  package var unfinished: String { self + ".part" }
}
