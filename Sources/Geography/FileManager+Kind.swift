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
