import Foundation
import Geography

extension StreetNetwork {
  /// The network of a map under a profile: opened if it was built before, else built and kept.
  ///
  /// - Parameters:
  ///   - map: A file of OpenStreetMap data: `.osm.pbf`, `.osm`, `.osm.gz`, `.osm.bz2`.
  ///   - cache: The folder for network files; the map's own if nil.
  ///   - workers: Threads for building. The network is the same for any number.
  ///   - isCustomized: Whether a network that is built gets its hierarchy from an order and weights: ready several times
  ///     as soon, answers the same, some 15 % larger.
  ///   - report: Called before a network is built, and where an invalid network file is replaced.
  /// - Throws: `MapError` for the map, `CacheError` where the network file cannot be written.
  public convenience init(
    map: String, profile: Profile, cache: String? = nil, workers: Int = 1, isCustomized: Bool = false,
    report: (NetworkEvent) -> Void = { _ in }
  ) throws {
    try self.init(
      at: StreetNetwork.location(map: map, profile: profile, cache: cache), workers: workers,
      isCustomized: isCustomized, report: report)
  }

  /// The network that is kept, or will be, at `location`; as `init(map:profile:)`.
  package convenience init(
    at location: NetworkLocation, workers: Int = 1, isCustomized: Bool = false,
    report: (NetworkEvent) -> Void = { _ in }
  ) throws {
    let (map, cache, path) = (location.map, location.cache, location.path)
    let profile = location.profile
    let variant: @Sendable (Profile) throws -> StreetNetwork = {
      try StreetNetwork(map: map, profile: $0, cache: cache, workers: workers)
    }
    do {
      try self.init(NetworkFile(path: path, location.origin), profile: profile, variant: variant)
      return
    } catch let error as POSIXError where error.code == .ENOENT {
      report(.building(map: map))
    } catch {
      report(.replacing(path: path, reason: reason(error)))
    }
    do {
      if let cache { try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true) }
      let folder = (path as NSString).deletingLastPathComponent
      guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else { throw POSIXError(.EACCES) }
    } catch {
      throw CacheError(path: path, problem: reason(error))
    }
    try StreetNetwork.write(location, workers: workers, isCustomized: isCustomized)
    try self.init(NetworkFile(path: path, location.origin), profile: profile, variant: variant)
  }

  /// Builds the network's file. Its columns are let go of before the file is opened: memory holds one or the other.
  private static func write(_ location: NetworkLocation, workers: Int, isCustomized: Bool) throws {
    let contents = try builtNetwork(
      from: .file(location.map), profile: location.profile, workers: workers, isCustomized: isCustomized)
    do {
      try NetworkFile.write(contents, to: location.path, location.origin)
    } catch {
      throw CacheError(path: location.path, problem: reason(error))
    }
  }

  /// The network that is kept at `location`; nil where it is not built, or its file is invalid. Builds nothing.
  package convenience init?(opening location: NetworkLocation) {
    let (map, cache) = (location.map, location.cache)
    let file = try? NetworkFile(path: location.path, location.origin)
    guard let file else { return nil }
    try? self.init(file, profile: location.profile) { try StreetNetwork(map: map, profile: $0, cache: cache) }
  }

  /// A network of a map in memory, kept in the file at `path`: for tests.
  package convenience init(_ source: OSMSource, profile: Profile, at path: String, workers: Int = 1) throws {
    let variant: @Sendable (Profile) throws -> StreetNetwork = {
      try StreetNetwork(source, profile: $0, at: path + "-\($0.avoids.rawValue)", workers: workers)
    }
    let contents = try builtNetwork(from: source, profile: profile, workers: workers)
    let origin = ColumnOrigin(from: Digest.of(Array(source.name.utf8)), with: Digest.of(profile.bytes))
    try NetworkFile.write(contents, to: path, origin)
    try self.init(NetworkFile(path: path, origin), profile: profile, variant: variant)
  }

  /// Where the network of a map is kept: reads the whole map for its digest. *Throws*: `MapError`.
  package static func location(map: String, profile: Profile, cache: String? = nil) throws -> NetworkLocation {
    let origin = ColumnOrigin(from: try digest(ofMap: map), with: Digest.of(profile.bytes))
    let path = networkPath(map: map, profile: profile, origin, cache: cache)
    return NetworkLocation(map: map, profile: profile, cache: cache, path: path, origin: origin)
  }

  /// The path of the network file of a map.
  ///
  /// - Throws: `MapError` where the map cannot be read.
  public static func path(map: String, profile: Profile, cache: String? = nil) throws -> String {
    try location(map: map, profile: profile, cache: cache).path
  }
}

/// Where the network of a map under a profile is kept, whether it is built or not.
package struct NetworkLocation: Sendable {
  let map: String
  let profile: Profile
  let cache: String?
  package let path: String
  fileprivate let origin: ColumnOrigin
}

/// What happens to a network file, as one sentence.
public enum NetworkEvent: Sendable, CustomStringConvertible {
  /// The network of `map` is built for the first time.
  case building(map: String)
  /// The file at `path` cannot be used and is built again.
  case replacing(path: String, reason: String)

  /// The event, as one sentence.
  public var description: String {
    switch self {
    case .building(let map): "building the network of \(map), once"
    case .replacing(let path, let reason): "\(path): the network file \(reason); rebuilding it"
    }
  }
}

/// Why a network file, or one next to it, could not be written, as one sentence.
public struct CacheError: Error, CustomStringConvertible {
  /// The file.
  public var path: String
  /// What went wrong.
  public var problem: String
  /// What it is.
  var kind = "network"
  /// File, problem and remedy.
  public var description: String {
    "\(path): the \(kind) file cannot be written: \(problem); name another folder with --cache"
  }
}

/// `FOLDER/MAP.PROFILE.KEY.network`: the key names the content of map and profile and the format's version, so that
/// networks of an edited map or profile live side by side.
private func networkPath(map: String, profile: Profile, _ origin: ColumnOrigin, cache: String?) -> String {
  let key = Digest.of(origin.from + origin.with + [UInt8(NetworkSection.format.version)]).hexadecimal.prefix(12)
  let folder = cache ?? (map as NSString).deletingLastPathComponent
  let file = "\((map as NSString).lastPathComponent).\(profile.name).\(key).network"
  return folder.isEmpty ? file : "\(folder)/\(file)"
}

private func digest(ofMap map: String) throws -> [UInt8] {
  do {
    let digest = try Digest.of(file: map)
    guard digest != Digest.of([]) else { throw MapError(map: map, problem: "the file is empty") }
    return digest
  } catch let error as POSIXError {
    switch error.code {
    case .ENOENT:
      throw MapError(map: map, problem: "there is no such map; expected an .osm.pbf, .osm, .osm.gz or .osm.bz2")
    case .EISDIR: throw MapError(map: map, problem: "this is a folder; expected a map")
    default: throw MapError(map: map, problem: "the map cannot be read: \(reason(error))")
    }
  }
}

func reason(_ error: any Error) -> String {
  switch error {
  case let error as POSIXError: String(cString: strerror(error.code.rawValue))
  case let error as InvalidColumnFile: error.description
  default: (error as NSError).localizedDescription
  }
}
