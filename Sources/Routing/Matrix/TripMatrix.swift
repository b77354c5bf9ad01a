import Geography
import Hierarchy
import OpeningHours
import StreetNetwork

/// A matrix of all trips between two lists of places: times and, on request, distances, which agree with
/// `Router.weight` to the millisecond and centimetre.
///
/// Trips that need no search (along one street, or from a place to itself) are merged into the engine's cells.
/// Immutable and shared by all threads.
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
  package var workerMemory: Int { MatrixQuery.memory(of: matrix) }

  package func makeFill() -> (Range<Int>) -> MatrixBlock {
    let (query, block) = (MatrixQuery(matrix), MatrixBlock(matrix))
    return { rows in
      query.fill(block, rows: rows)
      for row in rows {
        guard let origin = origins[row] else { continue }
        columns.forEachDirect(origin, leaves: true, on: network, closed) { column, weight in
          block.lower(row: row - rows.lowerBound, column: column, to: weight)
        }
      }
      return block
    }
  }
}

extension MatrixBlock {
  /// Returns the nearest destinations of a row, like `TripNearest`.
  package func nearest(row: Int, count: Int, within limit: UInt32) -> [NearestTable.Found] {
    let found = (0..<columns).map { NearestTable.Found(weight: weight(row: row, column: $0), target: $0) }
    return Array(found.filter { $0.weight.isFinite && $0.weight.milliseconds <= limit }.sorted().prefix(count))
  }
}

/// The nearest of a fixed list of places, for any number of other places; times and distances agree with
/// `Router.weight`.
///
/// Takes one sweep over the whole network in advance, then about a microsecond per origin. Immutable and shared by all
/// threads.
package struct TripNearest: Sendable {
  private let network: StreetNetwork
  private let direction: NearestTable.Direction
  private let table: NearestTable
  private let closed: Closure?
  private let placesOnStreets: StreetPlaces

  /// - Parameters:
  ///   - places: The places to find; nil for places that are not on a street.
  ///   - direction: Whether trips lead to these places or from them.
  ///   - groups: The group of each place, if only the nearest place of each group is wanted.
  ///   - limit: The maximum time of a trip, in milliseconds.
  package init(
    _ network: StreetNetwork, _ direction: NearestTable.Direction = .toTargets, to places: [TripEnd?],
    groups: [UInt32]? = nil, count: Int, within limit: UInt32 = Weight.infinity.milliseconds - 1,
    at time: LocalTime? = nil
  ) {
    self.network = network
    self.direction = direction
    closed = network.closure(at: time)
    placesOnStreets = StreetPlaces(places)
    let closed = closed
    table = NearestTable(
      network.hierarchy(without: closed), direction,
      to: SeedTable(count: places.count) { index in
        guard let place = places[index] else { return [] }
        return direction == .toTargets ? network.targets(place, closed: closed) : network.sources(place, closed: closed)
      }, groups: groups, count: count, within: limit)
  }

  /// Returns the nearest places of `end`, nearest first; ties are broken by distance, then by index.
  package func nearest(to end: TripEnd) -> [NearestTable.Found] {
    let leaves = direction == .toTargets
    var others: [NearestTable.Found] = []
    placesOnStreets.forEachDirect(end, leaves: leaves, on: network, closed) { index, weight in
      others.append(.init(weight: weight, target: index))
    }
    let seeds = leaves ? network.sources(end, closed: closed) : network.targets(end, closed: closed)
    return table.nearest(from: seeds, or: others)
  }
}
