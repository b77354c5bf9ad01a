import Foundation
import Geography
import Jobs
import StreetNetwork

/// `odometer bench MAP`.
enum BenchCommand: Command {
  static let name = "bench"
  static let summary = "Measures the engine on a map, and checks its answers."
  static let operands = ["MAP"]
  static let options = [
    Shared.by, Shared.profile, Shared.cache,
    .init(name: "kinds", value: "LIST", help: "of build,p2p,paths,matrix,nearest (default: all)"),
    .init(name: "sizes", value: "LIST", help: "of matrices (default: 1000x1000,3000x3000,10000x10000,100000x100)"),
    .init(name: "nearest", value: "KofM", help: "the nearest K of M places for every state (default: 3of200)"),
    .init(name: "points", value: "FILE", help: "where trips start and end: CSV or GeoJSON of points (default: random)"),
    .init(name: "repeat", value: "N", help: "runs of each scene after one to warm up (default: 3)"),
    .init(name: "workers", value: "N", help: "threads for matrices (default: 1)"),
    .init(name: "check", value: "N", help: "compare N answers of each scene with Dijkstra's (default: 0)"),
    .init(name: "tiles", value: "N", help: "for vectors: N by N copies of the graph, joined at their seams"),
    .init(name: "json", value: nil, help: "print a JSON array instead of a table"),
    .init(name: "make-points", value: "N", help: "print N random points near streets as CSV, and measure nothing"),
  ]
  static let details = """
    MAP is an extract, or the prefix of a graph in RoutingKit's vectors (first_out, head, travel_time, geo_distance,
    latitude, longitude):

        odometer bench data/helsinki.osm.pbf --check 1000
        odometer bench luxembourg-graph/luxembourg_ --tiles 4 --kinds matrix --sizes 10000x10000

    p2p asks random pairs, then pairs by Dijkstra rank (2^12: the 4,096th nearest state); paths adds the way, on a map
    with shape, steps and instructions; matrix goes from points to cells, snapping included, with times alone and with
    distances; nearest answers for every state. Times are medians of wall seconds, with the least and the most; CPU is of
    all threads. An answer that differs from Dijkstra's ends the benchmark with code 1.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let map = arguments.operands[0]
    let options = try self.options(arguments)
    if let count = try arguments.count("make-points", atMost: 10_000_000) {
      printPoints(count, on: try Shared.network(map, arguments))
      return .finished
    }
    let isVectors = FileManager.default.fileExists(atPath: map + "first_out")
    let tiles = try arguments.count("tiles", atMost: 32) ?? 1
    guard tiles == 1 || isVectors else {
      throw UsageError("--tiles: only a graph in vectors can be tiled; \(map) is none")
    }
    let subject: BenchmarkSubject
    let build: () throws -> Void
    if isVectors {
      let vectors = try GraphVectors(prefix: map)
      let name = vectors.name + (tiles > 1 ? " tiled \(tiles)x\(tiles)" : "")
      let graph = vectors.graph(tiles: tiles)
      subject = BenchmarkSubject(graph, name: name)
      build = { _ = BenchmarkSubject(graph, name: name) }
    } else {
      let points = try arguments.text("points").map { try PlaceTable(path: $0, role: .origin).places.map(\.coordinate) }
      subject = BenchmarkSubject(
        try Shared.network(map, arguments), name: (map as NSString).lastPathComponent, points: points ?? [])
      build = { try buildAnew(map, Shared.profile(arguments)) }
    }
    var benchmark = Benchmark(subject, options)
    var results: [BenchmarkResult] = []
    let isTable = !arguments.has("json")
    if isTable { print(head(subject)) }
    do {
      try benchmark.run(build: build) { result in
        results.append(result)
        if isTable { print(line(result)) }
      }
    } catch let error as BenchmarkError {
      note(error.description)
      return .notAllOK
    }
    if !isTable {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(results), as: UTF8.self))
    }
    return .finished
  }

  private static func options(_ arguments: Arguments) throws -> Benchmark.Options {
    var options = Benchmark.Options()
    if let text = arguments.text("kinds") {
      options.kinds = try text.split(separator: ",").map { word in
        guard let kind = Benchmark.Kind(rawValue: String(word)) else {
          let allowed = Benchmark.Kind.allCases.map(\.rawValue).joined(separator: ", ")
          throw UsageError("--kinds: found \(word), allowed: \(allowed)")
        }
        return kind
      }
    }
    if let text = arguments.text("sizes") {
      options.sizes = try text.split(separator: ",").map { word in
        let numbers = word.split(separator: "x").map { Int($0) ?? 0 }
        guard numbers.count == 2, numbers.allSatisfy({ (1...10_000_000).contains($0) }) else {
          throw UsageError("--sizes: found \(word), allowed: rows x columns, as 1000x1000")
        }
        return Benchmark.Size(numbers[0], numbers[1])
      }
    }
    if let text = arguments.text("nearest") {
      let numbers = text.split(separator: "o").map { Int($0.drop { $0 == "f" }) ?? 0 }
      guard numbers.count == 2, (1...100).contains(numbers[0]), (1...10_000_000).contains(numbers[1]) else {
        throw UsageError("--nearest: found \(text), allowed: as 3of200")
      }
      options.nearest = (numbers[0], numbers[1])
    }
    options.repetitions = try arguments.count("repeat") ?? options.repetitions
    options.workers = try arguments.count("workers") ?? 1
    options.checks = try arguments.count("check", atMost: 10_000_000) ?? 0
    return options
  }

  private static func buildAnew(_ map: String, _ profile: Profile) throws {
    let cache = NSTemporaryDirectory() + "odometer-bench-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: cache) }
    _ = try StreetNetwork(map: map, profile: profile, cache: cache)
  }

  private static func printPoints(_ count: Int, on network: StreetNetwork) {
    var random = SeededGenerator(seed: 7)
    var text = "id,lon,lat\n"
    for number in 1...count {
      let point = network.randomPoint(using: &random).coordinate
      text += "\(number),\(decimal(point.longitude, 7)),\(decimal(point.latitude, 7))\n"
    }
    print(text, terminator: "")
  }

  // MARK: Table

  private static func head(_ subject: BenchmarkSubject) -> String {
    """
    \(subject.name)\(subject.network.map { " by \($0.profile.transportType.rawValue)" } ?? ""): \
    \(subject.graph.stateCount) states, \(subject.graph.arcCount) arcs, \(subject.hierarchy.arcCount) upward arcs

