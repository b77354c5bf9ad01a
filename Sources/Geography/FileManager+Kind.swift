import Foundation

extension FileManager {
  /// Why the file at a path cannot be read to its end, twice if need be: "a folder", "a pipe"; nil for regular files, and for
  /// none. Opening a pipe would wait for its writer.
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
}

extension FileManager {
  /// Why the file at a path, which is no regular one, is refused; nil for regular files, and for none.
  package static func irregularity(of path: String, expecting what: String) -> String? {
    irregularity(of: path).map { "this is \($0), expected \(what)" }
  }

  /// Makes a folder where there is none, and those that it is in. *Throws*: `POSIXError`.
  package static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) != 0 else { return }
    if errno == ENOENT, !path.folder.isEmpty, path.folder != path {
      try makeFolder(path.folder)
      guard mkdir(path, 0o777) != 0 else { return }
    }
    let failure = POSIXError.last
    var status = stat()
    // Also where it cannot be made, but is there: the root of a disk that is read-only.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure }
  }
}
