import Foundation
import Geography
import Jobs
import Routing
import StreetNetwork
import Tables
import TransitNetwork

enum NetworkBuildCommand: Command {
  static let name = "network build"
  static let summary = "Build the network of a map, if it does not exist yet"
  static let operands = [Operand.map]
  static let options = [
    CommonOptions.by, CommonOptions.profile, CommonOptions.pace, CommonOptions.elevation, avoid, CommonOptions.cache,
    output, memory, dryRun,
  ]
  static let exitCodes = ExitCode.ofNetworks
  static let details = """
    The network file is stored next to the map, or under --cache; its name contains a digest of map and profile. All
    other commands build it if it is missing. Prints the file's path.

    With --output you choose the file's name. The file can be copied to other machines and used as a map (map:
    "porto.network") without its extract and profile:

        odometer network build porto.osm.pbf --by automobile --output porto.network
        odometer eta 41.15,-8.61 41.16,-8.63 --map porto.network

    A network that would not fit in memory is refused before anything is built.
    """

  private static let avoid = Option(
    "avoid", "LIST", .choice(["tolls", "highways", "tolls,highways"]),
    help: "tolls, highways or both: build the network for trips that avoid them")
  private static let output = Option("output", "FILE", .file, help: "network file to write, NAME.network")
  private static let memory = Option(
    "memory", "SIZE", help: "memory limit, e.g. \"64 GB\" (default: the machine's memory)")
  private static let dryRun = Option("dry-run", help: "print a forecast of memory, time and size; build nothing")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let map = arguments.operands[0]
    let avoids = try arguments.choice(avoid).map { $0.split(separator: ",") }.map {
      Profile.Avoidance(tolls: $0.contains("tolls") ? .avoid : .any, highways: $0.contains("highways") ? .avoid : .any)
    }
    let isMap = StreetNetwork.isNetworkFile(map)
    if isMap, let output = arguments.text(output) {
      throw .usage("--output: got \(output), but \(map) is a network file already; copy it, or see network install")
    }
    if let output = arguments.text(output) {
      guard output.hasSuffix(".network") else {
        throw .usage("--output: got \(output), expected a name that ends in .network")
      }
      try WrittenFile(output, .network).check()
    }
    let own = try arguments.profile(of: map)
    let profile = try own.avoiding(avoids ?? own.avoids)
    let limit = try arguments.value(memory, "a size in MB, GB, MiB or GiB, e.g. \"64 GB\"", MemoryLimit.bytes)
    if arguments.has(dryRun) {
      guard !isMap else { throw .usage("--dry-run: \(map) is a network file already; there is nothing to build") }
      return try forecast(of: map, profile, MemoryLimit(limit), console)
    }
    let location = try StreetNetwork.location(map: map, profile: profile, cache: arguments.text(CommonOptions.cache))
    let workers = ControlGroups.workers
    let report = console.networkEvents(building: map, profile, memory: limit)
    guard let output = arguments.text(output) else {
      let network = try StreetNetwork(at: location, workers: workers, report: report)
      return try console.finish(network.path)
    }
    try StreetNetwork.build(location, to: output, workers: workers, report: report)
    return try console.finish(output)
  }

  private static func forecast(
    of map: String, _ profile: Profile, _ limit: MemoryLimit, _ console: Console
  ) throws -> ExitCode {
    let forecast = try BuildForecast(of: .file(map), profile: profile)
    try console.print(forecast.description)
    try console.print("available: \(MemoryLimit.text(limit.bytes)) memory")
    try forecast.check(limit, map: map)
    return .finished
  }
}

enum NetworkListCommand: Command {
  static let name = "network list"
  static let summary = "List the network files in a folder, and whether they are in use"
  static let operands = [Operand.networks]
  static let exitCodes: [ExitCode: String] = [.input: "the folder cannot be read"]
  static let details = """
    FOLDER is a folder with maps, a cache folder, or a map (whose network files are listed). Prints each file's size,
    whether it is in use, its map and profile, and its path. GTFS timetables have the profile transit. Reads only maps,
    feeds and file headers; network check reads a whole file.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let entries = try NetworkFolder.withTimetables(arguments.operands.first ?? ".").entries
    for line in lines(of: entries) { try console.print(line) }
    return try console.finish(sum(entries))
  }

  /// Returns one line per file, in columns.
  static func lines(of entries: [NetworkFolder.Entry]) -> [String] {
    let rows = entries.map { entry in
      [size(entry.bytes), description(of: entry.use), "\(entry.map) by \(entry.profile)", entry.path]
    }
    return TextTable.lines(rows) { _, _ in true }
  }

  /// Returns a total such as "2 files, 44752 KiB".
  static func sum(_ entries: [NetworkFolder.Entry]) -> String {
    "\(entries.count.counted("file")), \(size(entries.reduce(0) { $0 + $1.bytes }))"
  }

  private static func size(_ bytes: Int) -> String { "\((bytes + 1023) / 1024) KiB" }

  private static func description(of use: NetworkFolder.Use) -> String {
    switch use {
    case .inUse(let reason): "in use: \(reason)"
    case .obsolete(let reason): "unused: \(reason)"
    case .unknown(let reason): "kept: \(reason)"
    }
  }
}