    \(columns("scene", "median", "least", "most", "CPU", "per second", "peak"))
    """
  }

  private static func line(_ result: BenchmarkResult) -> String {
    let row = columns(
      result.scene, seconds(result.median), seconds(result.least), seconds(result.most),
      seconds(result.cpu), "\(rate(result.perSecond)) \(result.unit)",
      "\(Int(result.peakMegabytes)) MB")
    let checked = result.checked.map { "\($0) answers as Dijkstra's" }
    let bytes = result.bytesPerCell.map { "\(Int($0)) bytes a cell" }
    let notes = [result.note, bytes ?? "", checked ?? ""].filter { !$0.isEmpty }
    return notes.isEmpty ? row : row + "\n    " + notes.joined(separator: "; ")
  }

  private static func columns(_ cells: String...) -> String {
    zip(cells, [36, 10, 10, 10, 10, 22, 10]).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index == 0 ? cell.0 + padding : padding + cell.0
    }.joined()
  }

  private static func seconds(_ value: Double) -> String {
    value < 1 ? "\(decimal(value * 1000, 2)) ms" : "\(decimal(value, 2)) s"
  }

  private static func rate(_ value: Double) -> String {
    value >= 1e6 ? "\(decimal(value / 1e6, 1)) M" : value >= 1e4 ? "\(decimal(value / 1e3, 1)) k" : decimal(value, 1)
  }
}
