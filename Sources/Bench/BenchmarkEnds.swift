import Foundation
import Geography
import Hierarchy
import Jobs
import Routing
import StreetNetwork

/// The snapped places of a benchmark, or its states if the subject is a graph.
struct BenchmarkEnds: Sendable {
  private let subject: BenchmarkSubject
  private let ends: [TripEnd?]
  private let states: [StateID]

  init(_ subject: BenchmarkSubject, _ places: [BenchmarkPlace]) throws {
    self.subject = subject
    states = places.compactMap { if case .state(let state) = $0 { state } else { nil } }
    ends = try BenchmarkEnds.snapped(places, subject)
  }

  static func snapped(_ places: [BenchmarkPlace], _ subject: BenchmarkSubject, workers: Int = 1) throws -> [TripEnd?] {
    guard let network = subject.network else { return [] }
    let points = places.compactMap { if case .point(let point) = $0 { point } else { nil } }
    return try JobContext.ends(at: points, on: network, Directions.Options(), workers: workers)
  }

  var count: Int { max(ends.count, states.count) }
  subscript(index: Int) -> TripEnd? { ends[index] }

  func sources(_ index: Int) -> [Seed] {
    guard let network = subject.network else { return [Seed(states[index])] }
    return ends[index].map { network.sources($0) } ?? []
  }

  func targets(_ index: Int) -> [Seed] {
    guard let network = subject.network else { return [Seed(states[index])] }
    return ends[index].map { network.targets($0) } ?? []
  }

  /// Returns the weights found by textbook Dijkstra.
  func oracle(_ source: Int, _ targets: [Int]) -> [Weight] {
    let weights = Dijkstra(subject.graph).weights(from: sources(source))
    return targets.map { target in
      let through = self.targets(target).map { weights[Int($0.state.index)] + $0.weight }.min() ?? .infinity
      guard let network = subject.network, let origin = ends[source], let destination = ends[target] else {
        return through
      }
      return min(through, network.directWeight(from: origin, to: destination) ?? .infinity)
    }
  }
}

struct BenchmarkRouter {
  private let ends: BenchmarkEnds
  private let router: Router?
  private let query: PathQuery
  private let labelQuery: LabelQuery?

  init(_ subject: BenchmarkSubject, _ ends: BenchmarkEnds, _ labels: UpperLabels? = nil) {
    self.ends = ends
    router = subject.network.map { Router($0, Directions.Options(), labels: labels) }
    query = PathQuery(subject.hierarchy)
    labelQuery = labels.map { LabelQuery($0) }
  }

  func weight(_ source: Int, _ target: Int) -> Weight {
    guard let router else {
      let (sources, targets) = (ends.sources(source), ends.targets(target))
      guard let labelQuery else { return query.weight(from: sources, to: targets) ?? .infinity }
      return labelQuery.weight(from: sources, to: targets) ?? .infinity
    }
    guard let from = ends[source], let to = ends[target] else { return .infinity }
    return router.weight(from: from, to: to) ?? .infinity
  }

  /// Computes a route, or only its weight without `withPath`, and returns a checksum.
  func compute(_ source: Int, _ target: Int, withPath: Bool) -> UInt64 {
    guard withPath else { return UInt64(weight(source, target).milliseconds) }
    guard let router else {
      return UInt64(query.path(from: ends.sources(source), to: ends.targets(target))?.arcs.count ?? 0)
    }
    guard let from = ends[source], let to = ends[target] else { return 0 }
    return router.route(from: from, to: to).map { UInt64($0.weight.centimetres) &+ UInt64($0.steps.count) } ?? 0
  }
}

/// A matrix for benchmarks; creating it includes snapping the places.
struct BenchmarkMatrix: Sendable {
  private let trips: TripMatrix?
  private let matrix: Matrix

