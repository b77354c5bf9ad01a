import Foundation

/// The identity of a file's content: device, inode, size and times. Any write changes one of them.
package struct FileIdentity: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  package let size: Int
  /// The time of the last write, in nanoseconds since 1970, as reported by the file system.
  package let modified: Int
  /// The time of the last change to the content, owner, permissions or link count, in nanoseconds since 1970.
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

  /// Opens a file for reading; the caller closes it. *Throws*: `POSIXError`, with `EISDIR` for a folder, and `ESPIPE`
  /// for a pipe, a socket or a device.
  package static func opened(_ path: String) throws -> (file: Int32, identity: FileIdentity) {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw POSIXError.last }
    var status = stat()
    let failure: POSIXError? =
      if fstat(file, &status) != 0 {
        .last
      } else {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: POSIXError(.EISDIR)
        default: POSIXError(.ESPIPE)
        }
      }
    guard let failure else { return (file, FileIdentity(status)) }
    close(file)
    throw failure
  }

  fileprivate func hasSameContent(as earlier: FileIdentity) -> Bool {
    (device, inode, size, modified) == (earlier.device, earlier.inode, earlier.size, earlier.modified)
  }

  /// Returns whether the file with the identity `earlier` has been written to since then; false if another file has
  /// replaced it. Safe in a signal handler.
  package func hasBeenWritten(since earlier: FileIdentity) -> Bool {
    (device, inode) == (earlier.device, earlier.inode) && (size, modified) != (earlier.size, earlier.modified)
  }
}

extension FileIdentity: CustomStringConvertible {
  /// The five values, separated by spaces.
  package var description: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}

/// A file and its identity when reading began. The data is rejected if the file has changed since.
package struct WatchedFile: Sendable {
  package let path: String
  private let identity: FileIdentity?

  /// Watches the file that is now at a path.
  package init(path: String) { self.init(path: path, FileIdentity(path: path)) }

  /// Watches a file that had the given identity when it was opened. `identity` is nil if there was no file.
  package init(path: String, _ identity: FileIdentity?) { (self.path, self.identity) = (path, identity) }

  /// Whether the same, unchanged file is still at its path. Owner, permissions and link count may have changed.
  package var isSame: Bool {
    switch (FileIdentity(path: path), identity) {
    case (let now?, let before?): now.hasSameContent(as: before)
    case (nil, nil): true
    default: false
    }
  }

  /// Whether the file's content is unchanged. Another file may have taken its place, which is harmless once this one
  /// has been read.
  package var isUnmodified: Bool {
    guard let identity, let now = FileIdentity(path: path) else { return true }
    return !now.hasBeenWritten(since: identity)
  }

  /// The message for a changed file, as bytes that a signal handler can write.
  package static let problem: StaticString =
    "the file changed while it was being read; start again when it is complete, and replace files by renaming new ones over them"
}

extension FileManager {
  /// Returns the kind of a file that cannot be read completely or repeatedly, such as "a pipe"; nil for regular and
  /// missing files. Does not open the file: opening a pipe would wait for its writer.
  package static func irregularity(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// Returns the reason for rejecting a file that is not regular; nil for regular and missing files.
  package static func irregularity(of path: String, expecting expectation: String) -> String? {
    irregularity(of: path).map { "this is \($0), expected \(expectation)" }
  }

  /// Creates a folder and its parents if they are missing. *Throws*: `POSIXError`.
  package static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) != 0 else { return }
    if errno == ENOENT, !path.folder.isEmpty, path.folder != path {
      try makeFolder(path.folder)
      guard mkdir(path, 0o777) != 0 else { return }
    }
    let failure = POSIXError.last
    var status = stat()
    // Ignores the error if the folder exists, for example, if it is the root of a read-only disk.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure }
  }
}

extension POSIXError {
  /// The error of the last system call.
  package static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// Returns the system's message for a failed read or write, such as "No space left on device", instead of
  /// Foundation's. Odometer's errors keep their messages.
  package static func reason(for error: any Error) -> String {
    if let error = error as? POSIXError { return message(for: error.code) }
    guard error is CocoaError || type(of: error) == NSError.self else { return "\(error)" }
    let error = error as NSError
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
    if cause.domain == NSPOSIXErrorDomain { return message(for: POSIXErrorCode(rawValue: Int32(cause.code)) ?? .EIO) }
    let code: POSIXErrorCode =
      switch CocoaError.Code(rawValue: cause.code) {
      case .fileNoSuchFile, .fileReadNoSuchFile: .ENOENT
      case .fileReadNoPermission, .fileWriteNoPermission: .EACCES
      case .fileWriteFileExists: .EEXIST
      case .fileWriteOutOfSpace: .ENOSPC
      case .fileWriteVolumeReadOnly: .EROFS
      case .fileReadInvalidFileName, .fileWriteInvalidFileName: .EINVAL
      case .fileReadTooLarge: .EFBIG
      default: .EIO
      }
    return message(for: code)
  }

  private static func message(for code: POSIXErrorCode) -> String {
    // The system's message is "Illegal seek".
    code == .ESPIPE ? "this is a pipe or a device" : String(cString: strerror(code.rawValue))
  }
}
