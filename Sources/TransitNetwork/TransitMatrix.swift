import Geography
import Hierarchy
import Routing
import StreetNetwork
import Transit

/// The travel times by public transport between two lists of places, at every departure of a window or by percentile.
///
/// A sweep computes 32 origins at once, which are neighbours along a Hilbert curve. With arrivals, it computes 32
/// destinations at once, for as many origins as fit in memory; every block repeats the sweeps. Immutable, shared by all
/// threads.
package struct TransitMatrix: MatrixEngine {
  /// The number of origins computed together: enough for a million cells (16 million with arrivals), in whole runs of a
  /// sweep.
  package let blockSize: Int
  package let blocks: [Range<Int>]
  private let graph: TransitGraph
  private let arrivals: TransitDestinations
  /// The percentiles; nil for one row per departure.
  private let percentiles: PercentileNetwork?
  /// Trips entirely on foot, with one row (with arrivals, one column) per position.
  private let onFoot: TripMatrix
  /// Walks from each position to stops; with arrivals, from stops to each position.
  private let seeds: StopWalks
  /// The origin at each position, in order of the Hilbert curve within each block; with arrivals, the destination at
  /// each position, in order of the Hilbert curve.
  private let order: [Int]
  /// The number of columns.
  private let destinations: Int
  private let isArrival: Bool
  /// The number of departures of the window, and of rows per origin.
  private let (departures, rowsPerOrigin): (Int, Int)
  private let walkCount: Int
  /// The number of sweeps per run: one per ride if rides are limited.
  private let rounds: Int

  /// - Parameters:
  ///   - origins: The origins; nil for places without a street, which have no trips.
  ///   - destinations: The destinations; nil for places without a street.
  ///   - percentiles: The percentiles; nil for one row per departure.
  package init(
    _ stops: TransitStops, from origins: [TripEnd?], to destinations: [TripEnd?], percentiles: [Int]?,
    on network: StreetNetwork, workers: Int
  ) {
    let window = stops.schedule.window
    departures = window.departures.count
    rowsPerOrigin = percentiles?.count ?? departures
    self.percentiles = percentiles.map { PercentileNetwork(count: window.departures.count, percentiles: $0) }
    let cells = max(1, rowsPerOrigin * destinations.count)
    (isArrival, self.destinations) = (window.isArrival, destinations.count)
    rounds = window.maximumRides ?? 1
    blockSize = max(1, (isArrival ? 1 << 24 : 1 << 20) / cells / TransitSweep.lanes) * TransitSweep.lanes
    blocks = origins.indices.batches(of: blockSize)
    let lanes = isArrival ? destinations : origins
    let keys = lanes.map { $0.map { HilbertIndex($0.place, in: network.box).value } ?? .max }
    let order = (isArrival ? [lanes.indices] : blocks).flatMap { $0.sorted { (keys[$0], $0) < (keys[$1], $1) } }
    self.order = order
    let ordered = order.map { lanes[$0] }
    let (from, to) = isArrival ? (origins, ordered) : (ordered, destinations)
    let walks = TransitWalks(stops, from: from, to: to, on: network, workers: workers)
    (seeds, walkCount) = (isArrival ? walks.egress : walks.access, walks.count)
    graph = stops.graph(walks.between)
    arrivals = TransitDestinations(graph, walks: isArrival ? walks.access : walks.egress, workers: workers)
    onFoot = TripMatrix(network, from: from, to: to, distances: false, workers: workers)
  }

  package var clock: StreetClock? { nil }
  package var explanation: String {
    "transit: \(departures) \(isArrival ? "arrivals" : "departures"), \(graph.nodeCount) nodes, \(graph.arcCount) arcs, \(walkCount) walks; "
      + "entirely on foot: \(onFoot.explanation)"
  }

  /// Estimated from measurements: 1.3 ns per arc with 32 lanes; 2 ns to read and sort a time.
  package var seconds: Double {
    let sweeps = (order.count + TransitSweep.lanes - 1) / TransitSweep.lanes * (isArrival ? blocks.count : 1)
    let times = Double(order.count) * Double(arrivals.count) * Double(departures)
    return onFoot.seconds + Double(sweeps) * Double((graph.arcCount + graph.nodeCount) * rounds) * 1.3e-9 + times * 2e-9
  }

  package var workerMemory: Int {
    // With arrivals, there is a second block in addition to the returned one.
    onFoot.workerMemory + graph.sweepMemory
      + TransitSweep.lanes * (isArrival ? blockSize : arrivals.count) * (rowsPerOrigin + 1) * 4
      + (isArrival ? blockSize * destinations * (rowsPerOrigin + 1) * 4 : 0)
  }

  package var sharedMemory: Int { graph.arcCount * 4 + graph.nodeCount * 24 + arrivals.memory + walkCount * 8 }

  package func makeFill() -> (Range<Int>) -> MatrixBlock { isArrival ? makeFillByArrival() : makeFillByDeparture() }

  private func makeFillByArrival() -> (Range<Int>) -> MatrixBlock {
    let (sweep, fillOnFoot) = (TransitSweep(graph), onFoot.makeFill())
    let block = MatrixBlock(columns: destinations, hasLengths: false)
    return { [self] origins in
      block.reset(origins.lowerBound * rowsPerOrigin..<origins.upperBound * rowsPerOrigin)
      let (walked, places) = (fillOnFoot(origins), arrivals.part(origins))
      let (part, walks) = (
        MatrixBlock(columns: origins.count, hasLengths: false), MatrixBlock(columns: origins.count, hasLengths: false)
      )
      for run in order.indices.batches(of: TransitSweep.lanes) {
        walks.reset(0..<run.count)
        for origin in 0..<origins.count {
          for lane in 0..<run.count {
            walks.set(row: lane, column: origin, to: walked.weight(row: origin, column: run.lowerBound + lane))
          }
        }
        sweep.run(run, of: seeds)
        sweep.fill(part, to: places, walking: walks, percentiles: percentiles)
        for lane in 0..<run.count {
          for row in 0..<rowsPerOrigin {
            let times = part.times(row: lane * rowsPerOrigin + row)
            for origin in 0..<origins.count {
              block.set(
                row: origin * rowsPerOrigin + row, column: order[run.lowerBound + lane],
                to: Weight(milliseconds: times[origin], centimetres: 0))
            }
          }
        }
      }
      return block
    }
  }

  private func makeFillByDeparture() -> (Range<Int>) -> MatrixBlock {
    let (sweep, fillOnFoot) = (TransitSweep(graph), onFoot.makeFill())
    let part = MatrixBlock(columns: arrivals.count, hasLengths: false)
    let block = MatrixBlock(columns: arrivals.count, hasLengths: false)
    return { [self] origins in
      block.reset(origins.lowerBound * rowsPerOrigin..<origins.upperBound * rowsPerOrigin)
      for run in runs(of: origins) {
        sweep.run(run, of: seeds)
        sweep.fill(part, to: arrivals, walking: fillOnFoot(run), percentiles: percentiles)
        for (index, position) in run.enumerated() {
          let first = (order[position] - origins.lowerBound) * rowsPerOrigin
          for row in 0..<rowsPerOrigin { block.copy(row: first + row, fromRow: index * rowsPerOrigin + row, of: part) }
        }
      }
      return block
    }
  }

  /// Returns the positions of origins in runs of at most `lanes`: a whole block in sequence, other origins one by one.
  private func runs(of origins: Range<Int>) -> [Range<Int>] {
    guard !blocks.contains(origins) else { return origins.batches(of: TransitSweep.lanes) }
    return order.indices.filter { origins.contains(order[$0]) }.map { $0..<$0 + 1 }
  }
}
