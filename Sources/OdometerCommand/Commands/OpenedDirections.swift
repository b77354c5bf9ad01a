import Geography
import Routing
import StreetNetwork

/// Directions for programs in other languages: opened with the options of `odometer eta`.
package struct OpenedDirections: Sendable {
  package let directions: Directions
  /// Threads per request.
  package let workers: Int

  /// - Parameter words: Options with their values: `--map porto.osm.pbf --by automobile`.
  /// - Throws: `UsageError`; errors of opening or building a network.
  package init(_ words: [String]) throws {
    let arguments = try Arguments(words, for: LibraryOptions.self)
    workers = try arguments.workers()
    let opened = try arguments.directions(.standard, isDated: true)
    let avoids = try arguments.avoids()
    directions = avoids.isEmpty ? opened : try opened.avoiding(avoids)
  }
}

/// The options, in the form of an internal command.
private enum LibraryOptions: Command {
  static let name = "odometer"
  static let summary = ""
  static let operands: [Operand] = []
  static let options = [
    CommonOptions.map, CommonOptions.by, CommonOptions.profile, CommonOptions.pace, CommonOptions.elevation,
    CommonOptions.snapLimit, CommonOptions.waitLimit, CommonOptions.speeds, CommonOptions.traffic, CommonOptions.avoid,
    CommonOptions.language, CommonOptions.cache, CommonOptions.workers,
  ]
  static let details = ""
  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode { .fault }
}
