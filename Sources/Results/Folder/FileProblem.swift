import Foundation
import Geography

/// Why a file cannot be written, in the system's words instead of Foundation's.
package enum FileProblem {
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// "this is a folder", "no such folder out", "No space left on device".
  package static func reason(of error: any Error, writing path: String) -> String {
    if isFolder(path) { return "this is a folder" }
    let parent = path.folder
    if !parent.isEmpty, !FileManager.default.fileExists(atPath: parent) { return "no such folder \(parent)" }
    if !parent.isEmpty, !isFolder(parent) { return "\(parent) is not a folder" }
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(cause.code))) : cause.localizedDescription
  }
}
