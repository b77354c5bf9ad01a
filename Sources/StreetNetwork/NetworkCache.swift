import Foundation
import Geography

extension StreetNetwork {
  /// The network of a map under a profile: opened if it was built before, else built and kept.
  ///
  /// - Parameters:
  ///   - map: A file of OpenStreetMap data: `.osm.pbf`, `.osm`, `.osm.gz`, `.osm.bz2`.
  ///   - cache: The folder for network files; the map's own if nil.
  ///   - workers: Threads for building. The network is the same for any number.
  ///   - report: Called before a network is built, and where an invalid network file is replaced; nothing is built if it
  ///     throws. Also called after one is built, where its map lacks something.
  /// - Throws: `MapError` for the map, `CacheError` where the network file cannot be written.
  public convenience init(
    map: String, profile: Profile, cache: String? = nil, workers: Int = 1,
    report: (NetworkEvent) throws -> Void = { _ in }
  ) throws {
    try self.init(
      at: StreetNetwork.location(map: map, profile: profile, cache: cache), workers: workers, report: report)
  }

  /// The network of a map, as `init(map:profile:)` opens or builds it, off the caller's actor.
  ///
  /// - Throws: as `init(map:profile:)` does; `CancellationError` if the task is cancelled while it is built.
  @concurrent
  public static func load(
    map: String, profile: Profile, cache: String? = nil, workers: Int = 1
  ) async throws -> StreetNetwork {
    try StreetNetwork(map: map, profile: profile, cache: cache, workers: workers) { _ in try Task.checkCancellation() }
  }

  /// The network of a network file, as `init(networkFile:)` opens it, off the caller's actor.
  ///
  /// - Throws: as `init(networkFile:)` does.
  @concurrent
  public static func load(networkFile path: String) async throws -> StreetNetwork {
    try StreetNetwork(networkFile: path)
  }

  /// The network that is kept, or will be, at `location`; as `init(map:profile:)`.
  package convenience init(
    at location: NetworkLocation, workers: Int = 1, report: (NetworkEvent) throws -> Void = { _ in }
  ) throws {
    let (map, cache, path) = (location.map, location.cache, location.path)
    let profile = location.profile
    let check = ContentCheck.unlessNoted(location.note)
    let variant: @Sendable (Profile) throws -> StreetNetwork = {
      try StreetNetwork(map: map, profile: $0, cache: cache, workers: workers)
    }
    if location.isMap {
      do {
        try self.init(location.opened(check), profile: profile, cache: cache, variant: location.noVariant)
        return
      } catch {
        throw NetworkFile.problem(error, with: path)
      }
    }
    do {
      try self.init(location.opened(check), profile: profile, cache: cache, variant: variant)
      return
    } catch let error as POSIXError where error.code == .ENOENT {
      try report(.building(map: map))
    } catch {
      try report(.replacing(path: path, reason: reason(error)))
    }
    do {
      if let cache { try FileManager.makeFolder(cache) }
      let folder = path.folder
      guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else { throw POSIXError.last }
    } catch {
      throw CacheError(path: path, problem: reason(error))
    }
    try StreetNetwork.write(location, workers: workers)
    try self.init(location.opened(check), profile: profile, cache: cache, variant: variant)
    if counts.relations == 0 { try report(.lacksRelations(map: map)) }
  }

  /// Builds the network's file. Its columns are let go of before the file is opened: memory holds one or the other.
  private static func write(_ location: NetworkLocation, workers: Int) throws {
    let built = Result { try builtNetwork(from: .file(location.map), profile: location.profile, workers: workers) }
    let read = [location.mapFile].compactMap(\.self) + (location.profile.elevation?.watched ?? [])
    // Whatever came of a file that changed is of no map.
    if let changed = read.first(where: { !$0.isSame }) {
      throw MapError(map: changed.path, problem: "\(WatchedFile.problem)")
    }
    var contents = try built.get()
    contents.add(map: location.map, location.profile)
    do {
      try NetworkFile.write(contents, to: location.path, location.origin, workers: workers)
    } catch {
      throw CacheError(path: location.path, problem: reason(error))
    }
  }

  /// The network that is kept at `location`; nil where it is not built, or its file is invalid. Builds nothing.
  ///
  /// - Throws: `MapError` where the map is a network file.
  package convenience init?(opening location: NetworkLocation) throws {
    guard !location.isMap else {
      try self.init(at: location)
      return
    }
    let (map, cache) = (location.map, location.cache)
    let file = try? location.opened(.unlessNoted(location.note))
    guard let file else { return nil }
    try? self.init(file, profile: location.profile, cache: cache) {
      try StreetNetwork(map: map, profile: $0, cache: cache)
    }
  }

  /// A network of a map in memory, kept in the file at `path`: for tests.
  package convenience init(_ source: OSMSource, profile: Profile, at path: String, workers: Int = 1) throws {
    let variant: @Sendable (Profile) throws -> StreetNetwork = {
      try StreetNetwork(source, profile: $0, at: path + "-\($0.avoids.rawValue)", workers: workers)
    }
    var contents = try builtNetwork(from: source, profile: profile, workers: workers)
    contents.add(map: source.name, profile)
    let origin = ColumnOrigin(from: Digest.of(Array(source.name.utf8)), with: Digest.of(profile.bytes))
    try NetworkFile.write(contents, to: path, origin)
    try self.init(NetworkFile(path: path, origin), profile: profile, variant: variant)
  }

