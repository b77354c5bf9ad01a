import Hierarchy

/// Travel times from up to 32 origins at once to all destinations, for every departure of a window. Confined to one
/// thread.
///
///     let sweep = TransitSweep(graph)
///     sweep.run(0..<32, of: walks)
///     sweep.fill(block, to: destinations, walking: onFoot, percentiles: network)
package final class TransitSweep {
  /// 8-bit ranks for up to 255 departures, and 16-bit ranks for more. Not a protocol type, since Swift 6.3 does not
  /// specialize methods of a generic class that are called through one.
  private enum Width {
    case narrow(RankSweep<NarrowRanks>)
    case wide(RankSweep<WideRanks>)
  }

  let graph: TransitGraph
  private let width: Width
  private(set) var origins = 0..<0
  private(set) var walks: StopWalks?
  /// Milliseconds for each departure and lane.
  private let times: UnsafeMutablePointer<TimeLanes>
  var finder: TripFinder?

  /// The maximum number of origins per run.
  package static let lanes = TimeLanes.count

  package init(_ graph: TransitGraph) {
    precondition(graph.departures.count <= UInt16.max, "more than 65535 departures")
    self.graph = graph
    width = graph.departures.count <= UInt8.max ? .narrow(RankSweep(graph)) : .wide(RankSweep(graph))
    times = .allocate(capacity: graph.window.departures.count)
    times.initialize(repeating: TimeLanes(repeating: 0), count: graph.window.departures.count)
  }

  deinit { times.deallocate() }

  /// Computes the labels for at most `lanes` origins from their walks to stops.
  package func run(_ origins: Range<Int>, of walks: StopWalks) {
    precondition(origins.count <= TransitSweep.lanes, "more origins than lanes")
    (self.origins, self.walks) = (origins, walks)
    switch width {
    case .narrow(let sweep): sweep.run(origins, of: walks)
    case .wide(let sweep): sweep.run(origins, of: walks)
    }
  }

  /// Writes the times to a destination to `times`.
  private func write(_ destination: Int, of destinations: TransitDestinations, walking: TimeLanes) {
    let range = destinations[destination]
    switch width {
    case .narrow(let sweep): sweep.write(range, of: destinations, walking: walking, to: times)
    case .wide(let sweep): sweep.write(range, of: destinations, walking: walking, to: times)
    }
  }

  /// Returns the rank of the latest departure with which an origin of the last run reaches a node.
  func rank(_ node: Int, lane: Int) -> Int {
    switch width {
    case .narrow(let sweep): sweep.rank(node, lane: lane)
    case .wide(let sweep): sweep.rank(node, lane: lane)
    }
  }

  /// Fills a block with the travel times from the origins of the last run, in milliseconds; `MatrixBlock.unreachable`
  /// if no trip is within the limit.
  ///
  /// - Parameters:
  ///   - block: Has a column per destination; receives a row for each origin and requested departure (or percentile, if
  ///     `percentiles` is given), origin by origin from row 0 on.
  ///   - walking: The times entirely on foot: a row per origin of the run, a column per destination.
  package func fill(
    _ block: MatrixBlock, to destinations: TransitDestinations, walking: MatrixBlock,
    percentiles: PercentileNetwork? = nil
  ) {
    precondition(
      block.columns == destinations.count && walking.columns == destinations.count, "expected a column per destination")
    precondition(walking.rows.count == origins.count, "expected a row of walking times per origin")
    precondition(
      percentiles.map { $0.count == graph.window.departures.count } ?? true, "expected percentiles of all departures")
    let positions = percentiles?.positions ?? Array(graph.window.departures.indices)
    block.reset(0..<origins.count * positions.count)
    let onFoot = origins.indices.map { walking.times(row: $0 - origins.lowerBound) }
    // Sixteen destinations fill one cache line of the block.
    let width = 16
    let tile = UnsafeMutablePointer<TimeLanes>.allocate(capacity: width * positions.count)
    tile.initialize(repeating: TimeLanes(repeating: 0), count: width * positions.count)
    defer { tile.deallocate() }
    for column in stride(from: 0, to: destinations.count, by: width) {
      for index in 0..<min(width, destinations.count - column) {
        var walked = TimeLanes(repeating: MatrixBlock.unreachable)
        withUnsafeMutableBytes(of: &walked) { bytes in
          let lanes = bytes.assumingMemoryBound(to: UInt32.self)
          for (lane, times) in onFoot.enumerated() { lanes[lane] = times[column + index] }
        }
        write(column + index, of: destinations, walking: walked)
        percentiles?.sort(times)
        for (row, position) in positions.enumerated() { tile[row &* width &+ index] = times[position] }
      }
      let cells = UnsafeRawPointer(tile).assumingMemoryBound(to: UInt32.self)
      for lane in 0..<origins.count {
        for row in 0..<positions.count {
          let target = block.milliseconds(row: lane &* positions.count &+ row) + column
          let source = cells + (row &* width &* TimeLanes.count &+ lane)
          for index in 0..<width { target[index] = source[index &* TimeLanes.count] }
        }
      }
    }
  }
}
