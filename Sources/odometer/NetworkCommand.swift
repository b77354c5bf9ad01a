import Foundation
import Geography
import StreetNetwork

/// `odometer network build MAP`.
enum NetworkBuildCommand: Command {
  static let name = "network build"
  static let summary = "Builds the network of a map, or finds it built already."
  static let operands = ["MAP"]
  static let options = [Shared.by, Shared.profile, Shared.cache]
  static let details = """
    The network file is kept beside the map, or under --cache; its name carries a key of the map's and the profile's
    content. Every other command builds it by itself where it is missing. Prints the file's path.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    print(try Shared.network(arguments.operands[0], arguments).path)
    return .finished
  }
}

/// `odometer network info MAP`.
enum NetworkInfoCommand: Command {
  static let name = "network info"
  static let summary = "Tells what the network of a map is made of."
  static let operands = ["MAP"]
  static let options = [Shared.by, Shared.profile, Shared.cache]
  static let details = """
    Streets end at junctions; states and arcs are what searches run on; upward arcs are those of the hierarchy.
    Ways lack nodes where an extract was cut off: what is left of them is used.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let map = arguments.operands[0]
    let network = try Shared.network(map, arguments)
    let size = (try? FileManager.default.attributesOfItem(atPath: network.path)[.size] as? Int) ?? 0
    let file = "\(network.path), \(size / 1024) KiB"
    let rows = [("map", map), ("profile", network.profile.name), ("network file", file)] + network.facts
    let width = rows.map(\.0.count).max()! + 2
    for (name, value) in rows { print(name + String(repeating: " ", count: width - name.count) + value) }
    return .finished
  }
}
