import Foundation
import Jobs
import StreetNetwork
import Tables

/// `odometer network info MAP`.
enum NetworkInfoCommand: Command {
  static let name = "network info"
  static let summary = "Show what the network of a map is made of"
  static let operands = [Operand.map]
  static let options = [CommonOptions.by, CommonOptions.profile, CommonOptions.cache, unreadable]
  static let exitCodes = ExitCode.ofNetworks
  private static let unreadable = Option(
    "unreadable", help: "list every tag about times that cannot be read, and nothing else")
  static let details = """
    Streets end at junctions; states and arcs are what searches run on; upward arcs are those of the hierarchy.
    Ways lack nodes where an extract was cut off: what is left of them is used.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let map = arguments.operands[0]
    let network = try arguments.network(of: map, console)
    let size = FileManager.size(of: network.path) ?? 0
    let file = "\(network.path), \(size / 1024) KiB"
    let rows = [("map", network.mapName), ("profile", network.profile.name), ("network file", file)] + network.facts
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    if arguments.has(unreadable) {
      try network.unreadableTags.forEach(console.print)
      return .finished
    }
    for (name, value) in rows { try console.print(name + String(repeating: " ", count: width - name.count) + value) }
    return .finished
  }
}
