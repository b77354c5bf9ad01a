import Routing

/// `odometer coverage check FILE`.
enum CoverageCheckCommand: Command {
  static let name = "coverage check"
  static let summary = "Validate a coverage file against the rules for routing apps"
  static let operands = [Operand("FILE", .file)]
  static let exitCodes: [ExitCode: String] = [
    .input: "the file cannot be read, or breaks a rule"
  ]
  static let details = """
    A coverage file is one GeoJSON MultiPolygon: closed rings of at least four positions, longitude first, no holes, no
    comments; at most 20 polygons of at most 20 points are recommended. Each finding is one line with its position.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let file = arguments.operands[0]
    let check = try CoverageCheck(path: file)
    for finding in check.findings { try console.print("\(file): \(finding.isError ? "error" : "advice"): \(finding)") }
    if let area = check.area {
      let points = area.rings.reduce(0) { $0 + $1.count - 1 }
      try console.print(
        "\(file): usable: \(area.rings.count) \(area.rings.count == 1 ? "polygon" : "polygons"), \(points) points")
    }
    return check.hasErrors ? .input : .finished
  }
}
