import Geography
import Hierarchy
import Routing
import StreetNetwork

/// Places of a benchmark, snapped.
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

  /// What textbook Dijkstra says.
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

/// Routes of a benchmark from point to point.
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

  /// Computes a route, and returns a number that depends on it.
  func compute(_ source: Int, _ target: Int, withPath: Bool) -> UInt64 {
    guard withPath else { return UInt64(weight(source, target).milliseconds) }
    guard let router else {
      return UInt64(query.path(from: ends.sources(source), to: ends.targets(target))?.arcs.count ?? 0)
    }
    guard let from = ends[source], let to = ends[target] else { return 0 }
    return router.route(from: from, to: to).map { UInt64($0.weight.centimetres) &+ UInt64($0.steps.count) } ?? 0
  }
}

/// A matrix of a benchmark, from places that are not yet snapped to cells.
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
        to: try BenchmarkEnds.snapped(columns, subject, workers: workers), distances: distances,
        workers: workers)
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

  /// Fills blocks, a thread's own, and returns a checksum of each.
  func filler() -> (Range<Int>) -> UInt64 {
    let block = MatrixBlock(matrix)
    let fill = filling()
    return { rows in
      fill(block, rows)
      return rows.reduce(0) { sum, row in
        sum &+ UInt64(block.times(row: row - rows.lowerBound)[row % max(1, block.columns)])
      }
    }
  }

  private func filling() -> (MatrixBlock, Range<Int>) -> Void {
    if let trips {
      let query = TripMatrixQuery(trips)
      return { query.fill($0, rows: $1) }
    }
    let query = MatrixQuery(matrix)
    return { query.fill($0, rows: $1) }
  }

  func row(_ row: Int, columns: [Int]) -> [Weight] {
    let block = MatrixBlock(matrix)
    filling()(block, row..<row + 1)
    return columns.map { block.weight(row: 0, column: $0) }
  }
}
