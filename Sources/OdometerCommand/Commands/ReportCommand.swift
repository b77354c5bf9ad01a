import Foundation
import Geography
import Jobs
import Reports
import Tables

enum ReportCommand: Command {
  static let name = "report"
  static let summary = "Regenerate the report of a job's results"
  static let operands = [Operand.results]
  static let options = [output, pair, embed, card, tiles, CommonOptions.workers]
  static let exitCodes: [ExitCode: String] = [
    .input: "the results cannot be read",
    .output: "the page cannot be written, or a run is using the folder",
  ]
  static let details = """
    RESULTS is the results.sqlite of a finished job of any kind, or its folder. The page is a self-contained file that,
    without --tiles, loads nothing from the internet: a map of the results, distributions, sortable tables, and the
    provenance of all data. odometer run writes it, too. With --pair it shows one pair of kind routes or etas with its
    route and steps, even if the page of all pairs does not have them: missing details are recomputed on the job's map.

        odometer report reports/helsinki-walks --pair 17 --output pair-17.html
    """

  private static let output = Option(
    "output", "FILE", .file, help: "file to write (default: report.html next to RESULTS)")

  private static let pair = Option("pair", "ID", help: "write a page for one pair; needs --output")

  private static let embed = Option(
    "embed", "FILE", .file, help: "write a page with only the map, to embed in another page")

  private static let card = Option(
    "card", "FILE", .file, help: "write only an image: SVG, 1200 x 630, with the headline above the map")

  private static let tiles = Option(
    "tiles", "URL", help: "use a tile server as the basemap: https://tiles.example.org/{z}/{x}/{y}.png")

  /// Opens the report of results. *Throws*: `OdometerError` if the URL template of tiles is invalid.
  private static func report(of results: String, _ arguments: Arguments) throws -> Report {
    var report = try Report(of: results)
    guard let tiles = arguments.text(tiles) else { return report }
    guard ["https://", "http://"].contains(where: tiles.hasPrefix), ["{z}", "{x}", "{y}"].allSatisfy(tiles.contains),
      !tiles.contains(where: { $0.isWhitespace || ";,'\"".contains($0) })
    else {
      throw .usage(
        "--tiles: got \(printable(tiles)), expected an address such as https://tiles.example.org/{z}/{x}/{y}.png")
    }
    report.tiles = tiles
    return report
  }

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let results = try ResultsFolder.database(named: arguments.operands[0])
    for option in [embed, card] {
      guard let file = arguments.text(option) else { continue }
      let others = [output, pair, embed, card].filter { $0.name != option.name }
      if let other = others.first(where: arguments.has) {
        throw .usage("--\(option.name) cannot be combined with --\(other.name)")
      }
      if option.name == card.name, !file.lowercased().hasSuffix(".svg") {
        throw .usage("--card: got \(file), expected a file name that ends in .svg")
      }
      let report = try report(of: results, arguments)
      try option.name == embed.name ? report.writeEmbedded(to: file) : report.writeCard(to: file)
      return try console.finish(file)
    }
    if let output = arguments.text(output) { try WrittenFile(output, .page).check() }
    if let pair = arguments.text(pair) {
      guard let output = arguments.text(output) else {
        throw .usage("--pair needs --output FILE: report.html is the page of all pairs")
      }
      let found = try PairRoutes(
        of: pair, in: results, workers: arguments.workers(), report: console.networkEvents(isQuiet: false))
      try report(of: results, arguments).write(found.pairs, found.routes, to: output)
      return try console.finish(output)
    }
    if let output = arguments.text(output) {
      try report(of: results, arguments).write(to: output)
      return try console.finish(output)
    }
    let folder = ResultsFolder(ofDatabase: results)
    // Locked, because a run resumed in the folder writes the page under the same name.
    let lock = try folder.lock()
    try withExtendedLifetime(lock) { try report(of: results, arguments).write(to: folder.report) }
    return try console.finish(folder.report)
  }
}
