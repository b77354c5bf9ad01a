import Foundation

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
}

extension FileManager {
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
