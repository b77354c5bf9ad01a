import Foundation

/// A file that a command writes whole or not at all, and only over a file of the same kind: a page, metrics, GeoJSON.
package struct WrittenFile {
  private let path: String
  private let kind: Kind
  /// The path as it is shown to the user.
  private let shown: String

  package enum Kind: String, Sendable {
    case page = "the report", metrics, coverage = "the coverage file", problems = "the problem points"

    /// How a file of the kind starts, by which the program recognises its own.
    fileprivate var start: String {
      switch self {
      case .page: "<!DOCTYPE html>"
      case .metrics: "# HELP odometer_"
      case .coverage: "{\n  \"type\": \"MultiPolygon\""
      case .problems: "{\"type\":\"FeatureCollection\",\"features\":["
      }
    }
  }

  package init(_ path: String, _ kind: Kind, shown: String? = nil) {
    (self.path, self.kind, self.shown) = (path, kind, shown ?? path)
  }

  /// Refuses to replace a file of another kind: an input, a map, results. *Throws*: `ResultsError`.
  package func check() throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return }
    let file = FileHandle(forReadingAtPath: path)
    let start = try? file?.read(upToCount: kind.start.utf8.count)
    guard start != Data(kind.start.utf8) else { return }
    throw error("this is another file, which \(kind.rawValue) would replace; name another one")
  }

  /// Writes the file under a name of its own, which it keeps until it is complete and on the disk. *Throws*: `ResultsError`.
  package func write(_ text: some ContiguousBytes) throws {
    try check()
    // Not Foundation's atomic writing: a hidden file would stay if that is killed.
    let part = path.hasSuffix(".part") ? path : path + ".part"
    do {
      try Data().write(to: URL(fileURLWithPath: part))
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: part))
      try file.write(contentsOf: text.withUnsafeBytes { Data($0) })
      try file.synchronize()
      try file.close()
      guard part == path || rename(part, path) == 0 else {
        let code = POSIXErrorCode(rawValue: errno) ?? .EIO
        unlink(part)
        throw POSIXError(code)
      }
    } catch let failure {
      throw error("\(kind.rawValue) cannot be written: \(FileProblem.reason(of: failure, writing: shown))")
    }
  }

  private func error(_ problem: String) -> ResultsError { ResultsError(path: shown, problem: problem, cause: .output) }
}
