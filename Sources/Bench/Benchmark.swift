import Foundation
import Geography
import Hierarchy
import Input
import Jobs
import Routing
import StreetNetwork

/// A benchmark of the engine on a map or a graph: runs one scenario at a time and checks answers against Dijkstra's
/// algorithm.
package struct Benchmark {
  private let subject: BenchmarkSubject
  private let options: Options
  private var random = SeededGenerator(seed: Benchmark.seed)
  /// Seconds per point-to-point query on this machine; measured before the first matrix.
  private var pairSeconds: Double?

  /// The seed of all random places.
  package static let seed: UInt64 = 1

  package struct Options: Sendable {
    package var kinds = Kind.allCases
    /// Rows and columns of matrices.
    package var sizes = [Size(1000, 1000), Size(3000, 3000), Size(10_000, 10_000), Size(100_000, 100)]
    /// The number of nearest places to find, and the number of candidates.
    package var nearest = (count: 3, of: 200)
    package var queryCount = 10_000
    package var repetitions = 3
    package var workers = 1
    /// The number of answers per scenario to compare with the oracle.
    package var checks = 0
    /// The traces of scenario `traces`, and the standard deviation of their fixes in metres; nil to estimate it.
    package var traces: TraceTable?
    package var accuracy: Double?
    package init() {}
  }

  package enum Kind: String, CaseIterable, Sendable { case build, p2p, paths, matrix, hours, nearest, routes, traces }

  package struct Size: Sendable, Hashable {
    package var rows: Int
    package var columns: Int
    package init(_ rows: Int, _ columns: Int) { (self.rows, self.columns) = (rows, columns) }
  }

  package init(_ subject: BenchmarkSubject, _ options: Options) {
    self.subject = subject
    self.options = options
  }

  /// Runs the scenarios one after another, and calls `report` after each. `build` builds the network from scratch; nil
  /// if that is impossible.
  ///
  /// *Throws*: `OdometerError` if an answer is wrong; errors from `build`.
  package mutating func run(build: (() throws -> Void)?, report: (BenchmarkResult) throws -> Void) throws {
    for kind in options.kinds {
      switch kind {
      case .build:
        guard let build else { continue }
        try report(
          try measure(
            "build", 1, "networks", note: "reading, building the hierarchy, and writing the network file"
          ) {
            try build()
            return 0
          })
      case .p2p:
        try report(measureQueries("p2p", withPaths: false))
        try report(measureQueries("p2p by labels", withPaths: false, byLabels: true))
        for result in try measureQueriesByRank() { try report(result) }
      case .paths: try report(measureQueries("paths", withPaths: true))
      case .matrix:
        for size in options.sizes {
          for distances in [false, true] { try report(measureMatrix(size, distances: distances)) }
        }
      case .hours: for result in try measureDepartures() { try report(result) }
      case .nearest: try report(measureNearest())
      case .routes: if let result = try measureRoutes() { try report(result) }
      case .traces: if let traces = options.traces { try report(measureMatching(traces)) }
      }
    }
  }

  private func measure(
    _ scenario: String, _ count: Int, _ unit: String, note: String = "", _ body: () throws -> UInt64
  ) throws -> BenchmarkResult {
    try BenchmarkResult(
      scenario, count, unit, repetitions: options.repetitions, warmUp: scenario == "build" ? 0 : 1, note: note, body)
  }

  // MARK: Queries

  /// Measures point-to-point queries between random snapped places.
  private mutating func measureQueries(
    _ scenario: String, withPaths: Bool, byLabels: Bool = false
  ) throws -> BenchmarkResult {
    let ends = try BenchmarkEnds(subject, subject.places(2 * options.queryCount, &random))
    let pairs = (0..<options.queryCount).map { ($0, $0 + options.queryCount) }
    let start = ContinuousClock.now
    let labels = byLabels ? UpperLabels(subject.hierarchy) : nil
    let preparation = labels.map { _ in
      "; labels were built in \(Int((ContinuousClock.now - start) / .milliseconds(1))) ms"
    }
    let router = BenchmarkRouter(subject, ends, labels)
    let note =
      "a query is a pair of places on their streets, without snapping; the answer is "
      + (withPaths
        ? (subject.network == nil ? "the arcs of its path" : "shape, steps, instructions") : "time and distance")
      + (preparation ?? "")
    var result = try measure(scenario, pairs.count, withPaths ? "routes" : "queries", note: note) {
      pairs.reduce(0) { $0 &+ router.compute($1.0, $1.1, withPath: withPaths) }
    }
    result.checked = try check(scenario, ends) { row, columns in columns.map { router.weight(row, $0) } }
    return result
  }

  /// Measures complete routes between random coordinates, computed as in a program that uses the library; nil for a
  /// graph.
  private mutating func measureRoutes() throws -> BenchmarkResult? {
    guard let network = subject.network else { return nil }
    let places = subject.places(2 * options.queryCount, &random)
    let named = places.compactMap {
      if case .point(let point) = $0 { Place(coordinate: point.coordinate) } else { nil }
    }
    let directions = Directions(network: network)
    func routes(_ source: Int, _ destination: Int) -> [Route] {
      let request = DirectionsRequest(source: named[source], destination: named[destination])
      return (try? directions.calculateAndWait(request)) ?? []
    }
    var result = try measure(
      "routes", options.queryCount, "routes",
      note: "a route is an object with shape, steps and instructions, from coordinates, snapping included"
    ) {
      (0..<options.queryCount).reduce(0) { sum, source in
        let found = routes(source, source + options.queryCount)
        return found.reduce(sum) { $0 &+ UInt64($1.distance * 100) &+ UInt64($1.steps.count) }
      }
    }
    result.checked = try check("routes", BenchmarkEnds(subject, places)) { source, destinations in
      destinations.map { destination in
        routes(source, destination).first.map { route in
          Weight(
            milliseconds: UInt32((route.expectedTravelTime * 1000).rounded()),
            centimetres: UInt32((route.distance * 100).rounded()))
        } ?? .infinity
      }
    }
    return result
  }

  /// Measures queries between states by Dijkstra rank, since short queries differ from random ones.
  private mutating func measureQueriesByRank() throws -> [BenchmarkResult] {
    let sources = (0..<32).map { _ in StateID(Int.random(in: 0..<subject.graph.stateCount, using: &random)) }
    var targets: [[Seed]] = []
    let query = ReachQuery(subject.graph)
    for source in sources {
      targets.append(query.reached(from: [Seed(source)], within: Weight.infinity.milliseconds - 1))
    }
    let path = PathQuery(subject.hierarchy)
    return try (6..<32).filter { rank in targets.contains { $0.count > 1 << rank } }.map { rank in
      let pairs = zip(sources, targets).compactMap { source, reached in
        reached.count > 1 << rank ? (source, reached[1 << rank]) : nil
      }
      for (source, target) in pairs where options.checks > 0 {
        guard path.weight(from: [Seed(source)], to: [Seed(target.state)]) == target.weight else {
          throw OdometerError("p2p: wrong answer to a query of rank 2^\(rank)", cause: .different)
        }
      }
      let rounds = 50
      var result = try measure(
        "p2p rank 2^\(rank)", pairs.count * rounds, "queries",
        note: "a query is a pair of states; the second is the 2^\(rank)th nearest to the first; the answer is its time"
      ) {
        var sum: UInt64 = 0
        for _ in 0..<rounds {
          for (source, target) in pairs {
            sum &+= UInt64(path.weight(from: [Seed(source)], to: [Seed(target.state)])?.milliseconds ?? 0)
          }
        }
        return sum
      }
      if options.checks > 0 { result.checked = pairs.count }
      return result
    }
  }

  // MARK: Matrices

  private mutating func measureMatrix(_ size: Size, distances: Bool) throws -> BenchmarkResult {
    let places = (subject.places(size.rows, &random), subject.places(size.columns, &random))
    let scenario = "matrix \(size.rows)x\(size.columns)" + (distances ? " with distances" : "")
    var plan = ""
    let workers = options.workers
    let note = "a cell is a time\(distances ? " and a distance" : ""); from points to cells, snapping included"
    var result = try measure(scenario, size.rows * size.columns, "cells", note: note) {
      let task = try BenchmarkMatrix(subject, places.0, places.1, distances: distances, workers: workers)
      plan = task.plan.method
      var sum: UInt64 = 0
      try Pipeline.run(
        task.blocks, workers: workers,
        makeWorker: {
          let filler = task.filler()
          return { rows in filler(rows) }
        }, write: { for part in $0 { sum &+= part } })
      return sum
    }
    let pair = try secondsPerPair()
    let byPairs = BenchmarkResult.seconds(pair * Double(size.rows * size.columns))
    result.note += "; \(plan); pair by pair (\(BenchmarkResult.seconds(pair)) each, measured here): \(byPairs)"
    result.bytesPerCell = distances ? 8 : 4
    guard options.checks > 0 else { return result }
    let ends = try BenchmarkEnds(subject, places.0 + places.1)
    let cells = try BenchmarkMatrix(subject, places.0, places.1, distances: distances)
    result.checked = try check(scenario, ends, rows: size.rows, ignoringLength: !distances) { row, columns in
      cells.row(row, columns: columns.map { $0 - size.rows })
    }
    return result
  }

  /// Returns the CPU seconds of a point-to-point query between snapped places: 1,000 pairs, the median of three runs.
  private mutating func secondsPerPair() throws -> Double {
    if let pairSeconds { return pairSeconds }
    let count = 1000
    // A separate generator, so that the places of the scenarios do not change.
    var random = SeededGenerator(seed: Benchmark.seed + 1)
    let ends = try BenchmarkEnds(subject, subject.places(2 * count, &random))
    let router = BenchmarkRouter(subject, ends)
    let result = try BenchmarkResult("pairs", count, "queries", repetitions: 3, warmUp: 1) {
      (0..<count).reduce(0) { $0 &+ router.compute($1, $1 + count, withPath: false) }
    }
    let seconds = result.cpu / Double(count)
    pairSeconds = seconds
    return seconds
  }

  // MARK: Hours

  /// Measures sixteen departures from random origins to all states, in lanes and one by one. A row is one origin at one
  /// departure.
  private mutating func measureDepartures() throws -> [BenchmarkResult] {
    let hours = BenchmarkHours(subject)
    let count = hours.departures.count
    let sources = (0..<32).map { _ in StateID(Int.random(in: 0..<subject.graph.stateCount, using: &random)) }
    let graph = LaneGraph(hours.timed, .departing)
    let table = LaneTable(hours.departures, for: graph)
    let target = StateID(0)
    var results: [BenchmarkResult] = []
    for hasLengths in [false, true] {
      let lanes = DepartureLanes(graph, lengths: hasLengths)
      let scenario = hasLengths ? "hours in lanes with distances" : "hours in lanes"
      results.append(
        try measure(
          scenario, sources.count * count, "rows", note: "a row is one departure to all states; \(count) run at once"
        ) {
          sources.reduce(0) { sum, source in
            lanes.search(Array(repeating: [TimedSeed(source)], count: count), table)
            return sum &+ UInt64(lanes.offset(at: target, lane: 0) ?? 0)
          }
        })
      guard options.checks > 0 else { continue }
      let oracle = TimedDijkstra(hours.timed)
      for source in sources.prefix(max(1, options.checks / 1000)) {
        lanes.search(Array(repeating: [TimedSeed(source)], count: count), table)
        for (lane, departure) in hours.departures.enumerated() {
          let moments = oracle.moments(from: [TimedSeed(source)], departingAt: departure)
          for (state, moment) in moments.enumerated()
          where lanes.offset(at: StateID(state), lane: lane) != moment.map({ $0.0 - departure }) {
            throw OdometerError("\(scenario): the arrival at state \(state) is wrong", cause: .different)
          }
          results[results.count - 1].checked = (results[results.count - 1].checked ?? 0) + moments.count
        }
      }
    }
    let search = ClockSearch(hours.timed)
    results.append(
      try measure(
        "hours one by one", count, "rows",
        note: "a row is one departure to all states, by time-dependent Dijkstra"
      ) {
        zip(sources, hours.departures).reduce(0) { sum, row in
          sum &+ UInt64(search.arrivals(from: row.0, at: row.1)[Int(target.index)])
        }
      })
    return results
  }

  // MARK: Nearest

  /// Measures finding the nearest places of every state. Origins partway along a street, as in kind `access`, cost
  /// more.
  private mutating func measureNearest() throws -> BenchmarkResult {
    let (count, total) = options.nearest
    let ends = try BenchmarkEnds(subject, subject.places(total, &random))
    let targets = SeedTable(count: total, ends.targets)
    var table: NearestTable?
    let note = "the answer for a state is its \(count) nearest places and their times; includes building the table"
    var result = try measure("nearest \(count) of \(total)", subject.graph.stateCount, "states", note: note) {
      let found = NearestTable(subject.hierarchy, to: targets, count: count)
      table = found
      var sum: UInt64 = 0
      for state in 0..<subject.graph.stateCount {
        for index in 0..<count {
          guard let nearest = found.nearest(to: StateID(state), index: index) else { break }
          sum &+= UInt64(nearest.weight.centimetres) &+ UInt64(nearest.target)
        }
      }
      return sum
    }
    guard options.checks > 0, let table else { return result }
    let oracle = Dijkstra(subject.graph)
    for _ in 0..<max(1, options.checks / 100) {
      let state = StateID(Int.random(in: 0..<subject.graph.stateCount, using: &random))
      let weights = oracle.weights(from: [Seed(state)])
      let all = (0..<total).compactMap { target -> NearestTable.Found? in
        let weight = targets[target].map { weights[Int($0.state.index)] + $0.weight }.min() ?? .infinity
        return weight.isFinite ? .init(weight: weight, target: target) : nil
      }
      guard table.nearest(from: [Seed(state)]) == Array(all.sorted().prefix(count)) else {
        throw OdometerError("nearest: the answer for state \(state.index) is wrong", cause: .different)
      }
    }
    result.checked = max(1, options.checks / 100)
    return result
  }

  // MARK: Traces

  /// Measures the matching of all traces in memory: only the library's part of the work.
  private func measureMatching(_ table: TraceTable) throws -> BenchmarkResult {
    guard let network = subject.network else {
      throw OdometerError("traces: a graph alone has no streets to match to", cause: .different)
    }
    let traces = try table.chunks.flatMap { chunk in
      if let failure = chunk.failure { throw failure }
      return chunk.traces.map(\.fixes)
    }
    var matchOptions = MatchOptions()
    matchOptions.accuracy = options.accuracy
    matchOptions.comparesWithFastest = false
    let router = Router(network, Directions.Options())
    let matcher = TraceMatcher(router, matchOptions)
    let sigma = options.accuracy.map { "standard deviation \($0) m" } ?? "standard deviation estimated"
    let note = "fixes in memory are matched to streets, with times; \(sigma)"
    var result = try measure("traces", table.fixCount, "fixes", note: note) {
      traces.reduce(0) { sum, fixes in matcher.match(fixes).parts.reduce(sum) { $0 &+ $1.score } }
    }
    guard options.checks > 0 else { return result }
    let oracle = TraceMatcher(router, matchOptions, isOracle: true)
    for (index, fixes) in traces.prefix(options.checks).enumerated() {
      guard matcher.match(fixes).parts.map(\.score) == oracle.match(fixes).parts.map(\.score) else {
        throw OdometerError("traces: trace \(index) differs from the textbook algorithm's match", cause: .different)
      }
    }
    result.checked = min(traces.count, options.checks)
    return result
  }

  // MARK: Checks

  /// Compares the answers in random rows and columns with the oracle's. *Throws*: `OdometerError`.
  private mutating func check(
    _ scenario: String, _ ends: BenchmarkEnds, rows: Int? = nil, ignoringLength: Bool = false,
    _ answers: (_ row: Int, _ columns: [Int]) -> [Weight]
  ) throws -> Int? {
    guard options.checks > 0 else { return nil }
    let first = rows ?? ends.count / 2
    guard first > 0 && ends.count > first else { return nil }
    let columnCount = min(100, options.checks)
    for _ in 0..<(options.checks + columnCount - 1) / columnCount {
      let row = Int.random(in: 0..<first, using: &random)
      let columns = (0..<columnCount).map { _ in Int.random(in: first..<ends.count, using: &random) }
      let expected = ends.oracle(row, columns)
      for (column, (found, correct)) in zip(columns, zip(answers(row, columns), expected)) {
        guard ignoringLength ? found.milliseconds == correct.milliseconds : found == correct else {
          throw OdometerError(
            "\(scenario): from place \(row) to place \(column): found \(found), expected \(correct)", cause: .different)
        }
      }
    }
    return (options.checks + columnCount - 1) / columnCount * columnCount
  }
}

