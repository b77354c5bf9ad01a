import Hierarchy
import Routing
import StreetNetwork
import Tables

/// The trips between the origins and the entrances of an access job at each of its hours: cells of an hourly matrix, of some
/// origins at a time. Immutable, shared by all threads.
struct AccessHours: Sendable {
  let departures: Departures
  private let task: AccessTask
  /// Trips to the stations are rows of origins; trips from them rows of entrances, to some origins at a time.
  private let matrix: HourlyMatrix
  private let origins: [TripEnd?]
  private let entranceCount: Int

  init(
    _ task: AccessTask, _ origins: [TripEnd?], _ entrances: [TripEnd?], at departures: Departures,
    in context: JobContext
  ) {
    (self.departures, self.task, self.origins, entranceCount) = (departures, task, origins, entrances.count)
    let timed = context.timed(on: departures.day)
    matrix =
      task.reach.direction == .toTargets
      ? HourlyMatrix(timed, from: origins, to: entrances, at: departures.times, distances: true)
      : HourlyMatrix(timed, from: entrances, to: [], at: departures.times, distances: true, sweeps: false)
  }

  /// A check of the cells of an origin; nil where they need not be in order.
  var order: DepartureOrder? { DepartureOrder(departures, on: matrix.timed.graph.clock) }

  private var leadsToStations: Bool { task.reach.direction == .toTargets }

  /// Whether searches start at origins, not at stations: at the side whose time is known.
  private var searchesOrigins: Bool { leadsToStations != departures.isArrival }

  /// Origins that are computed together. Where they are searched from, enough to fill all lanes; where stations are, as
  /// many as fit in memory, for every block repeats the searches. Decided by the job alone, never by the machine: where a
  /// run is resumed, and what a shard computes, depend on it.
  var chunkRows: Int {
    // A row of a table takes as much as eight cells.
    let cells = departures.hours.count * (entranceCount + 8 * task.nearest)
    let most = (searchesOrigins ? 1 << 22 : 1 << 24) / cells / LaneTable.lanes * LaneTable.lanes
    let rows = searchesOrigins ? min(most, AccessHours.mostOrigins) : most
    return max(LaneTable.lanes, task.hasRoutes ? min(rows, AccessHours.mostOrigins / departures.hours.count) : rows)
  }

  private static let mostOrigins = 512

  private var chunkCount: Int { (origins.count + chunkRows - 1) / chunkRows }

  var explanation: String {
    matrix.explanation
      + (searchesOrigins
        ? "; searched from the origins" : "; searched from the stations, for \(chunkRows) origins at a time")
  }

  /// Seconds of all cells on one core.
  var seconds: Double {
    guard searchesOrigins else { return matrix.seconds(from: entranceCount) * Double(chunkCount) }
    return leadsToStations ? matrix.seconds : matrix.seconds(from: origins.count)
  }

  /// Bytes of a thread's working memory, and of all threads together.
  var memory: Int { matrix.memory + min(chunkRows, origins.count) * departures.hours.count * entranceCount * 8 }
  var sharedMemory: Int { matrix.sharedMemory }

  /// What computes the cells of some origins on one thread; they are there until the next ones are computed.
  func makeFill() -> (Range<Int>) -> Cells {
    let hours = departures.hours.count
    guard !leadsToStations else {
      let fill = matrix.makeFill()
      return { Cells(block: fill($0), first: $0.lowerBound, hours: hours, areByOrigin: true) }
    }
    return { [matrix, origins, entranceCount] chunk in
      let block = matrix.to(Array(origins[chunk])).makeFill()(0..<entranceCount)
      return Cells(block: block, first: chunk.lowerBound, hours: hours, areByOrigin: false)
    }
  }

  /// The trips of some origins.
  struct Cells {
    fileprivate let block: MatrixBlock
    fileprivate let first: Int
    fileprivate let hours: Int
    fileprivate let areByOrigin: Bool

    /// Infinite where there is none.
    func weight(origin: Int, hour: Int, entrance: Int) -> Weight {
      areByOrigin
        ? block.weight(row: (origin - first) * hours + hour, column: entrance)
        : block.weight(row: entrance * hours + hour, column: origin - first)
    }
  }
}
