import Hierarchy
import StreetNetwork

/// Fills blocks of an `HourlyMatrix`: one object per thread.
package final class HourlyMatrixQuery {
  private let matrix: HourlyMatrix
  private let lanes: DepartureLanes

  package init(_ matrix: HourlyMatrix) {
    self.matrix = matrix
    lanes = DepartureLanes(matrix.graph, lengths: matrix.hasLengths, waits: matrix.hasWaits)
  }

  /// A block for `fill`.
  package func makeBlock() -> MatrixBlock {
    MatrixBlock(columns: matrix.destinations.count, hasLengths: matrix.hasLengths, hasWaits: matrix.hasWaits)
  }

  /// Computes all rows of `origins`: those of the first origin, one per time, then those of the next.
  package func fill(_ block: MatrixBlock, origins: Range<Int>) {
    let count = matrix.times.count
    block.reset(origins.lowerBound * count..<origins.upperBound * count)
    let isDone = matrix.frozen.fill(block, origins: origins, of: matrix)
    let ends = matrix.isArriving ? 0..<matrix.ends.count : origins
    // States are numbered along the map: neighbours are searched together.
    let order = ends.sorted { (state(of: $0), $0) < (state(of: $1), $1) }
    func isMissing(_ end: Int, _ time: Int) -> Bool {
      isDone.isEmpty || !isDone[(end - origins.lowerBound) * count + time]
    }
    for group in matrix.groups {
      let missing = order.filter { end in group.times.contains { isMissing(end, $0) } }
      for start in stride(from: 0, to: missing.count, by: group.endsPerSearch) {
        let members = missing[start..<min(start + group.endsPerSearch, missing.count)]
        let seeds = members.flatMap { end in group.times.map { isMissing(end, $0) ? matrix.ends[end] : [] } }
        lanes.search(seeds, group.table, until: matrix.stops)
        write(Array(members), group, origins, to: block) { isMissing($0, $1) }
      }
    }
    for origin in origins {
      guard let end = matrix.origins[origin] else { continue }
      matrix.timed.lowerDirect(
        from: end, to: matrix.destinations, on: matrix.columns, at: matrix.times, in: block,
        firstRow: (origin - origins.lowerBound) * count)
    }
  }

  private func state(of end: Int) -> UInt32 { matrix.ends[end].first?.state.index ?? .max }

  private func write(
    _ members: [Int], _ group: HourlyMatrix.Group, _ origins: Range<Int>, to block: MatrixBlock,
    where isMissing: (_ end: Int, _ time: Int) -> Bool
  ) {
    let times = matrix.times.count
    for place in matrix.isArriving ? origins : 0..<matrix.places.count {
      let cells = lanes.cells(of: matrix.places[place])
      for (number, member) in members.enumerated() {
        let (origin, column) = matrix.isArriving ? (place, member) : (member, place)
        for (index, time) in group.times.enumerated() where isMissing(member, time) {
          let lane = number * group.times.count + index
          let milliseconds = min(cells.times[lane], MatrixBlock.unreachable)
          let weight = Weight(
            milliseconds: milliseconds, centimetres: milliseconds < MatrixBlock.unreachable ? cells.lengths[lane] : 0)
          let row = (origin - origins.lowerBound) * times + time
          block.set(row: row, column: column, to: weight)
          if matrix.hasWaits { block.setWait(row: row, column: column, to: cells.waits[lane]) }
        }
      }
    }
  }
}
