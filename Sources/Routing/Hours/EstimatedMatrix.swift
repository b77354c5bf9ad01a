import Hierarchy
import StreetNetwork

/// Estimates of all travel times from some places to others at some hours, by sweeps alone: the quickest paths of each
/// stretch of the clock in which nothing changes, and `CellWork` across the borders between them.
///
/// It knows the quickest path under the speeds of each moment, but not the path that is best for a trip through several; a
/// trip that ends before anything changes is exact. Rows as in `HourlyMatrix`. Immutable but for what it remembers,
/// shared by all threads.
package struct EstimatedMatrix: Sendable {
  let timed: TimedNetwork
  let times: [TripTime]
  let origins: [TripEnd?]
  let destinations: [TripEnd?]
  let columns: StreetPlaces
  let stretches: HourStretches
  private let matrices: FrozenMatrices
  /// Of the places of `matrices`; nil for all.
  private let selected: (rows: [Int], columns: [Int])?

  /// - Parameters:
  ///   - origins: nil for places that are not on a street, which have no trips.
  ///   - times: All of departures or all of arrivals.
  package init(_ timed: TimedNetwork, from origins: [TripEnd?], to destinations: [TripEnd?], at times: [TripTime]) {
    (self.timed, self.times, self.origins, self.destinations) = (timed, times, origins, destinations)
    columns = StreetPlaces(destinations)
    stretches = HourStretches(times, on: timed.graph.clock)
    selected = nil
    let clock = timed.graph.clock
    let metrics = stretches.metrics.map { FrozenMatrices.Moment(clock: clock, time: $0) }
    let open = FrozenMatrices.Moment(clock: clock.alwaysOpen, time: 0)
    matrices = FrozenMatrices(
      timed, metrics + [open], from: origins.map { $0.map(timed.sources) ?? [] },
      to: destinations.map { $0.map(timed.targets) ?? [] })
  }

  private init(_ all: EstimatedMatrix, from rows: [Int], to columns: [Int], at times: [Int]) {
    precondition(all.selected == nil, "a part of a part")
    (timed, matrices) = (all.timed, all.matrices)
    (self.times, stretches) = (times.map { all.times[$0] }, all.stretches.at(times))
    (origins, destinations) = (rows.map { all.origins[$0] }, columns.map { all.destinations[$0] })
    self.columns = StreetPlaces(destinations)
    selected = (rows, columns)
  }

  /// Some of its origins, destinations and times, by their indices: the same estimates, and hierarchies are shared.
  package func part(from rows: [Int], to columns: [Int], at times: [Int]) -> EstimatedMatrix {
    EstimatedMatrix(self, from: rows, to: columns, at: times)
  }

  /// The metric of what is not closed for good: what has no path under it has none at any hour.
  var openMetric: Int { stretches.metrics.count }

  /// All trips under a metric.
  func matrix(_ metric: Int) -> Matrix {
    selected.map { matrices.matrix(metric, from: $0.rows, to: $0.columns) } ?? matrices.matrix(metric)
  }

  private static let cellsPerBlock = 1 << 22

  /// Origins that are computed together.
  package var blocks: [Range<Int>] {
    let size = max(1, EstimatedMatrix.cellsPerBlock / max(1, times.count * destinations.count))
    let even = size < 32 ? size : size / 32 * 32
    return stride(from: 0, to: origins.count, by: even).map { $0..<min($0 + even, origins.count) }
  }

  /// How it is computed, in a line.
  package var explanation: String {
    let kind = times.first?.isArrival == true ? "arrivals" : "departures"
    return
      "estimates, for exact is false: \(times.count) \(kind), sweeps of each stretch of time in which speeds do not "
      + "change, and a rule across their borders"
  }

  /// What fills blocks of origins on one thread, the same block again and again.
  package func makeFill() -> (Range<Int>) -> MatrixBlock {
    let query = EstimatedMatrixQuery(self)
    let block = MatrixBlock(columns: destinations.count, hasLengths: false)
    return { origins in
      query.fill(block, origins: origins)
      return block
    }
  }

  /// About how many seconds it takes on one core, as a sample went.
  package func seconds(_ sample: Sample) -> Double {
    let plan = matrices.matrix(0).plan
    let making = sample.metrics > matrices.capacity ? sample.metrics * blocks.count : sample.metrics
    return Double(making) * matrices.seconds + (plan.costs[plan.engine] ?? 0) * sample.sweepsPerOrigin
      + Double(origins.count * destinations.count * times.count) * 10e-9
  }

  /// Bytes that all threads share.
  package func sharedMemory(_ sample: Sample) -> Int { matrices.memory(sample.metrics) }

  /// Bytes of a thread's working memory.
  package var memory: Int {
    let rows = blocks.first?.count ?? 0
    return rows * destinations.count * (times.count * 12 + 8) + matrices.matrix(0).plan.sweptStates * 64
  }
}

extension EstimatedMatrix {
  /// Some cells estimated and computed.
  package struct Sample: Sendable {
    /// Milliseconds, `MatrixBlock.unreachable` where there is no route.
    package let cells: [(estimated: UInt32, exact: UInt32)]
    /// How often an origin was swept from.
    let sweepsPerOrigin: Double
    /// Metrics that were needed.
    let metrics: Int
  }

  private static let mostOrigins = 16
  private static let mostColumns = 256
  private static let mostRows = 384

  /// Cells of up to 16 origins (fewer, but 2 at least, where there are more than 24 times) and up to 256 destinations at all
  /// times, as they are and as they are estimated.
  package func sample() -> Sample {
    func spread(_ ends: [TripEnd?], _ most: Int) -> [Int] {
      let known = ends.indices.filter { ends[$0] != nil }
      return (0..<min(most, known.count)).map { known[($0 * 2 + 1) * known.count / (2 * min(most, known.count))] }
    }
    let most = max(2, min(EstimatedMatrix.mostOrigins, EstimatedMatrix.mostRows / max(1, times.count)))
    let part = part(
      from: spread(origins, most), to: spread(destinations, EstimatedMatrix.mostColumns), at: Array(times.indices))
    guard !part.origins.isEmpty, !part.destinations.isEmpty, !times.isEmpty else {
      return Sample(cells: [], sweepsPerOrigin: 0, metrics: 0)
    }
    let (query, block) = (EstimatedMatrixQuery(part), MatrixBlock(columns: part.destinations.count, hasLengths: false))
    let exact = HourlyMatrix(
      timed, from: part.origins, to: part.destinations, at: times, distances: false, sweeps: false)
    let fill = exact.makeFill()
    query.fill(block, origins: part.origins.indices)
    var cells: [(UInt32, UInt32)] = []
    for origins in exact.blocks {
      let found = fill(origins)
      for row in 0..<origins.count * times.count {
        cells += zip(block.times(row: origins.lowerBound * times.count + row), found.times(row: row))
      }
    }
    return Sample(
      cells: cells, sweepsPerOrigin: Double(query.sweptRows) / Double(part.origins.count), metrics: query.metrics.count)
  }
}

extension StreetClock {
  /// Free flow, and closed only what never opens.
  fileprivate var alwaysOpen: StreetClock {
    let lists = (1..<max(1, UInt32(closings.count))).map { list in
      closings.stretch(list, at: 0).map { $0.upperBound == StreetClock.never ? [$0] : [] } ?? []
    }
    let free = Array(repeating: [Slowness.one], count: profiles.count)
    return StreetClock(SpeedProfiles(period: SpeedProfiles.week, free), ClosedTimes(lists))
  }
}
