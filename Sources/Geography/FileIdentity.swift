import Foundation

/// The identity of a file's content: device, inode, size and times. Any write changes one of them.
package struct FileIdentity: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  package let size: Int
  /// Nanoseconds since 1970, as reported by the file system.
  package let modified: Int
  package let changed: Int

  package init(_ status: stat) {
    func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec) }
    (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int(status.st_size))
    (modified, changed) = (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
  }

  /// Reads the identity of the file at `path`; nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns whether it is the same file with unchanged content.
  fileprivate func hasSameContent(as earlier: FileIdentity) -> Bool {
    (device, inode, size, modified) == (earlier.device, earlier.inode, earlier.size, earlier.modified)
  }

  /// Returns whether the file has been written to since `earlier`; a file that replaced it does not count. Safe in a
  /// signal handler.
  package func hasBeenWritten(since earlier: FileIdentity) -> Bool {
    (device, inode) == (earlier.device, earlier.inode) && (size, modified) != (earlier.size, earlier.modified)
  }
}

extension FileIdentity: CustomStringConvertible {
  /// The five values, separated by spaces.
  package var description: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}

/// A file with its identity when reading began: the data is rejected if the file has changed since.
package struct WatchedFile: Sendable {
  package let path: String
  private let identity: FileIdentity?

  /// Watches the file that is now at a path.
  package init(path: String) { self.init(path: path, FileIdentity(path: path)) }

  /// Watches a file that had this identity when it was opened.
  package init(path: String, _ identity: FileIdentity?) { (self.path, self.identity) = (path, identity) }

  /// Whether the same, unchanged file is still at its path. Owner, permissions and link count may have changed.
  package var isSame: Bool {
    switch (FileIdentity(path: path), identity) {
    case (let now?, let before?): now.hasSameContent(as: before)
    case (nil, nil): true
    default: false
    }
  }

  /// Whether the file's content is unchanged. Another file may have taken its place, which is harmless once this one is
  /// read.
  package var isUnmodified: Bool {
    guard let identity, let now = FileIdentity(path: path) else { return true }
    return !now.hasBeenWritten(since: identity)
  }

  /// The message for a changed file, as bytes that a signal handler can write.
  package static let problem: StaticString =
    "the file changed while it was being read; start again when it is complete, and replace files by renaming new ones over them"
}
