import Foundation
import Results
import Routing
import StreetNetwork

/// `odometer coverage check FILE`.
enum CoverageCheckCommand: Command {
  static let name = "coverage check"
  static let summary = "Validate a coverage file against the rules for routing apps"
  static let operands = [Operand("FILE", .file)]
  static let exitCodes = [ExitCode.input]
  static let details = """
    A coverage file is one GeoJSON MultiPolygon: closed rings of at least four positions, longitude first, no holes, no
    comments; at most 20 polygons of at most 20 points are recommended. Each finding is one line with its position.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let file = arguments.operands[0]
    let check = try CoverageCheck(path: file)
    for finding in check.findings { console.print("\(file): \(finding.isError ? "error" : "advice"): \(finding)") }
    if let area = check.area {
      let points = area.rings.reduce(0) { $0 + $1.count - 1 }
      console.print(
        "\(file): usable: \(area.rings.count) \(area.rings.count == 1 ? "polygon" : "polygons"), \(points) points")
    }
    return check.hasErrors ? .input : .finished
  }
}

/// `odometer coverage make MAP`.
enum CoverageMakeCommand: Command {
  static let name = "coverage make"
  static let summary = "Write a coverage file around what a map covers"
  static let operands = [Operand.map]
  static let options = [output, CommonOptions.by, CommonOptions.profile, CommonOptions.cache]
  static let exitCodes = [ExitCode.input, .output]
  static let details = """
    All streets on which trips can start lie inside; at most 20 polygons of at most 20 points, as coverage check wants.
    """

  private static let output = Option("output", "FILE", .file, help: "where to write it (default: stdout)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let coverage = Coverage(of: try arguments.network(of: arguments.operands[0], console))
    guard let output = arguments.text(output) else {
      console.print(coverage.geoJSON)
      return .finished
    }
    do {
      try Data((coverage.geoJSON + "\n").utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw ResultsError(
        path: output, problem: "the file cannot be written: \((error as NSError).localizedDescription)")
    }
    return .finished
  }
}
