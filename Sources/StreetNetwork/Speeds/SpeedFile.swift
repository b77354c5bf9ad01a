import Foundation
import Geography
import Hierarchy
import OpeningHours

/// A network's speeds on disk, computed from the network, speed files and a traffic table.
typealias SpeedFile = ColumnFile<SpeedSection>

/// The columns of a speed file.
enum SpeedSection: UInt32, CaseIterable, ColumnSection {
  case period = 1, slowness, streets, facts

  static let suffix = ".speeds"
  static let format = ColumnFormat(
    magic: "ODOSPEED", version: 3, name: "speeds", otherOrigin: "another network or other speeds")

  var rule: ColumnRule<SpeedSection> {
    switch self {
    case .period: .values(UInt32.self, .exactly(.constant(1)), .within(1...Int(SpeedProfiles.week)))
    case .slowness:
      .values(UInt32.self, .any, .withinOrNone(Int(Slowness.minimum.bits)...Int(Slowness.maximum.bits)))
    case .streets: .values(UInt32.self)
    case .facts: .values(UInt8.self)
    }
  }

  /// Checks that streets have profiles, and that profiles have a slowness for each period of a week.
  static func checkConsistency(_ file: SpeedFile) throws {
    let (period, slowness): (UInt32, Column<UInt32>) = try (file.column(.period)[0], file.column(.slowness))
    let streets: Column<UInt32> = try file.column(.streets)
    guard WeekHours.periodLengths.contains(where: { $0 * 300_000 == Int(period) }) else {
      throw InvalidColumnFile.invalid("period")
    }
    let count = Int(SpeedProfiles.week / period)
    // The first profile is free flow.
    guard slowness.count >= count, slowness.count % count == 0,
      slowness.buffer[..<count].allSatisfy({ $0 == Slowness.one.bits })
    else { throw InvalidColumnFile.invalid("slowness") }
    let profiles = slowness.count / count
    guard streets.buffer.allSatisfy({ $0 < profiles }) else { throw InvalidColumnFile.invalid("streets") }
  }
}

/// Options for the rows of a speed file.
public struct SpeedUse: Hashable, Sendable {
  /// Whether several rows for the same street and time, even equal ones, are replaced by their mean; otherwise they are
  /// an error.
  public var allowsDuplicates: Bool
  /// Whether a period without a row has the slowness of the street's class times the street's mean ratio to its class;
  /// otherwise it has the slowness of the class.
  public var fillsByRatio: Bool

  /// Creates options; by default, both are off.
  public init(allowsDuplicates: Bool = false, fillsByRatio: Bool = false) {
    (self.allowsDuplicates, self.fillsByRatio) = (allowsDuplicates, fillsByRatio)
  }
}

extension StreetSpeeds {
  /// Returns the speeds of a network: opened if the file exists, otherwise built and stored next to the network.
  ///
  /// The file is `MAP.PROFILE.KEY.speeds`, or `NAME.KEY.speeds` for a network file with another name: the key is a
  /// digest of network, speeds and traffic. Nothing is stored if the network's file no longer exists.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of all inputs: files and their options.
  ///   - uses: The options of each file.
  ///   - week: Any day in the week whose speed limits apply; nil for a typical week.
  ///   - read: Reads all files into a join.
  /// - Throws: The errors of `read`; `OdometerError` if rows contradict one another, or if the file cannot be
  ///   written.
  package static func load(
    for network: StreetNetwork, digest: [UInt8], uses: [SpeedUse], traffic: TrafficTable?, week: LocalTime? = nil,
    read: (inout SpeedJoin) throws -> Void
  ) throws -> (StreetSpeeds, SpeedFacts) {
    let limits = LimitSlowness(network, week: week)
    let origin = ColumnOrigin(
      from: Digest.of(Array(network.fingerprints.network.utf8)),
      with: Digest.of(
        digest + (traffic?.digest ?? []) + limits.bytes + [UInt8(limits.datedCount & 255)]))
    let path = StreetSpeeds.path(nextTo: network, origin)
    if let known = try? StreetSpeeds.opened(path, origin, of: network) { return known }
    var join = SpeedJoin(network)
    try read(&join)
    var builder = SpeedBuilder(join, traffic: traffic, limits: limits, uses: uses)
    let (speeds, facts) = try builder.build()
    guard FileManager.default.fileExists(atPath: network.path) else { return (speeds, facts) }
    var contents = SpeedFile.Contents()
    contents.add(.period, [speeds.profiles.period])
    contents.add(.slowness, speeds.profiles.slowness)
    contents.add(.streets, speeds.streets)
    try contents.add(.facts, json: facts)
    do {
      if let cache = network.cache { try FileManager.makeFolder(cache) }
      try SpeedFile.write(contents, to: path, origin)
      return try StreetSpeeds.opened(path, origin, of: network)
    } catch {
      throw OdometerError.unwritable(path, kind: "speeds", error)
    }
  }

  private static func opened(
    _ path: String, _ origin: ColumnOrigin, of network: StreetNetwork
  ) throws -> (StreetSpeeds, SpeedFacts) {
    let file = try SpeedFile(path: path, origin)
    let profiles = SpeedProfiles(
      period: try file.column(.period, of: UInt32.self)[0], slowness: try file.column(.slowness))
    let facts: SpeedFacts = try file.decoded(.facts)
    let streets: Column<UInt32> = try file.column(.streets)
    guard streets.count == network.streetCount * 2, facts.kilometres.count == RoadClass.allCases.count,
      facts.kilometresWithData.count == facts.kilometres.count
    else { throw InvalidColumnFile.invalid("streets") }
    var speeds = StreetSpeeds(profiles, streets: streets)
    speeds.file = file.watched
    return (speeds, facts)
  }

  /// Returns the network's path with the key of the speeds instead of the network's.
  private static func path(nextTo network: StreetNetwork, _ origin: ColumnOrigin) -> String {
    let key = Digest.of(origin.source + origin.inputs + [UInt8(SpeedSection.format.version)]).hexadecimal.prefix(12)
    let name =
      (network.cache.map { "\($0)/\((network.path as NSString).lastPathComponent)" } ?? network.path) as NSString
    let stem = name.pathExtension == "network" ? name.deletingPathExtension as NSString : name
    let isKeyed = stem.pathExtension.count == 12 && stem.pathExtension.allSatisfy(\.isHexDigit)
    return "\(isKeyed ? stem.deletingPathExtension : stem as String).\(key)\(SpeedSection.suffix)"
  }
}
