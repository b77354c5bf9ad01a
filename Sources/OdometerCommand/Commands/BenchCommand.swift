import Bench
import Foundation
import Geography
import Input
import Jobs
import Routing
import StreetNetwork

enum BenchCommand: Command {
  static let name = "bench"
  static let summary = "Measure the engine on a map and check its answers"
  static let operands = [Operand.map]
  static let options = [
    CommonOptions.by, CommonOptions.profile, CommonOptions.cache, kinds, sizes, nearest, points, traces, accuracy,
    repetitions,
    workers, check, tiles, json, makePoints, cells,
  ]
  static let exitCodes = ExitCode.ofNetworks.merging([
    .input: "map, graph or points cannot be read", .different: "an answer differs from Dijkstra's",
  ]) { $1 }
  static let details = """
    MAP is an extract, a network file (which skips the build), a GTFS zip (travel times between all stops), or the
    prefix of a graph in RoutingKit's vector format (first_out, head, travel_time, geo_distance, latitude, longitude):

        odometer bench data/helsinki.osm.pbf --check 1000
        odometer bench luxembourg-graph/luxembourg_ --tiles 4 --kinds matrix --sizes 10000x10000

    p2p queries random pairs, then pairs by Dijkstra rank (2^12: the 4,096th nearest state); paths adds the path and, on
    a map, shape, steps and instructions; routes goes from coordinates to complete routes, as the library returns them;
    matrix goes from points to cells, including snapping, with times only and with distances; hours computes sixteen
    departures of 32 origins to all states, in vector lanes and by plain Dijkstra; traces matches the fixes of --traces
    to streets with times; nearest has one query per state. Times are median wall-clock seconds, with minimum and
    maximum; CPU is the total of all threads. An answer that differs from Dijkstra's ends the benchmark with code 5.
    """

  static let kinds = Option(
    "kinds", "LIST", help: "any of \(Benchmark.Kind.allCases.map(\.rawValue).joined(separator: ",")) (default: all)")
  static let sizes = Option(
    "sizes", "LIST", help: "sizes of matrices (default: 1000x1000,3000x3000,10000x10000,100000x100)")
  static let nearest = Option("nearest", "KofM", help: "the nearest K of M places for every state (default: 3of200)")
  private static let points = Option(
    "points", "FILE", .file, help: "origins and destinations: CSV or GeoJSON of points (default: random)")
  static let traces = Option("traces", "FILE", .file, help: "traces to match, in the formats of kind traces")
  static let accuracy = Option(
    "accuracy", "METRES", help: "standard deviation of the fixes of --traces (default: estimated)")
  static let repetitions = Option("repeat", "N", help: "runs of each benchmark after a warm-up run (default: 3)")
  static let workers = Option("workers", "N", help: "threads for matrices (default: 1)")
  static let check = Option("check", "N", help: "compare N answers of each benchmark with Dijkstra's (default: 0)")
  private static let tiles = Option("tiles", "N", help: "for a RoutingKit graph: join N by N copies of it")
  private static let cells = Option(
    "cells", "FOLDER", help: "for a GTFS zip: write its cells, stops and walks there, to compare with another program")
  private static let json = Option("json", help: "print a JSON array instead of a table")
  private static let makePoints = Option("make-points", "N", help: "print N random points near streets as CSV and exit")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let map = arguments.operands[0]
    let options = try Benchmark.Options(arguments)
    if map.hasSuffix(".zip") { return try runTransit(map, options, arguments, console) }
    if let count = try arguments.count(makePoints, atMost: 10_000_000) {
      return try console.finish(randomPoints(count, on: try arguments.network(of: map, console)))
    }
    let isVectorGraph = FileManager.default.fileExists(atPath: map + "first_out")
    let tiles = try arguments.count(tiles, atMost: 32) ?? 1
    guard tiles == 1 || isVectorGraph else {
      throw .usage("--tiles: only a RoutingKit graph can be tiled, got \(map)")
    }
    let subject: BenchmarkSubject
    let build: (() throws -> Void)?
    if isVectorGraph {
      let vectors = try GraphVectors(prefix: map)
      let name = vectors.name + (tiles > 1 ? " tiled \(tiles)x\(tiles)" : "")
      let (graph, points) = vectors.graph(tiles: tiles)
      subject = BenchmarkSubject(graph, at: points, name: name)
      build = { _ = BenchmarkSubject(graph, at: points, name: name) }
    } else {
      let points = try arguments.text(points).map { try PlaceTable(path: $0, role: .origin).places.map(\.coordinate) }
      subject = BenchmarkSubject(
        try arguments.network(of: map, console), name: (map as NSString).lastPathComponent, points: points ?? [])
      build = StreetNetwork.isNetworkFile(map) ? nil : { try rebuild(map, arguments.profile(of: map)) }
    }
    var benchmark = Benchmark(subject, options)
    var results: [BenchmarkResult] = []
    let isTable = !arguments.has(json)
    if isTable { try console.print(BenchmarkTable.head(subject, options)) }
    try benchmark.run(build: build) { result in
      results.append(result)
      if isTable { try console.print(BenchmarkTable.line(result)) }
    }
    if !isTable { try console.print(text(of: results)) }
    return .finished
  }

  private static func text(of results: [BenchmarkResult]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(results), as: UTF8.self)
  }

  /// Computes all travel times between the stops of a feed.
  private static func runTransit(
    _ feed: String, _ options: Benchmark.Options, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let benchmark = try TransitBenchmark(of: feed, cache: arguments.text(CommonOptions.cache))
    let folder = arguments.text(cells)
    var found: [UInt32]? = folder == nil ? nil : []
    let result = try benchmark.run(repetitions: options.repetitions, cells: &found)
    if let folder, let found { try benchmark.write(found, to: folder) }
    guard !arguments.has(json) else { return try console.finish(text(of: [result])) }
    return try console.finish("\(benchmark.summary)\n\(BenchmarkResult.machine)\n\n\(BenchmarkTable.line(result))")
  }

  private static func rebuild(_ map: String, _ profile: Profile) throws {
    let cache = NSTemporaryDirectory() + "odometer-bench-\(getpid())"
    try TemporaryFiles.make(cache) { try FileManager.makeFolder(cache) }
    defer {
      try? FileManager.default.removeItem(atPath: cache)
      TemporaryFiles.forget(cache)
    }
    _ = try StreetNetwork(map: map, profile: profile, cache: cache)
  }

  private static func randomPoints(_ count: Int, on network: StreetNetwork) -> String {
    var random = SeededGenerator(seed: 7)
    var lines = ["id,lon,lat"]
    for number in 1...count {
      let point = network.randomPoint(using: &random).coordinate
      lines.append("\(number),\(MeasureText.decimal(point.longitude, 7)),\(MeasureText.decimal(point.latitude, 7))")
    }
    return lines.joined(separator: "\n")
  }
}