/// An optimized time-dependent Dijkstra search, one departure at a time: the baseline for the time-dependent engines.
/// The oracle `TimedDijkstra` is written for readability.
final class ClockSearch {
  private let timed: TimedGraph
  private var arrivalTimes: [UInt32]
  private var heap = SearchHeap()

  init(_ timed: TimedGraph) {
    self.timed = timed
    arrivalTimes = Array(repeating: StreetClock.never, count: timed.graph.stateCount)
  }

  deinit { heap.deallocate() }

  /// Returns the arrival at each state for a departure from `source` at `time`; `StreetClock.never` if unreachable.
  func arrivals(from source: StateID, at time: UInt32) -> [UInt32] {
    var (arrivalTimes, heap) = (arrivalTimes, heap)
    defer { self.heap = heap }
    let (timed, clock) = (timed, timed.clock)
    arrivalTimes[Int(source.index)] = time
    heap.removeAll()
    heap.push(key: UInt64(time), state: source.index)
    while let (key, state) = heap.popMin() {
      guard key == UInt64(arrivalTimes[Int(state)]) else { continue }
      for arc in timed.graph.arcs(from: StateID(state)) {
        let arrival = clock.arrival(timed.weight(of: ArcID(arc)), at: UInt32(key))
        let head = timed.graph.heads[arc]
        guard arrival < arrivalTimes[Int(head)] else { continue }
        arrivalTimes[Int(head)] = arrival
        heap.push(key: UInt64(arrival), state: head)
      }
    }
    return arrivalTimes
  }
}