  init(
    _ subject: BenchmarkSubject, _ rows: [BenchmarkPlace], _ columns: [BenchmarkPlace], distances: Bool,
    workers: Int = 1
  ) throws {
    if let network = subject.network {
      trips = TripMatrix(
        network, from: try BenchmarkEnds.snapped(rows, subject, workers: workers),
        to: try BenchmarkEnds.snapped(columns, subject, workers: workers), distances: distances, workers: workers)
      matrix = trips!.matrix
    } else {
      func states(_ places: [BenchmarkPlace]) -> SeedTable {
        SeedTable(states: places.compactMap { if case .state(let state) = $0 { state } else { nil } })
      }
      trips = nil
      matrix = Matrix(subject.hierarchy, from: states(rows), to: states(columns), lengths: distances)
    }
  }

  var plan: MatrixPlan { matrix.plan }
  var blocks: [Range<Int>] { matrix.blocks }

  /// Returns a function for one thread that fills a block of rows and returns its checksum.
  func filler() -> (Range<Int>) -> UInt64 {
    let fill = filling()
    return { rows in
      let block = fill(rows)
      return rows.reduce(0) { sum, row in
        sum &+ UInt64(block.times(row: row - rows.lowerBound)[row % max(1, block.columns)])
      }
    }
  }

  private func filling() -> (Range<Int>) -> MatrixBlock {
    if let trips { return trips.makeFill() }
    let (query, block) = (MatrixQuery(matrix), MatrixBlock(matrix))
    return { rows in
      query.fill(block, rows: rows)
      return block
    }
  }

  func row(_ row: Int, columns: [Int]) -> [Weight] {
    let block = filling()(row..<row + 1)
    return columns.map { block.weight(row: 0, column: $0) }
  }
}

/// The subject of a benchmark: the network of a map, or a graph.
package struct BenchmarkSubject: Sendable {
  package let name: String
  package let graph: ArcGraph
  package let hierarchy: Hierarchy
  /// Nil if the subject is a graph.
  package let network: StreetNetwork?
  /// The given points; empty for random ones, which are the same in every run.
  private let given: [FixedCoordinate]

  /// - Parameter points: Origins and destinations; random places near streets if empty.
  package init(_ network: StreetNetwork, name: String, points: [FixedCoordinate] = []) {
    self.name = name
    self.network = network
    graph = network.arcs(without: nil)
    hierarchy = network.hierarchy
    given = points
  }

  /// Creates a subject from a graph whose states lie at `points` in a plane; builds its hierarchy.
  package init(_ graph: ArcGraph, at points: [SIMD2<Int32>], name: String) {
    self.name = name
    self.graph = graph
    network = nil
    hierarchy = Hierarchy(contracting: graph, at: points)
    given = []
  }

  /// Returns `count` random places, different in each call.
  func places(_ count: Int, _ random: inout SeededGenerator) -> [BenchmarkPlace] {
    guard let network else {
      return (0..<count).map { _ in .state(StateID(Int.random(in: 0..<graph.stateCount, using: &random))) }
    }
    guard given.isEmpty else {
      return (0..<count).map { _ in .point(given[Int.random(in: given.indices, using: &random)]) }
    }
    return (0..<count).map { _ in .point(network.randomPoint(using: &random)) }
  }
}

/// A place in a benchmark: an unsnapped point, or a state of a graph.
enum BenchmarkPlace: Sendable {
  case point(FixedCoordinate)
  case state(StateID)
}

extension StreetNetwork {
  /// Returns a point within about thirty metres of a random street.
  package func randomPoint(using random: inout SeededGenerator) -> FixedCoordinate {
    let shape = shape(of: StreetID(Int.random(in: 0..<streetCount, using: &random)))
    let point = points[Int.random(in: shape, using: &random)]
    return FixedCoordinate(
      longitude: point.longitude + .random(in: -2000...2000, using: &random),
      latitude: point.latitude + .random(in: -2000...2000, using: &random))
  }
}