/// The figures of a benchmark as a table.
enum BenchmarkTable {
  static func head(_ subject: BenchmarkSubject, _ options: Benchmark.Options) -> String {
    """
    \(subject.name)\(subject.network.map { " by \($0.profile.transportType.rawValue)" } ?? ""): \
    \(subject.graph.stateCount) states, \(subject.graph.arcCount) arcs, \(subject.hierarchy.arcCount) upward arcs
    \(BenchmarkResult.machine); seed \(Benchmark.seed), \(options.queryCount) random pairs, \
    \(options.repetitions) runs after one to warm up

    \(columns("scenario", "median", "min", "max", "CPU", "per second", "peak"))
    """
  }

  static func line(_ result: BenchmarkResult) -> String {
    let row = columns(
      result.scenario, BenchmarkResult.seconds(result.median), BenchmarkResult.seconds(result.minimum),
      BenchmarkResult.seconds(result.maximum),
      BenchmarkResult.seconds(result.cpu), "\(rate(result.perSecond)) \(result.unit)",
      "\(Int(result.peakMegabytes)) MB")
    let checked = result.checked.map { "\($0) answers equal to Dijkstra's" }
    let bytes = result.bytesPerCell.map { "\(Int($0)) bytes per cell" }
    let notes = [result.note, bytes ?? "", checked ?? ""].filter { !$0.isEmpty }
    return notes.isEmpty ? row : row + "\n    " + notes.joined(separator: "; ")
  }

  private static func columns(_ cells: String...) -> String {
    zip(cells, [36, 10, 10, 10, 10, 22, 10]).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index == 0 ? cell.0 + padding : padding + cell.0
    }.joined()
  }

  private static func rate(_ value: Double) -> String {
    value >= 1e6
      ? "\(MeasureText.decimal(value / 1e6, 1)) M"
      : value >= 1e4 ? "\(MeasureText.decimal(value / 1e3, 1)) k" : MeasureText.decimal(value, 1)
  }
}

extension Benchmark.Options {
  /// Reads the options of `odometer bench`.
  init(_ arguments: Arguments) throws {
    self.init()
    if let text = arguments.text(BenchCommand.kinds) { kinds = try text.split(separator: ",").map(Self.kind) }
    if let text = arguments.text(BenchCommand.traces) {
      traces = try TraceTable([text], TraceFormat())
      if arguments.text(BenchCommand.kinds) == nil { kinds = [.traces] }
      accuracy = try arguments.value(BenchCommand.accuracy, "metres from 1 to 1000") {
        Double($0).flatMap { (1...1000).contains($0) ? $0 : nil }
      }
    } else if arguments.has(BenchCommand.kinds), kinds.contains(.traces) {
      throw .usage("--kinds: traces needs --traces FILE")
    } else if arguments.has(BenchCommand.accuracy) {
      throw .usage("--accuracy needs --traces FILE")
    }
    if let text = arguments.text(BenchCommand.sizes) { sizes = try text.split(separator: ",").map(Self.size) }
    if let text = arguments.text(BenchCommand.nearest) { nearest = try Self.nearest(text) }
    repetitions = try arguments.count(BenchCommand.repetitions) ?? repetitions
    workers = try arguments.count(BenchCommand.workers) ?? 1
    checks = try arguments.count(BenchCommand.check, atMost: 10_000_000) ?? 0
  }

  private static func kind(_ text: Substring) throws -> Benchmark.Kind {
    guard let kind = Benchmark.Kind(rawValue: String(text)) else {
      throw Arguments.unknown(String(text), of: Benchmark.Kind.allCases.map(\.rawValue), for: "--kinds")
    }
    return kind
  }

  private static func size(_ text: Substring) throws -> Benchmark.Size {
    guard let match = text.wholeMatch(of: /(\d+)x(\d+)/), let rows = Int(match.1), let columns = Int(match.2),
      (1...10_000_000).contains(rows), (1...10_000_000).contains(columns)
    else { throw .usage("--sizes: got \(text), expected ROWSxCOLUMNS, e.g. 1000x1000") }
    return Benchmark.Size(rows, columns)
  }

  private static func nearest(_ text: String) throws -> (Int, Int) {
    guard let match = text.wholeMatch(of: /(\d+)of(\d+)/), let count = Int(match.1), let targets = Int(match.2),
      (1...100).contains(count), (1...10_000_000).contains(targets)
    else { throw .usage("--nearest: got \(text), expected KofM, e.g. 3of200") }
    return (count, targets)
  }
}
