import Foundation
import Geography
import Input
import Jobs
import Routing
import StreetNetwork

enum MatchCommand: Command {
  static let name = "match"
  static let summary = "Match GPS traces to streets, with times and stops"
  static let operands = [Operand("FILE", .file)]
  static let options = [
    CommonOptions.map, CommonOptions.by, CommonOptions.profile, accuracy, maximumGap, interval, CommonOptions.cache,
    CommonOptions.format,
  ]
  static let exitCodes = ExitCode.ofNetworks.merging([
    .notAllOK: "a trace is not matched", .input: "map or traces cannot be read",
  ]) { $1 }
  static let details = """
    FILE is GPX, GeoJSON or CSV, in the formats of kind traces (odometer help traces):

        odometer match ride.gpx --map berlin.osm.pbf --by cycling

    text lists the streets of each trace with observed and expected times; json prints one line per trace with its
    parts, stops and fixes; geojson prints one collection.
    """

  private static let accuracy = Option(
    "accuracy", "METRES",
    help: "standard deviation of the fixes (default: each fix's accuracy, else estimated per trace)")
  private static let maximumGap = Option(
    "maximum-gap", "SECONDS", help: "longest gap between fixes within a part (default: 300)")
  private static let interval = Option("interval", "SECONDS", help: "time between the positions of a polyline in a CSV")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    var options = MatchOptions()
    options.accuracy = try arguments.number(accuracy, 1...1000, of: "metres")
    options.maximumGap = try arguments.number(maximumGap, 1...86_400, of: "seconds") ?? options.maximumGap
    let style = try arguments.choice(CommonOptions.format) ?? "text"
    let file = try arguments.existingFile()
    let network = try arguments.network(of: arguments.required(CommonOptions.map), console)
    let router = Router(network, Directions.Options())
    let matcher = TraceMatcher(router, options)
    var traceFormat = TraceFormat()
    traceFormat.clock = LocalClock(timeZone: network.timeZone)
    traceFormat.area = network.box
    traceFormat.interval = try arguments.number(interval, 0.001...86_400, of: "seconds")
    let table = try TraceTable([file], traceFormat)
    for note in table.notes { console.note(note) }
    if let row = table.rejected.first {
      console.warn("\(table.rejectedCount.counted("row")) rejected, the first in line \(row.line): \(row.reason)")
    }
    var areAllMatched = true
    if style == "geojson" { try console.print("{\"type\":\"FeatureCollection\",\"features\":[") }
    var isFirst = true
    for chunk in table.chunks {
      if let failure = chunk.failure { throw failure }
      for trace in chunk.traces {
        let match = matcher.match(trace.fixes)
        areAllMatched = areAllMatched && !match.parts.isEmpty
        let written = MatchedTrace(id: trace.id.description, fixes: trace.fixes, match: match, router: router)
        switch style {
        case "json": try console.print(written.json)
        case "geojson":
          let features = written.features
          guard !features.isEmpty else { continue }
          try console.print((isFirst ? "" : ",\n") + features.joined(separator: ",\n"))
        default: try console.print(printable((isFirst ? "" : "\n") + written.text, atMost: .max))
        }
        isFirst = false
      }
    }
    if style == "geojson" { try console.print("]}") }
    return areAllMatched ? .finished : .notAllOK
  }
}
