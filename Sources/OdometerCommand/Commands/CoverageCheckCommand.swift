import Geography
import Routing
import StreetNetwork

enum CoverageCheckCommand: Command {
  static let name = "coverage check"
  static let summary = "Validate a coverage file against the rules for routing apps"
  static let operands = [Operand("FILE", .file)]
  static let options = [CommonOptions.map, CommonOptions.by, CommonOptions.profile, CommonOptions.cache, from, to]
  static let exitCodes: [ExitCode: String] = [
    .notAllOK: "a place is outside, or the file does not overlap the map",
    .input: "the file cannot be read, or breaks a rule",
  ]
  static let details = """
    A coverage file is one GeoJSON MultiPolygon: closed rings of at least four positions, longitude first, no holes,
    no comments; at most 20 polygons of at most 20 points each are recommended. Each problem is printed on one line with
    its position. The closing point of a ring, which repeats the first, counts as a point. With --map the command also
    reports whether the file overlaps the map, and the ratio of its area to the mapped area; with --from and --to,
    whether both ends are inside.
    """

  private static let from = Option("from", "LAT,LON", help: "check that this origin is inside")
  private static let to = Option("to", "LAT,LON", help: "check that this destination is inside")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let file = arguments.operands[0]
    let check = try CoverageCheck(path: file)
    for finding in check.findings { try console.print("\(file): \(finding.isError ? "error" : "advice"): \(finding)") }
    guard let area = check.area else { return .input }
    let points = area.rings.reduce(0) { $0 + $1.count }
    try console.print("\(file): usable: \(area.rings.count.counted("polygon")), \(points) points")
    let coverage = Coverage(area: area)
    var isAllOK = true
    if let map = arguments.text(CommonOptions.map) {
      let network = try arguments.network(of: map, console)
      if coverage.box?.intersects(network.box) == true {
        let (own, other) = (coverage.squareKilometres, Coverage(of: network).squareKilometres)
        try console.print(
          "\(file): \(MeasureText.decimal(own, 1)) km², \(MeasureText.decimal(own / max(other, 0.001), 2)) times the "
            + "\(MeasureText.decimal(other, 1)) km² that the map covers")
      } else {
        isAllOK = false
        let advice =
          coverage.overlapsIfSwapped(on: network.box)
          ? ", but would with latitude and longitude swapped; longitude comes first in GeoJSON" : ""
        try console.print("\(file): does not overlap the map\(advice)")
      }
    }
    for option in [from, to] {
      guard let text = arguments.text(option) else { continue }
      let isInside = coverage.contains(try Arguments.place(text, "--\(option.name)"))
      isAllOK = isAllOK && isInside
      try console.print("--\(option.name) \(text): \(isInside ? "inside" : "outside")")
    }
    return isAllOK ? .finished : .notAllOK
  }
}
