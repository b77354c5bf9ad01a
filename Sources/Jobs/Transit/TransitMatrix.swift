import Geography
import Hierarchy
import Routing
import StreetNetwork
import Transit

/// All trips by public transport from some places to others, at every departure of a window or by percentile: times
/// alone.
///
/// Sweeps compute 32 origins at once, neighbours along a Hilbert curve. Immutable, shared by all threads.
struct TransitMatrix: MatrixEngine {
  /// Origins that are computed together: enough for a million cells, in whole runs of a sweep.
  let blockSize: Int
  let blocks: [Range<Int>]
  private let graph: TransitGraph
  private let arrivals: TransitDestinations
  /// Nil for a row a departure.
  private let percentiles: PercentileNetwork?
  /// Walks all the way; its rows are positions.
  private let onFoot: TripMatrix
  /// From each position to stops.
  private let access: StopWalks
  /// The origin at each position: within blocks along the Hilbert curve.
  private let order: [Int]
  /// Departures of the window, and rows of an origin.
  private let (departures, rowsPerOrigin): (Int, Int)
  private let walkCount: Int

  /// - Parameters:
  ///   - origins: Nil for places without a street, which have no trips.
  ///   - destinations: Likewise.
  ///   - percentiles: Nil for a row a departure.
  init(
    _ stops: TransitStops, from origins: [TripEnd?], to destinations: [TripEnd?], percentiles: [Int]?,
    in context: JobContext
  ) {
    let (network, window, workers) = (context.network, stops.schedule.window, context.workers)
    departures = window.departures.count
    rowsPerOrigin = percentiles?.count ?? departures
    self.percentiles = percentiles.map { PercentileNetwork(count: window.departures.count, percentiles: $0) }
    let cells = max(1, rowsPerOrigin * destinations.count)
    blockSize = max(1, (1 << 20) / cells / TransitSweep.lanes) * TransitSweep.lanes
    blocks = Pipeline.chunks(of: origins.count, size: blockSize)
    let keys = origins.map { $0.map { HilbertIndex($0.place, in: network.box).value } ?? .max }
    let order = blocks.flatMap { $0.sorted { (keys[$0], $0) < (keys[$1], $1) } }
    self.order = order
    let ordered = order.map { origins[$0] }
    let walks = TransitWalks(stops, from: ordered, to: destinations, on: network, workers: workers)
    (access, walkCount) = (walks.access, walks.count)
    graph = TransitGraph(stops.schedule.timetable, window, walks: walks.between, stops: stops.areUsable)
    arrivals = TransitDestinations(graph, walks: walks.egress, workers: workers)
    onFoot = TripMatrix(network, from: ordered, to: destinations, distances: false, workers: workers)
  }

  var clock: StreetClock? { nil }
  var explanation: String {
    "transit: \(departures) departures, \(graph.nodeCount) nodes, \(graph.arcCount) arcs, \(walkCount) walks; "
      + "on foot all the way: \(onFoot.explanation)"
  }

  /// Measured: 1.3 ns an arc of 32 lanes; to read and to sort 2 ns a time.
  var seconds: Double {
    let sweeps = (order.count + TransitSweep.lanes - 1) / TransitSweep.lanes
    let times = Double(order.count) * Double(arrivals.count) * Double(departures)
    return onFoot.seconds + Double(sweeps) * Double(graph.arcCount + graph.nodeCount) * 1.3e-9 + times * 2e-9
  }

  var workerMemory: Int {
    onFoot.workerMemory + graph.nodeCount * (departures <= UInt8.max ? 32 : 64)
      + TransitSweep.lanes * arrivals.count * (rowsPerOrigin + 1) * 4
  }

  var sharedMemory: Int { graph.arcCount * 4 + graph.nodeCount * 24 + arrivals.memory + walkCount * 8 }

  func makeFill() -> (Range<Int>) -> MatrixBlock {
    let (sweep, fillOnFoot) = (TransitSweep(graph), onFoot.makeFill())
    let part = MatrixBlock(columns: arrivals.count, hasLengths: false)
    let block = MatrixBlock(columns: arrivals.count, hasLengths: false)
    return { [self] origins in
      block.reset(origins.lowerBound * rowsPerOrigin..<origins.upperBound * rowsPerOrigin)
      for run in runs(of: origins) {
        sweep.run(run, of: access)
        sweep.fill(part, to: arrivals, walking: fillOnFoot(run), percentiles: percentiles)
        for (index, position) in run.enumerated() {
          let first = (order[position] - origins.lowerBound) * rowsPerOrigin
          for row in 0..<rowsPerOrigin { block.copy(row: first + row, fromRow: index * rowsPerOrigin + row, of: part) }
        }
      }
      return block
    }
  }

  /// The positions of some origins, at most `lanes` together: those of whole blocks as they follow one another,
  /// others one by one.
  private func runs(of origins: Range<Int>) -> [Range<Int>] {
    guard !blocks.contains(origins) else {
      return stride(from: origins.lowerBound, to: origins.upperBound, by: TransitSweep.lanes).map {
        $0..<min($0 + TransitSweep.lanes, origins.upperBound)
      }
    }
    return order.indices.filter { origins.contains(order[$0]) }.map { $0..<$0 + 1 }
  }
}
