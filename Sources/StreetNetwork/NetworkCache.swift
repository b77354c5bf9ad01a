import Foundation
import Geography

extension StreetNetwork {
  /// Opens the network of a map for a profile; builds and stores it if necessary.
  ///
  /// - Parameters:
  ///   - map: A file of OpenStreetMap data: `.osm.pbf`, `.osm`, `.osm.gz`, `.osm.bz2`.
  ///   - cache: The folder for network files; the map's folder if nil.
  ///   - workers: The number of threads for building. It does not affect the network.
  ///   - report: Called before a network is built, and if an invalid network file is replaced; nothing is built if
  ///     `report` throws. Also called after the build if the map lacks something.
  /// - Throws: `OdometerError`, also if the network file cannot be written.
  public convenience init(
    map: String, profile: Profile, cache: String? = nil, workers: Int = 1,
    report: (NetworkEvent) throws -> Void = { _ in }
  ) throws {
    try self.init(
      at: StreetNetwork.location(map: map, profile: profile, cache: cache), workers: workers, report: report)
  }

  /// Opens or builds the network of a map, as `init(map:profile:)` does, off the caller's actor.
  ///
  /// - Throws: The same errors as `init(map:profile:)`; `CancellationError` if the task is cancelled during the build.
  @concurrent
  public static func load(
    map: String, profile: Profile, cache: String? = nil, workers: Int = 1
  ) async throws -> StreetNetwork {
    try StreetNetwork(map: map, profile: profile, cache: cache, workers: workers) { _ in try Task.checkCancellation() }
  }

  /// Opens a network file, as `init(networkFile:)` does, off the caller's actor.
  ///
  /// - Throws: The same errors as `init(networkFile:)`.
  @concurrent
  public static func load(networkFile path: String) async throws -> StreetNetwork {
    try StreetNetwork(networkFile: path)
  }

  /// Opens or builds the network at `location`, as `init(map:profile:)` does.
  package convenience init(
    at location: NetworkLocation, workers: Int = 1, report: (NetworkEvent) throws -> Void = { _ in }
  ) throws {
    let (map, cache, path) = (location.map, location.cache, location.path)
    let profile = location.profile
    let check = ContentCheck.unlessNoted(location.note)
    let built: @Sendable (Profile) throws -> StreetNetwork = {
      try StreetNetwork(map: map, profile: $0, cache: cache, workers: workers)
    }
    let variant = location.isMap ? location.noVariant : built
    do {
      try self.init(location.opened(check), profile: profile, cache: cache, variant: variant)
      return
    } catch  where location.isMap {
      throw NetworkFile.problem(error, with: path)
    } catch let error as POSIXError where error.code == .ENOENT {
      try report(.building(map: map))
    } catch let error as OdometerError {
      throw error
    } catch {
      try report(.replacing(path: path, reason: NetworkFile.predicate(for: error)))
    }
    do {
      if let cache { try FileManager.makeFolder(cache) }
      let folder = path.folder
      guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else { throw POSIXError.last }
    } catch {
      throw OdometerError.unwritable(path, error, remedy: location.remedy)
    }
    try StreetNetwork.write(location, workers: workers)
    try self.init(location.opened(check), profile: profile, cache: cache, variant: variant)
    if counts.relations == 0 { try report(.lacksRelations(map: map)) }
  }

  /// Builds the network file. The built columns are freed before the file is opened, so that memory never holds both.
  private static func write(_ location: NetworkLocation, workers: Int) throws {
    let built = Result { try buildNetwork(from: .file(location.map), profile: location.profile, workers: workers) }
    let read = [location.mapFile].compactMap(\.self) + (location.profile.elevation?.watched ?? [])
    // If a file changed during the build, the network is invalid.
    if let changed = read.first(where: { !$0.isSame }) {
      throw .input(changed.path, "\(WatchedFile.problem)")
    }
    var contents = try built.get()
    contents.add(map: location.map, location.profile)
    do {
      try NetworkFile.write(contents, to: location.path, location.origin, workers: workers)
    } catch {
      throw OdometerError.unwritable(location.path, error, remedy: location.remedy)
    }
  }

  /// Opens the existing network at `location`; returns nil if the network has not been built or its file is invalid.
  /// Builds nothing.
  ///
  /// - Throws: `OdometerError` if the map is a network file.
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

  /// Builds the network of a map in memory, and stores it in the file at `path`; for tests.
  package convenience init(_ source: OSMSource, profile: Profile, at path: String, workers: Int = 1) throws {
    let variant: @Sendable (Profile) throws -> StreetNetwork = {
      try StreetNetwork(source, profile: $0, at: path + "-\($0.avoids.rawValue)", workers: workers)
    }
    var contents = try buildNetwork(from: source, profile: profile, workers: workers)
    contents.add(map: source.name, profile)
    let origin = ColumnOrigin(from: Digest.of(Array(source.name.utf8)), with: Digest.of(profile.bytes))
    try NetworkFile.write(contents, to: path, origin)
    try self.init(NetworkFile(path: path, origin), profile: profile, variant: variant)
  }

