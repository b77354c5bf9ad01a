import Foundation

/// A JSON5 file that a person writes (a profile, a job), read key by key.
///
///     let file = try SettingsFile(path: "jobs/etas.json5")
///     let map = try file.root.string("map")
///     try file.root.finish()                          // throws where there is a key that was not read
///
/// Every error is a `SettingsError`: file, line, key, what it got and what it expected.
package struct SettingsFile {
  package let name: String
  package let bytes: Data
  package let root: SettingsObject

  /// Reads the file at `path`. *Throws*: `SettingsError`.
  package init(path: String) throws {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw SettingsError(file: path, problem: "no such file")
    }
    guard !isDirectory.boolValue else {
      throw SettingsError(file: path, problem: "got a folder, expected a file")
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw SettingsError(file: path, problem: "the file cannot be read; check its permissions")
    }
    try self.init(name: path, bytes: bytes)
  }

  /// Reads settings that are in memory already; `name` stands for the file in messages.
  package init(name: String, bytes: Data) throws {
    self.name = name
    self.bytes = bytes
    let parsed: Setting
    do {
      parsed = try JSON5Parser.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw SettingsError(file: name, line: error.line, problem: "not valid JSON5: \(error.problem)")
    }
    guard case .object(let values, let lines) = parsed else {
      throw SettingsError(file: name, problem: "got \(parsed.shown), expected { key: value, … }")
    }
    root = SettingsObject(values: values, lines: lines, path: "", file: name)
  }
}
