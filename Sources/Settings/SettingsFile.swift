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
  private let members: [String: Setting]
  private let lines: [String: Int]

  /// Reads the file at `path`. *Throws*: `SettingsError`.
  package init(path: String) throws {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw SettingsError(file: path, problem: "no such file")
    }
    guard !isDirectory.boolValue else {
      throw SettingsError(file: path, problem: "got a folder, expected a file")
    }
    // Opening a pipe would wait for its writer.
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw SettingsError(file: path, problem: "got a pipe or a device, expected a file")
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw SettingsError(file: path, problem: "the file cannot be read; check its permissions")
    }
    // A NUL is between the texts of a profile and its base.
    guard !bytes.contains(0) else {
      throw SettingsError(file: path, problem: "got a zero byte, expected text")
    }
    try self.init(name: path, bytes: bytes)
  }

  /// Reads settings that are in memory already; `name` stands for the file in messages.
  package init(name: String, bytes: Data) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
      throw SettingsError(
        file: name, line: line.map { $0 + 1 }, problem: "got bytes that are not UTF-8; save the file as UTF-8")
    }
    let parsed: Setting
    do {
      parsed = try JSON5Parser.parse(text)
    } catch {
      throw SettingsError(file: name, line: error.line, problem: "not valid JSON5: \(error.problem)")
    }
    guard case .object(let values, let lines) = parsed else {
      throw SettingsError(file: name, problem: "got \(parsed.shown), expected { key: value, … }")
    }
    self.init(name: name, bytes: bytes, values, lines)
  }

  private init(name: String, bytes: Data, _ members: [String: Setting], _ lines: [String: Int]) {
    (self.name, self.bytes, self.members, self.lines) = (name, bytes, members, lines)
    root = SettingsObject(values: members, lines: lines, path: "", file: name)
  }

  /// This file laid over `base` as a merge patch (RFC 7396): its keys replace those of the base, objects key by key, and
  /// null takes a key away. Its bytes are both texts, with a NUL between them.
  package func patching(_ base: SettingsFile) -> SettingsFile {
    guard
      case .object(let members, let lines) = Setting.object(base.members, keyLines: base.lines).withoutLines
        .patched(with: .object(self.members, keyLines: self.lines))
    else { return self }
    return SettingsFile(name: name, bytes: bytes + [0] + base.bytes, members, lines)
  }
}

extension Setting {
  /// A base's lines are none of the file over it.
  fileprivate var withoutLines: Setting {
    guard case .object(let members, _) = self else { return self }
    return .object(members.mapValues(\.withoutLines), keyLines: [:])
  }

  fileprivate func patched(with patch: Setting) -> Setting {
    guard case .object(let changes, let changedLines) = patch else { return patch }
    var (members, lines): ([String: Setting], [String: Int]) = ([:], [:])
    if case .object(let own, let ownLines) = self { (members, lines) = (own, ownLines) }
    for (key, change) in changes {
      if case .null = change {
        members[key] = nil
      } else {
        members[key] = (members[key] ?? .null).patched(with: change)
      }
      lines[key] = changedLines[key]
    }
    return .object(members, keyLines: lines)
  }
}
