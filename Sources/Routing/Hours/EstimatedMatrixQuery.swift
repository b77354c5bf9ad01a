import Hierarchy
import StreetNetwork

/// Fills blocks of an `EstimatedMatrix`: one object per thread.
final class EstimatedMatrixQuery {
  private let matrix: EstimatedMatrix
  /// Of each cell of the block.
  private var work: [CellWork] = []
  /// Of each row of the block, how many cells are not over.
  private var open: [Int] = []
  /// Rows that were swept so far.
  private(set) var sweptRows = 0
  /// Metrics that were needed so far.
  private(set) var metrics: Set<Int> = []

  init(_ matrix: EstimatedMatrix) { self.matrix = matrix }

  /// Computes all rows of `origins`: those of the first origin, one per time, then those of the next.
  func fill(_ block: MatrixBlock, origins: Range<Int>) {
    let (times, columns) = (matrix.times.count, block.columns)
    block.reset(origins.lowerBound * times..<origins.upperBound * times)
    let count = origins.count * times
    work = Array(repeating: .whole, count: count * columns)
    open = Array(repeating: columns, count: count)
    let isReachable = reachability(origins)
    for day in matrix.stretches.days { follow(day, origins, in: block, isReachable) }
    for origin in origins {
      guard let end = matrix.origins[origin] else { continue }
      let row = (origin - origins.lowerBound) * times
      matrix.timed.lowerDirect(
        from: end, to: matrix.destinations, on: matrix.columns, at: matrix.times, in: block, firstRow: row)
    }
  }

  /// Trips of a day, stretch after stretch.
  private func follow(
    _ day: HourStretches.Day, _ origins: Range<Int>, in block: MatrixBlock, _ isReachable: () -> MatrixBlock
  ) {
    let times = matrix.times.count
    for (number, stretch) in day.stretches.enumerated() {
      func isOpen(_ origin: Int, _ time: Int) -> Bool { open[(origin - origins.lowerBound) * times + time] > 0 }
      let active = day.times.filter { $0.first <= number }
      let rows = origins.filter { origin in active.contains { isOpen(origin, $0.index) } }
      guard let first = rows.first, let last = rows.last else {
        if active.count == day.times.count { return }
        continue
      }
      let isLast = number == day.stretches.count - 1
      let swept = sweep(stretch.metric, first..<last + 1)
      for (time, start) in active {
        let moment = matrix.times[time]
        let begin =
          number == start ? moment.clock : moment.isArrival ? stretch.clock.upperBound : stretch.clock.lowerBound
        let room =
          isLast ? .max : moment.isArrival ? begin - stretch.clock.lowerBound : stretch.clock.upperBound - begin
        let elapsed = moment.isArrival ? moment.clock - begin : begin - moment.clock
        for origin in rows where isOpen(origin, time) {
          let row = (origin - origins.lowerBound) * times + time
          let missing = advance(
            row, swept.times(row: origin - first), room: room, elapsed: elapsed, in: block, isLast: isLast)
          if missing && number == start { close(row, isReachable().times(row: origin - origins.lowerBound), in: block) }
        }
      }
    }
  }

  /// Goes on with a row for a stretch; tells whether some of its cells have no way in it.
  private func advance(
    _ row: Int, _ durations: UnsafeBufferPointer<UInt32>, room: UInt32, elapsed: UInt32, in block: MatrixBlock,
    isLast: Bool
  ) -> Bool {
    var (isMissing, over) = (false, 0)
    for column in durations.indices {
      let cell = row * durations.count + column
      guard !work[cell].isOver else { continue }
      let duration = durations[column]
      if duration >= MatrixBlock.unreachable { isMissing = true }
      let rest = work[cell].advance(duration, room: room) ?? (isLast ? MatrixBlock.unreachable : nil)
      guard let rest else { continue }
      set(row, column, to: rest < MatrixBlock.unreachable ? elapsed + rest : rest, in: block)
      over += 1
    }
    open[row] -= over
    return isMissing
  }

  /// Gives up cells that have no way at any hour.
  private func close(_ row: Int, _ durations: UnsafeBufferPointer<UInt32>, in block: MatrixBlock) {
    for column in durations.indices
    where durations[column] >= MatrixBlock.unreachable && !work[row * durations.count + column].isOver {
      set(row, column, to: MatrixBlock.unreachable, in: block)
      open[row] -= 1
    }
  }

  private func set(_ row: Int, _ column: Int, to milliseconds: UInt32, in block: MatrixBlock) {
    work[row * block.columns + column] = .none
    block.set(
      row: row, column: column,
      to: Weight(milliseconds: min(milliseconds, MatrixBlock.unreachable), centimetres: 0))
  }

  /// What is reached where all is open that opens ever: swept when it is first asked for.
  private func reachability(_ origins: Range<Int>) -> () -> MatrixBlock {
    var known: MatrixBlock?
    return { [self] in
      let block = known ?? sweep(matrix.openMetric, origins)
      known = block
      return block
    }
  }

  private func sweep(_ metric: Int, _ origins: Range<Int>) -> MatrixBlock {
    let matrix = matrix.matrix(metric)
    let block = MatrixBlock(matrix)
    MatrixQuery(matrix).fill(block, rows: origins)
    sweptRows += origins.count
    metrics.insert(metric)
    return block
  }
}
