import Foundation

/// Which file a path leads to, and since when it has been as it is: any change of its bytes changes one of these.
package struct FileIdentity: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  package let size: Int
  /// Nanoseconds since 1970, by the file system's clock.
  package let modified: Int
  package let changed: Int

  package init(_ status: stat) {
    func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec) }
    (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int(status.st_size))
    (modified, changed) = (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
  }

  /// Of the file at `path`; nil where there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether it is the same file, and nobody has written to it.
  fileprivate func hasContent(of earlier: FileIdentity) -> Bool {
    (device, inode, size, modified) == (earlier.device, earlier.inode, earlier.size, earlier.modified)
  }

  /// Whether somebody has written to the file since it was as `earlier`. A file that took its place does not count. Safe in a
  /// signal handler.
  package func isWritten(since earlier: FileIdentity) -> Bool {
    (device, inode) == (earlier.device, earlier.inode) && (size, modified) != (earlier.size, earlier.modified)
  }
}

extension FileIdentity: CustomStringConvertible {
  /// Five numbers.
  package var description: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}

/// A file as it was when reading began: what was read is refused if the file has changed since.
package struct WatchedFile: Sendable {
  package let path: String
  private let identity: FileIdentity?

  /// The file that is at a path now.
  package init(path: String) { self.init(path: path, FileIdentity(path: path)) }

  /// The file that had this identity when it was opened by its path.
  package init(path: String, _ identity: FileIdentity?) { (self.path, self.identity) = (path, identity) }

  /// Whether the same file is at its path, as it was: nothing was written to it, and no other file took its place. Its owner,
  /// rights and number of links may have changed.
  package var isSame: Bool {
    switch (FileIdentity(path: path), identity) {
    case (let now?, let before?): now.hasContent(of: before)
    case (nil, nil): true
    default: false
    }
  }

  /// Whether nobody has written to it. Another file may have taken its place, which does no harm once this one is read.
  package var isUnwritten: Bool {
    guard let identity, let now = FileIdentity(path: path) else { return true }
    return !now.isWritten(since: identity)
  }

  /// Why a file that has changed is refused, in bytes that a signal handler can write.
  package static let problem: StaticString =
    "the file changed while it was read; start again when it is complete, and replace files by renaming new ones"
}
