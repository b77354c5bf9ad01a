import Foundation
import Geography

/// Reasons why a file cannot be written, in the system's words instead of Foundation's.
package enum FileProblem {
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Returns whether a path is a symbolic link, regardless of its target.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns a reason such as "this is a folder", "no such folder out", "No space left on device".
  package static func reason(of error: any Error, writing path: String) -> String {
    if isFolder(path) { return "this is a folder" }
    let parent = path.folder
    if !parent.isEmpty, !FileManager.default.fileExists(atPath: parent) { return "no such folder \(parent)" }
    if !parent.isEmpty, !isFolder(parent) { return "\(parent) is not a folder" }
    return POSIXError.reason(for: error)
  }
}
