import Geography
import Jobs
import StreetNetwork
import TransitNetwork

/// `odometer network list FOLDER`.
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

extension Operand {
  static let networks = Operand("FOLDER", .folder, isOptional: true)
}