  /// Where the network of a map is kept: reads the whole map for its digest, unless that is noted. *Throws*: `MapError`.
  package static func location(map: String, profile: Profile, cache: String? = nil) throws -> NetworkLocation {
    let digest = Digest.of(profile.bytes)
    if isNetworkFile(map) {
      let origin = try NetworkFile.reading(map) { try NetworkFile(path: map, check: .header).origin }
      guard origin.with == digest else {
        throw MapError(
          map: map, problem: "the network file was built with another profile than \(profile.name) as it is here")
      }
      return NetworkLocation(map: map, profile: profile, cache: cache, path: map, origin: origin, isMap: true)
    }
    let (mapDigest, mapFile) = try StreetNetwork.digest(ofMap: map, cache: cache)
    let origin = ColumnOrigin(from: mapDigest, with: digest)
    let name = networkName(map: map, profile: profile, origin)
    let folder = cache ?? map.folder
    return NetworkLocation(
      map: map, profile: profile, cache: cache, path: folder.isEmpty ? name : "\(folder)/\(name)", origin: origin,
      mapFile: mapFile)
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
  let origin: ColumnOrigin
  /// The map, as it was when its digest was computed; nil for a network file.
  package var mapFile: WatchedFile?
  /// Whether it is the map itself: a network file that is named as one, and never built.
  var isMap = false

  /// The SHA-256 of the map.
  package var mapDigest: String { origin.from.hexadecimal }
  /// The SHA-256 of the profile.
  package var profileDigest: String { origin.with.hexadecimal }

  /// Where what is known of its content is noted.
  var note: DigestNote { DigestNote(of: path, in: isMap ? cache : nil) }

  /// The same network in a file of another name.
  func kept(at path: String) -> NetworkLocation {
    NetworkLocation(map: map, profile: profile, cache: nil, path: path, origin: origin, mapFile: mapFile)
  }

  func opened(_ check: ContentCheck) throws -> NetworkFile { try NetworkFile(path: path, origin, check: check) }

  /// Of a network file there is no other network.
  fileprivate var noVariant: @Sendable (Profile) throws -> StreetNetwork {
    { [path, avoids = profile.avoids] other in
      throw MapError(
        map: path,
        problem: "the network file was built to avoid \(avoids.words), but trips are to avoid \(other.avoids.words); "
          + "name its map, or a network file that was built so")
    }
  }
}

/// What happens to a network file, as one sentence.
public enum NetworkEvent: Sendable, CustomStringConvertible {
  /// The network of `map` is built for the first time.
  case building(map: String)
  /// The file at `path` cannot be used and is built again.
  case replacing(path: String, reason: String)
  /// `map`, whose network was built, has ways but not one relation.
  case lacksRelations(map: String)

  /// Whether a network is built after it.
  package var precedesBuilding: Bool { if case .lacksRelations = self { false } else { true } }

  /// The event, as one sentence.
  public var description: String {
    switch self {
    case .building(let map): "building the network of \(map), once"
    case .replacing(let path, let reason): "\(path): the network file \(reason); rebuilding it"
    case .lacksRelations(let map): "\(map) has ways but no relations: \(StreetNetwork.withoutRelations)"
    }
  }
}

/// Why a network file, or one next to it, could not be written, as one sentence.
public struct CacheError: Error, CustomStringConvertible, CausedError {
  package var cause: ErrorCause { .output }
  /// The file.
  public var path: String
  /// What went wrong.
  public var problem: String
  /// What it is.
  var kind = "network"
  /// "removed".
  var action = "written"
  var remedy: String? = "name another folder with --cache"
  /// File, problem and remedy.
  public var description: String {
    "\(path): the \(kind) file cannot be \(action): \(problem)\(remedy.map { "; \($0)" } ?? "")"
  }
}

extension CacheError {
  /// Of a file of a kind that cannot be written for a reason.
  package init(path: String, kind: String, reason: any Error) {
    self.init(path: path, problem: POSIXError.reason(of: reason), kind: kind)
  }
}

/// `MAP.PROFILE.KEY.network`: the key names the content of map and profile and the format's version, so that networks of an
/// edited map or profile live side by side.
func networkName(map: String, profile: Profile, _ origin: ColumnOrigin) -> String {
  let key = Digest.of(origin.from + origin.with + [UInt8(NetworkSection.format.version)]).hexadecimal.prefix(12)
  return "\((map as NSString).lastPathComponent).\(profile.name).\(key)\(NetworkFile.suffix)"
}

extension NetworkFile.Contents {
  /// What makes the file a map by itself.
  fileprivate mutating func add(map: String, _ profile: Profile) {
    add(.profile, Array(profile.text))
    add(.avoids, [profile.avoids.rawValue])
    add(.mapName, Array((map as NSString).lastPathComponent.utf8))
  }
}

extension StreetNetwork {
  /// SHA-256 of a map. Where the file is as it was when it was read last, a note says it.
  static func digest(ofMap map: String, cache: String? = nil) throws -> ([UInt8], of: WatchedFile) {
    do {
      let digest = try Digest.noted(of: map, in: cache)
      guard digest.0 != Digest.of([UInt8]()) else { throw MapError(map: map, problem: "the file is empty") }
      return digest
    } catch let error as POSIXError {
      switch error.code {
      case .ENOENT:
        throw MapError(
          map: map, problem: "there is no such map; expected an .osm.pbf, .osm, .osm.gz, .osm.bz2 or .network")
      default:
        throw MapError(
          map: map,
          problem: FileManager.irregularity(of: map, expecting: "a map") ?? "the map cannot be read: \(reason(error))")
      }
    }
  }
}

func reason(_ error: any Error) -> String {
  POSIXError.reason(of: error)
}

extension CacheError: LocalizedError {
  /// File and problem.
  public var errorDescription: String? { description }
}
