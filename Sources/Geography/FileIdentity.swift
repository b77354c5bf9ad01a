import Foundation

/// Which file a path leads to, and since when it has been as it is: any change of its bytes changes one of these.
struct FileIdentity: Equatable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  /// Nanoseconds since 1970, by the file system's clock.
  let modified: Int
  let changed: Int

  init(_ status: stat) {
    func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec) }
    (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int(status.st_size))
    (modified, changed) = (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
  }

  /// Of the file at `path`; nil where there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

extension FileIdentity: CustomStringConvertible {
  /// Five numbers.
  var description: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}
