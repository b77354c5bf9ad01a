import Foundation
import Geography

/// The files that networks leave in a folder: next to maps, or in a cache.
///
///     porto.osm.pbf.automobile.d4b72405eebc.network   in use
///     porto.osm.pbf.automobile.0f7d22c1a9b3.network   of an earlier map
///     porto.osm.pbf.automobile.0f7d22c1a9b3.speeds    of no network here
///
/// The program removes only files with names that it generated; other files are only listed.
package struct NetworkFolder {
  /// A file, and whether a command can use it.
  package struct Entry: Sendable {
    package let path: String
    package let bytes: Int
    package let use: Use
    /// The map's file name and the profile's name; from the file's name if it cannot be read.
    package let map: String
    package let profile: String

    package init(path: String, use: Use, map: String, profile: String) {
      (self.path, self.use, self.map, self.profile) = (path, use, map, profile)
      bytes = FileIdentity(path: path)?.size ?? 0
    }
  }

  /// Whether a file is used.
  package enum Use: Sendable, Equatable {
    case inUse(String)
    /// No command can use it any more.
    case useless(String)
    /// Not named by the program, and in an unknown format.
    case unknown(String)
  }

  package let entries: [Entry]

  /// - Parameters:
  ///   - path: A folder, or a map: then the files named after it.
  ///   - timetable: The entry of a file if it is a timetable; nil for others.
  /// - Throws: `MapError` if there is no such folder.
  package init(_ path: String, timetable: (_ path: String) -> Entry? = { _ in nil }) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw MapError(map: path, problem: "there is no such folder or map")
    }
    let folder = isFolder.boolValue ? path : path.folder.isEmpty ? "." : path.folder
    let prefix = isFolder.boolValue ? "" : (path as NSString).lastPathComponent + "."
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw MapError(map: folder, problem: "the folder cannot be read: \(reason(error))")
    }
    var reader = NetworkFolderReader(folder)
    let networks = names.filter { $0.hasSuffix(NetworkFile.suffix) }
    let known = networks.map { reader.network($0) }
    let others = names.compactMap { timetable(reader.path($0)) ?? reader.other($0, among: Set(names)) }
    entries = (known + others).filter { ($0.path as NSString).lastPathComponent.hasPrefix(prefix) }
  }

  /// The useless files.
  package var useless: [Entry] { entries.filter { if case .useless = $0.use { true } else { false } } }

  /// Removes useless files and their notes. *Throws*: `CacheError`.
  package func clean() throws {
    for entry in useless {
      guard unlink(entry.path) == 0 || errno == ENOENT else {
        throw CacheError(path: entry.path, problem: reason(POSIXError.last), action: "removed", remedy: nil)
      }
      DigestNote(of: entry.path).remove()
    }
  }
}

/// Classifies the files of a folder.
private struct NetworkFolderReader {
  let folder: String
  /// Digests of the maps next to networks; nil for missing maps.
  private var maps: [String: [UInt8]?] = [:]
  /// The origins of speeds for the networks here.
  private var contents: Set<[UInt8]> = []

  init(_ folder: String) { self.folder = folder }

  mutating func network(_ name: String) -> NetworkFolder.Entry {
    let own = KeyedName(name, NetworkFile.suffix)
    func entry(_ use: NetworkFolder.Use, _ map: String? = nil, _ profile: String? = nil) -> NetworkFolder.Entry {
      self.entry(name, use, map ?? own?.map ?? "", profile ?? own?.profile ?? "")
    }
    do {
      let file = try NetworkFile(path: path(name), check: .header)
      let (map, profile) = (try file.mapName(), try file.profile())
      contents.insert(Digest.of(Array(file.content.hexadecimal.utf8)))
      guard own != nil else { return entry(.inUse("a map by its own name"), map, profile.name) }
      switch digest(ofMap: map) {
      case file.origin.from?: return entry(.inUse("of the map next to it"), map, profile.name)
      case nil: return entry(.inUse("of a map elsewhere"), map, profile.name)
      case _?: return entry(.useless("the map next to it has changed"), map, profile.name)
      }
    } catch InvalidColumnFile.version(let found, let expected) where own != nil && found < expected {
      return entry(.useless("was written in format \(found), this version reads \(expected)"))
    } catch {
      // From another machine or a later version, damaged or foreign: left to the user.
      return entry(.unknown(reason(error)))
    }
  }

  /// The entry of a file that is not a network; nil if it is foreign.
  func other(_ name: String, among names: Set<String>) -> NetworkFolder.Entry? {
    if name.hasSuffix(DigestNote.suffix) {
      let file = String(name.dropLast(DigestNote.suffix.count))
      guard !names.contains(file), isNote(name), let own = KeyedName(file, NetworkFile.suffix) else { return nil }
      return entry(name, .useless("of a network that is not here"), own.map, own.profile)
    }
    if let own = KeyedName(name, SpeedSection.suffix) { return entry(name, use(ofSpeeds: name), own.map, own.profile) }
    guard let own = KeyedName(unfinished: name) else { return nil }
    let age = FileIdentity(path: path(name)).map { Date().timeIntervalSince1970 - Double($0.modified) / 1e9 } ?? 0
    return entry(
      name, age > 86_400 ? .useless("left by a process that was stopped") : .inUse("being written"), own.map,
      own.profile)
  }

  private func use(ofSpeeds name: String) -> NetworkFolder.Use {
    do {
      let file = try SpeedFile(path: path(name), check: .header)
      return contents.contains(file.origin.from)
        ? .inUse("of a network here") : .useless("of a network that is not here")
    } catch InvalidColumnFile.version(let found, let expected) where found < expected {
      return .useless("was written in format \(found), this version reads \(expected)")
    } catch {
      return .unknown(reason(error))
    }
  }

  private func isNote(_ name: String) -> Bool {
    FileManager.default.contents(atPath: path(name))?.starts(with: Array("odometer-verified ".utf8)) ?? false
  }

  func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }

  private func entry(_ name: String, _ use: NetworkFolder.Use, _ map: String, _ profile: String) -> NetworkFolder.Entry
  {
    NetworkFolder.Entry(path: path(name), use: use, map: map, profile: profile)
  }

  /// The digest of the map of that name in this folder; nil if there is none.
  private mutating func digest(ofMap name: String) -> [UInt8]? {
    if let known = maps[name] { return known }
    let digest = try? StreetNetwork.digest(ofMap: path(name)).0
    maps[name] = .some(digest)
    return digest
  }
}

/// `MAP.PROFILE.KEY` and an extension: a name given by the program.
private struct KeyedName {
  let map: String
  let profile: String

  init?(_ name: String, _ suffix: String) {
    guard name.hasSuffix(suffix) else { return nil }
    let words = name.dropLast(suffix.count).split(separator: ".", omittingEmptySubsequences: false)
    guard words.count > 2, let key = words.last, key.utf8.count == 12, key.allSatisfy(\.isHexDigit) else { return nil }
    (map, profile) = (words.dropLast(2).joined(separator: "."), String(words[words.count - 2]))
  }

  /// A file being written: `NAME.WORD.part`.
  init?(unfinished name: String) {
    guard name.hasSuffix(StagedFile.suffix) else { return nil }
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    let whole = words.dropLast(2).joined(separator: ".")
    guard let known = KeyedName(whole, NetworkFile.suffix) ?? KeyedName(whole, SpeedSection.suffix) else { return nil }
    self = known
  }
}