/// A graph with sixteen departures on a Monday morning and synthetic speeds: slow at the peaks around 8:24 and 18:12,
/// especially on main roads. Identical in every run.
struct BenchmarkHours {
  let timed: TimedGraph
  /// In milliseconds on the clock: every quarter hour from 7:00.
  let departures: [UInt32] = (0..<16).map { (7 * 3600 + $0 * 900) * 1000 }

  /// In minutes.
  private static let period = 15
  /// The maximum reduction of speed, by level.
  private static let speedReductions = [0.18, 0.22, 0.26, 0.30, 0.34, 0.38, 0.42]

  init(_ subject: BenchmarkSubject) {
    let graph = subject.graph
    // Arcs with zero time would have no hourly speeds: the clock needs at least a millisecond.
    let weights = graph.weights.map { weight in
      Weight(milliseconds: max(1, weight.milliseconds), centimetres: weight.centimetres)
    }
    let arcs = ArcGraph(firstArc: graph.firstArc, heads: graph.heads, weights: Column(weights))
    let profiles = weights.map { UInt32(1 + BenchmarkHours.level(of: $0)) }
    let clock = StreetClock(
      SpeedProfiles(
        period: UInt32(BenchmarkHours.period) * 60_000,
        [Array(repeating: .one, count: BenchmarkHours.periodCount)]
          + BenchmarkHours.speedReductions.map(BenchmarkHours.profile))
    )
    timed = TimedGraph(
      arcs, profiles: Column(profiles), closings: Column(Array(repeating: UInt32(0), count: arcs.arcCount)),
      clock: clock)
  }

  private static var periodCount: Int { 7 * 24 * 60 / period }

  /// Returns the level of an arc: fast streets count as main roads, with a level for every 15 km/h.
  private static func level(of weight: Weight) -> Int {
    let speed = Double(weight.centimetres) / Double(weight.milliseconds) * 36
    return min(speedReductions.count - 1, Int(speed / 15))
  }

  private static func profile(depth: Double) -> [Slowness] {
    (0..<periodCount).map { index in
      let (day, minute) = (index * period / 1440, Double(index * period % 1440 + period / 2))
      guard day < 5 else { return .one }
      func peak(_ middle: Double, _ deviation: Double) -> Double {
        exp(-(minute - middle) * (minute - middle) / (2 * deviation * deviation))
      }
      return Slowness(1 / (1 - depth * min(1, peak(504, 45) + peak(1092, 60))))
    }
  }
}
