import Foundation
import Routing
import StreetNetwork

/// `odometer coverage check FILE`.
enum CoverageCheckCommand: Command {
  static let name = "coverage check"
  static let summary = "Looks a coverage file over by the rules for routing apps."
  static let operands = ["FILE"]
  static let options: [Arguments.Option] = []
  static let details = """
    A coverage file is one GeoJSON MultiPolygon: closed rings of at least four positions, longitude first, no holes, no
    comments; at most 20 polygons of at most 20 points are recommended. Each finding stands on a line with its place.

    Exit codes: 0 the file can be used; 2 wrong usage; 3 it has errors, or cannot be read.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let file = arguments.operands[0]
    let check = try CoverageCheck(path: file)
    for finding in check.findings { print("\(file): \(finding.isError ? "error" : "advice"): \(finding)") }
    if let area = check.area {
      let points = area.rings.reduce(0) { $0 + $1.count - 1 }
      print("\(file): usable: \(area.rings.count) \(area.rings.count == 1 ? "polygon" : "polygons"), \(points) points")
    }
    return check.hasErrors ? .input : .finished
  }
}

/// `odometer coverage make MAP`.
enum CoverageMakeCommand: Command {
  static let name = "coverage make"
  static let summary = "Makes a coverage file around what a map covers."
  static let operands = ["MAP"]
  static let options = [
    .init(name: "output", value: "FILE", help: "where to write it (default: stdout)"), Shared.by, Shared.profile,
    Shared.cache,
  ]
  static let details = """
    All streets on which trips can start lie inside; at most 20 polygons of at most 20 points, as coverage check wants.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let coverage = Coverage(of: try Shared.network(arguments.operands[0], arguments))
    guard let output = arguments.text("output") else {
      print(coverage.geoJSON)
      return .finished
    }
    do {
      try Data((coverage.geoJSON + "\n").utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      note("\(output): the file cannot be written: \((error as NSError).localizedDescription)")
      return .output
    }
    return .finished
  }
}
