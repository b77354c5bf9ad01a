import Foundation
import Geography
import Hierarchy

/// Speeds of a network on disk, made from the network with files of speeds and traffic.
typealias SpeedFile = ColumnFile<SpeedSection>

/// The columns of a file of speeds.
enum SpeedSection: UInt32, ColumnSection {
  case period = 1, slowness, streets, facts

  static let suffix = ".speeds"
  static let format = ColumnFormat(
    magic: "ODOSPEED", version: 2, name: "speeds", otherOrigin: "another network or other speeds")
}

/// Where the speeds of a network come from.
package struct SpeedSources {
  /// SHA-256 of all that decides them: files and how they are read.
  var digest: [UInt8]
  /// How the rows of each file are used.
  var uses: [SpeedUse]
  var traffic: TrafficTable?
  /// A day of the week whose speed limits count; nil for a week as they are all.
  var week: LocalTime?
  /// Reads all files into a join. *Throws*: what readers throw.
  var read: (inout SpeedJoin) throws -> Void

  package init(
    digest: [UInt8], uses: [SpeedUse], traffic: TrafficTable? = nil, week: LocalTime? = nil,
    read: @escaping (inout SpeedJoin) throws -> Void
  ) {
    (self.digest, self.uses, self.traffic) = (digest, uses, traffic)
    (self.week, self.read) = (week, read)
  }
}

/// How the rows of a file of speeds are used.
package struct SpeedUse: Hashable, Sendable {
  /// Whether rows of one street and time are replaced by their mean; else they are an error.
  package var allowsDuplicates: Bool
  /// Whether an hour without a row has the slowness of the street's class times the street's mean ratio to its class; else
  /// it has the slowness of the class.
  package var fillsByRatio: Bool

  package init(allowsDuplicates: Bool = false, fillsByRatio: Bool = false) {
    (self.allowsDuplicates, self.fillsByRatio) = (allowsDuplicates, fillsByRatio)
  }
}

extension StreetSpeeds {
  /// The speeds of a network: opened if they were made before, else made and kept beside it.
  ///
  /// `MAP.PROFILE.KEY.speeds`, of a network file by another name `NAME.KEY.speeds`: the key is a digest of network, speeds and traffic. Where the network has no file any more,
  /// nothing is kept.
  ///
  /// - Throws: What `sources.read` throws, `SpeedError`, and `CacheError` where the file cannot be written.
  package static func known(of network: StreetNetwork, _ sources: SpeedSources) throws -> (StreetSpeeds, SpeedFacts) {
    let limits = LimitSlowness(network, week: sources.week)
    let origin = ColumnOrigin(
      from: Digest.of(Array(network.fingerprints.network.utf8)),
      with: Digest.of(
        sources.digest + (sources.traffic?.digest ?? []) + limits.bytes + [UInt8(limits.undatedCount & 255)]))
    let path = StreetSpeeds.path(beside: network, origin)
    if let known = try? StreetSpeeds.opened(path, origin) { return known }
    var join = SpeedJoin(network)
    try sources.read(&join)
    var builder = SpeedBuilder(join, traffic: sources.traffic, limits: limits, uses: sources.uses)
    let (speeds, facts) = try builder.build()
    guard FileManager.default.fileExists(atPath: network.path) else { return (speeds, facts) }
    var contents = SpeedFile.Contents()
    contents.add(.period, [speeds.profiles.period])
    contents.add(.slowness, speeds.profiles.slowness)
    contents.add(.streets, speeds.streets)
    contents.add(.facts, Array(try facts.text))
    do {
      if let cache = network.cache {
        try FileManager.makeFolder(cache)
      }
      try SpeedFile.write(contents, to: path, origin)
      return try StreetSpeeds.opened(path, origin)
    } catch {
      throw CacheError(path: path, problem: reason(error), kind: "speeds")
    }
  }

  private static func opened(_ path: String, _ origin: ColumnOrigin) throws -> (StreetSpeeds, SpeedFacts) {
    let file = try SpeedFile(path: path, origin)
    let profiles = SpeedProfiles(
      period: try file.column(.period, of: UInt32.self)[0], slowness: try file.column(.slowness))
    let facts = try SpeedFacts(file.column(.facts, of: UInt8.self))
    return (StreetSpeeds(profiles, streets: try file.column(.streets)), facts)
  }

  /// The network's path with the speeds' key instead of its own.
  private static func path(beside network: StreetNetwork, _ origin: ColumnOrigin) -> String {
    let key = Digest.of(origin.from + origin.with + [UInt8(SpeedSection.format.version)]).hexadecimal.prefix(12)
    let name =
      (network.cache.map { "\($0)/\((network.path as NSString).lastPathComponent)" } ?? network.path) as NSString
    let stem = name.pathExtension == "network" ? name.deletingPathExtension as NSString : name
    let isKeyed = stem.pathExtension.count == 12 && stem.pathExtension.allSatisfy(\.isHexDigit)
    return "\(isKeyed ? stem.deletingPathExtension : stem as String).\(key)\(SpeedSection.suffix)"
  }
}

extension SpeedFacts {
  /// The same text for the same facts.
  fileprivate var text: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(self)
    }
  }

  fileprivate init(_ text: Column<UInt8>) throws {
    self = try JSONDecoder().decode(SpeedFacts.self, from: Data(text))
  }
}