  /// Returns the location of a map's network; reads the whole map for its digest, unless a note has the digest.
  /// *Throws*: `OdometerError`.
  package static func location(map: String, profile: Profile, cache: String? = nil) throws -> NetworkLocation {
    let digest = Digest.of(profile.bytes)
    if isNetworkFile(map) {
      let origin = try NetworkFile.reading(map) { try NetworkFile(path: map, check: .header).origin }
      guard origin.inputs == digest else {
        throw .input(map, "the network file was built with a different version of profile \(profile.name)")
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

  /// Returns the path of a map's network file.
  ///
  /// - Throws: `OdometerError` if the map cannot be read.
  public static func path(map: String, profile: Profile, cache: String? = nil) throws -> String {
    try location(map: map, profile: profile, cache: cache).path
  }
}

/// The location of a map's network for a profile, whether or not it has been built.
package struct NetworkLocation: Sendable {
  let map: String
  let profile: Profile
  let cache: String?
  package let path: String
  let origin: ColumnOrigin
  /// The map's identity when its digest was computed; nil for a network file.
  package var mapFile: WatchedFile?
  /// Whether the file is itself the map: a network file given as a map is never built.
  var isMap = false
  /// The advice if the file cannot be written; nil to advise using another cache.
  var remedy: String?

  /// The SHA-256 of the map.
  package var mapDigest: String { origin.source.hexadecimal }
  /// The SHA-256 of the profile.
  package var profileDigest: String { origin.inputs.hexadecimal }

  /// The note that records the digest of its content.
  var note: DigestNote { DigestNote(of: path, in: isMap ? cache : nil) }

  /// Returns the location of the same network in a file with another name.
  func moved(to path: String) -> NetworkLocation {
    NetworkLocation(
      map: map, profile: profile, cache: nil, path: path, origin: origin, mapFile: mapFile,
      remedy: "name another file with --output")
  }

  func opened(_ check: ContentCheck) throws -> NetworkFile { try NetworkFile(path: path, origin, check: check) }

  /// A function that always throws: a network file given as a map has no variants that avoid other roads.
  fileprivate var noVariant: @Sendable (Profile) throws -> StreetNetwork {
    { [path, avoids = profile.avoids] other in
      throw .input(
        path,
        "the network file was built to avoid \(avoids.words), but the trips must avoid \(other.avoids.words); "
          + "name its map, or a network file that was built that way")
    }
  }
}

/// An event that concerns a network file; its description is one sentence.
public enum NetworkEvent: Sendable, CustomStringConvertible {
  /// The network of `map` is built for the first time.
  case building(map: String)
  /// The file at `path` cannot be used and is built again.
  case replacing(path: String, reason: String)
  /// `map`, whose network has been built, has ways but no relations.
  case lacksRelations(map: String)

  /// Whether a network is about to be built.
  package var precedesBuilding: Bool { if case .lacksRelations = self { false } else { true } }

  /// A description of the event in one sentence.
  public var description: String {
    switch self {
    case .building(let map): "building the network of \(map), once"
    case .replacing(let path, let reason): "\(path): the network file \(reason); rebuilding it"
    case .lacksRelations(let map): "\(map) has ways but no relations: \(StreetNetwork.withoutRelations)"
    }
  }
}

extension OdometerError {
  /// Creates the error for a file, by default a network file, that cannot be written.
  package static func unwritable(
    _ path: String, kind: String = "network", _ error: any Error, remedy: String? = nil
  ) -> OdometerError {
    OdometerError(
      file: path,
      problem: "the \(kind) file cannot be written: \(reason(error)); "
        + (remedy ?? "name another folder with --cache"), cause: .output)
  }
}

/// Returns `MAP.PROFILE.KEY.network`: the key is a digest of map, profile and format version, so that networks of
/// edited maps or profiles can coexist.
func networkName(map: String, profile: Profile, _ origin: ColumnOrigin) -> String {
  let key = Digest.of(origin.source + origin.inputs + [UInt8(NetworkSection.format.version)]).hexadecimal.prefix(12)
  return "\((map as NSString).lastPathComponent).\(profile.name).\(key)\(NetworkFile.suffix)"
}

extension NetworkFile.Contents {
  /// Adds the columns that make the file usable as a map.
  fileprivate mutating func add(map: String, _ profile: Profile) {
    add(.profile, Array(profile.text))
    add(.avoids, [profile.avoids.rawValue])
    add(.mapName, Array((map as NSString).lastPathComponent.utf8))
  }
}

extension StreetNetwork {
  /// Returns the SHA-256 of a map; taken from a note if the file is unchanged.
  static func digest(ofMap map: String, cache: String? = nil) throws -> ([UInt8], of: WatchedFile) {
    do {
      let digest = try Digest.recorded(of: map, in: cache)
      guard digest.0 != Digest.of([UInt8]()) else { throw .input(map, "the file is empty") }
      return digest
    } catch let error as POSIXError {
      switch error.code {
      case .ENOENT:
        throw .input(map, "there is no such map; expected an .osm.pbf, .osm, .osm.gz, .osm.bz2 or .network")
      default:
        throw .input(
          map, FileManager.irregularity(of: map, expecting: "a map") ?? "the map cannot be read: \(reason(error))")
      }
    }
  }
}

func reason(_ error: any Error) -> String { POSIXError.reason(for: error) }
