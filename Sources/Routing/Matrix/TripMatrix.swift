import Geography
import Hierarchy
import OpeningHours
import StreetNetwork

/// A matrix of all trips between two lists of places: times and, on request, distances. They agree with `Router.weight`
/// to the millisecond and centimetre.
///
/// Trips that need no search (along one street, or from a place to itself) are merged into the engine's cells.
/// Immutable and shared by all threads; each thread has its own `TripMatrixQuery`.
package struct TripMatrix: MatrixEngine {
  package let matrix: Matrix
  let network: StreetNetwork
  let origins: [TripEnd?]
  let destinations: [TripEnd?]
  private let columns: StreetPlaces
  private let closed: Closure?

  /// - Parameters:
  ///   - origins: The rows; nil for places that are not on a street, which have no trips.
  ///   - time: The time at which turns and streets must be open. If some are closed, a hierarchy without them is built
  ///     first.
  ///   - workers: The number of threads for preparation.
  package init(
    _ network: StreetNetwork, from origins: [TripEnd?], to destinations: [TripEnd?], distances: Bool,
    at time: LocalTime? = nil, plan: MatrixPlan? = nil, workers: Int = 1
  ) {
    self.network = network
    self.origins = origins
    self.destinations = destinations
    closed = network.closure(at: time)
    let closed = closed
    matrix = Matrix(
      network.hierarchy(without: closed),
      from: SeedTable(count: origins.count, workers: workers) {
        origins[$0].map { network.sources($0, closed: closed) } ?? []
      },
      to: SeedTable(count: destinations.count, workers: workers) {
        destinations[$0].map { network.targets($0, closed: closed) } ?? []
      }, lengths: distances, plan: plan, workers: workers)
    columns = StreetPlaces(destinations)
  }

  package var blocks: [Range<Int>] { matrix.blocks }
  package var explanation: String { "\(matrix.plan)" }
  package var seconds: Double { matrix.plan.costs[matrix.plan.engine] ?? 0 }
  package var sharedMemory: Int { 0 }
  package var clock: StreetClock? { nil }
  package var workerMemory: Int { matrix.plan.sweptStates * 64 * (matrix.hasLengths ? 2 : 1) }

  package func makeFill() -> (Range<Int>) -> MatrixBlock {
    let (query, block) = (TripMatrixQuery(self), MatrixBlock(matrix))
    return { rows in
      query.fill(block, rows: rows)
      return block
    }
  }

  /// Calls `body` with each cell of a row that needs no search, and its weight.
  fileprivate func forEachDirect(from row: Int, _ body: (_ column: Int, _ weight: Weight) -> Void) {
    guard let origin = origins[row] else { return }
    columns.forEach(on: network.directStreets(from: origin.snap)) { column in
      if let weight = network.directWeight(from: origin, to: destinations[column]!, closed: closed) {
        body(column, weight)
      }
    }
  }
}

/// A query that fills blocks of a `TripMatrix`. Each thread needs its own object.
package final class TripMatrixQuery {
  private let trips: TripMatrix
  private let query: MatrixQuery

  package init(_ trips: TripMatrix) {
    self.trips = trips
    query = MatrixQuery(trips.matrix)
  }

  /// Returns the nearest destinations of a row, like `TripNearest`, but faster for a few rows on a large map.
  package func nearest(row: Int, count: Int, within limit: UInt32) -> [NearestTable.Found] {
    let block = MatrixBlock(trips.matrix)
    fill(block, rows: row..<row + 1)
    return block.nearest(row: 0, count: count, within: limit)
  }

  package func fill(_ block: MatrixBlock, rows: Range<Int>) {
    query.fill(block, rows: rows)
    for row in rows {
      trips.forEachDirect(from: row) { column, weight in
        block.lower(row: row - rows.lowerBound, column: column, to: weight)
      }
    }
  }
}

extension MatrixBlock {
  /// Returns the nearest destinations of a row, like `TripNearest`.
  func nearest(row: Int, count: Int, within limit: UInt32) -> [NearestTable.Found] {
    let found = (0..<columns).map { NearestTable.Found(weight: weight(row: row, column: $0), target: $0) }
    return Array(found.filter { $0.weight.isFinite && $0.weight.milliseconds <= limit }.sorted().prefix(count))
  }
}
