import Foundation
import Jobs
import Routing
import Tables

/// `odometer coverage make MAP`.
enum CoverageMakeCommand: Command {
  static let name = "coverage make"
  static let summary = "Write a coverage file around what a map covers"
  static let operands = [Operand.map]
  static let options = [output, CommonOptions.by, CommonOptions.profile, CommonOptions.cache]
  static let exitCodes = ExitCode.ofNetworks.merging([
    .output: "memory is short, or the network file or the coverage file cannot be written"
  ]) { $1 }
  static let details = """
    All streets on which trips can start lie inside; at most 20 polygons of at most 20 points, as coverage check wants.
    """

  private static let output = Option("output", "FILE", .file, help: "where to write it (default: stdout)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    // Before a network is built.
    if let output = arguments.text(output) { try WrittenFile(output, .coverage).check() }
    let coverage = Coverage(of: try arguments.network(of: arguments.operands[0], console))
    guard let output = arguments.text(output) else {
      try console.print(coverage.geoJSON)
      return .finished
    }
    try WrittenFile(output, .coverage).write(Array((coverage.geoJSON + "\n").utf8))
    return .finished
  }
}
