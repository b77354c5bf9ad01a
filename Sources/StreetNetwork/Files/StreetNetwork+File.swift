import Foundation
import Geography
import Settings

/// A network file can be used as a map: it contains the text of its profile.
extension StreetNetwork {
  /// Opens a network file independently of its map.
  ///
  /// - Parameter cache: The folder for derived files; the network file's folder if nil.
  /// - Throws: `OdometerError` if the file cannot be used: without its map, it cannot be rebuilt.
  public convenience init(networkFile: String, cache: String? = nil) throws {
    let profile = try StreetNetwork.profile(ofNetworkFile: networkFile)
    try self.init(at: StreetNetwork.location(map: networkFile, profile: profile, cache: cache))
  }

  /// Returns whether a map is a network file, judging by its name or its first bytes.
  package static func isNetworkFile(_ map: String) -> Bool {
    if map.hasSuffix(NetworkFile.suffix) { return true }
    guard FileManager.irregularity(of: map) == nil, let file = FileHandle(forReadingAtPath: map) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 8))?.elementsEqual(NetworkSection.format.magic.utf8) == true
  }

  /// Returns the profile that a network file was built with. *Throws*: `OdometerError`.
  package static func profile(ofNetworkFile path: String) throws -> Profile {
    try NetworkFile.reading(path) { try NetworkFile(path: path, check: .header).profile() }
  }
}

extension NetworkFile {
  static let suffix = ".network"

  /// Returns the profile that the network was built with.
  func profile() throws -> Profile {
    let text = try Data(column(.profile, of: UInt8.self))
    let avoids = try column(.avoids, of: UInt8.self)
    guard avoids.count == 1,
      let profile = try? Profile(name: "profile of \(path)", text: text, avoiding: .init(rawValue: avoids[0])),
      Digest.of(profile.bytes) == origin.inputs
    else { throw InvalidColumnFile.corrupt }
    return profile
  }

  /// Runs `body`, which reads the network file at `path` as a map, and converts its errors. *Throws*: `OdometerError`.
  static func reading<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      throw problem(error, with: path)
    }
  }

  /// Converts an error from reading the network file at `path` to an `OdometerError`.
  static func problem(_ error: any Error, with path: String) -> any Error {
    switch error {
    case let error as POSIXError where error.code == .ENOENT:
      OdometerError(file: path, problem: "there is no such network file")
    case let error as POSIXError where error.code == .EISDIR:
      OdometerError(file: path, problem: "this is a folder, expected a network file")
    case let error as POSIXError:
      OdometerError(file: path, problem: "the network file cannot be read: \(reason(error))")
    case let error as InvalidColumnFile: OdometerError(file: path, problem: "\(error.subject)\(error); \(error.advice)")
    default: error
    }
  }
}

extension InvalidColumnFile {
  /// The subject of the message: "it" for files that are not network files at all.
  fileprivate var subject: String { if case .foreign = self { "it " } else { "the network file " } }

  /// Advice if the network file was to be used as a map.
  fileprivate var advice: String {
    switch self {
    case .foreign(_, isExtract: true): "rename it to end in .osm.pbf"
    case .foreign: "create one with odometer network build MAP --output FILE"
    case .version: "build it again from its map, or use the version that built it"
    case .byteOrder: "build it on this machine"
    case .otherOrigin, .corrupt, .missingColumn, .invalid: "copy it again, or build it again from its map"
    }
  }
}

extension Profile.Avoidance {
  /// The avoided roads as text: "tolls and highways".
  package var words: String {
    let words = [contains(.tolls) ? "tolls" : nil, contains(.highways) ? "highways" : nil].compactMap(\.self)
    return words.isEmpty ? "nothing" : words.joined(separator: " and ")
  }
}
