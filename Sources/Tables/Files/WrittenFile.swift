import Foundation
import Geography

/// A file that a command writes atomically, and only over a file of the same kind: a page, metrics, GeoJSON.
package struct WrittenFile: Sendable {
  private let path: String
  private let kind: Kind
  /// The path as shown to the user.
  private let displayPath: String

  package enum Kind: String, Sendable {
    case page = "the report", metrics, coverage = "the coverage file", problems = "the problem points"
    case network = "the network file", index = "the list of runs", feed = "the feed"
    case card = "the picture"

    /// The prefix of files of this kind, and a string near their start, used to recognize the program's own files.
    fileprivate var signature: (start: String, text: String) {
      switch self {
      case .page: ("<!DOCTYPE html>", "<meta name=\"generator\" content=\"odometer ")
      case .metrics: ("# HELP odometer_", "")
      case .coverage: ("{\n  \"type\": \"MultiPolygon\"", "")
      case .problems: ("{\"type\":\"FeatureCollection\",\"features\":[", "\"snap_distance\":")
      case .network: ("ODOMETER", "")
      case .index: ("{\"generator\":\"odometer index\"", "")
      case .card: ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\"", "<!-- generator: odometer ")
      case .feed: ("<?xml version=\"1.0\"", "<id>urn:odometer:")
      }
    }
  }

  package init(_ path: String, _ kind: Kind, displayPath: String? = nil) {
    (self.path, self.kind, self.displayPath) = (path, kind, displayPath ?? path)
  }

  /// Checks that the path is free or holds a file of the same kind, not an input, a map or results. *Throws*:
  /// `ResultsError`.
  package func check() throws {
    if let problem = FileManager.irregularity(of: path, expecting: "a file") {
      throw error("\(problem); choose another path")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard lstat(path, &status) == 0 else { return }
      throw error("this is a dangling symbolic link; choose another path")
    }
    guard status.st_size > 0 else { return }
    let (start, text) = kind.signature
    let head = (try? FileHandle(forReadingAtPath: path)?.read(upToCount: 65_536)) ?? Data()
    // A collection without points ends after its start.
    let isEmpty = head.count < start.utf8.count + 6
    let hasText = text.isEmpty || isEmpty || head.range(of: Data(text.utf8)) != nil
    guard head.starts(with: start.utf8), hasText else {
      throw error("this is a different kind of file, which \(kind.rawValue) would overwrite; choose another path")
    }
  }

  /// Writes the file under a temporary name and renames it once it is on disk. *Throws*: `ResultsError`.
  package func write(_ text: some ContiguousBytes) throws {
    try check()
    do {
      // Files of unfinished results are written directly: their names already have this suffix, which identifies the
      // leftovers of a run.
      guard !path.hasSuffix(StagedFile.suffix) else {
        let file = try OutputFile(path: path)
        try text.withUnsafeBytes(file.write)
        return try file.synchronize()
      }
      let file = try StagedFile(path)
      try text.withUnsafeBytes { try file.write($0) }
      try file.finish()
    } catch let failure as POSIXError {
      throw error("\(kind.rawValue) cannot be written: \(FileProblem.reason(of: failure, writing: displayPath))")
    }
  }

  private func error(_ problem: String) -> ResultsError {
    ResultsError(path: displayPath, problem: problem, cause: .output)
  }
}

/// Reasons why a file cannot be written, in plain words or the system's instead of Foundation's.
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

/// The provenance of results, included in all output.
package struct Provenance: Sendable {
  package var version: String
  /// The map's file name, and the timestamp of its data (ISO 8601; empty if the map does not have one).
  package var map: String
  package var mapDate: String
  package var profile: String

  package init(version: String, map: String, mapDate: String, profile: String) {
    (self.version, self.map, self.mapDate, self.profile) = (version, map, mapDate, profile)
  }

  private var pairs: [(String, String)] {
    [("version", version), ("map", map), ("map_date", mapDate), ("profile", profile)]
  }

  /// The provenance as a JSON object.
  package var json: String {
    var text = TextBuffer()
    text.append("{")
    for (key, value) in pairs { text.member(key, value) }
    text.append("}")
    return text.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}

package func lastPathComponent(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
