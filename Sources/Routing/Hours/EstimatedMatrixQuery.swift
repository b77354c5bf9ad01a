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
    follow(origins, in: block, isReachable)
    for origin in origins {
      guard let end = matrix.origins[origin] else { continue }
      let row = (origin - origins.lowerBound) * times
      matrix.timed.lowerDirect(
        from: end, to: matrix.destinations, on: matrix.columns, at: matrix.times, in: block, firstRow: row)
    }
  }

  /// All trips, stretch after stretch.
  private func follow(_ origins: Range<Int>, in block: MatrixBlock, _ isReachable: () -> MatrixBlock) {
    let (times, stretches, first) = (matrix.times.count, matrix.stretches.stretches, matrix.stretches.first)
    func row(_ origin: Int, _ time: Int) -> Int { (origin - origins.lowerBound) * times + time }
    var waiting = first.indices.sorted { (first[$0], $0) < (first[$1], $1) }[...]
    var active: [Int] = []
    for (number, stretch) in stretches.enumerated() {
      let beginning = waiting.prefix { first[$0] == number }
      waiting = waiting.dropFirst(beginning.count)
      active = (active + beginning).filter { time in origins.contains { open[row($0, time)] > 0 } }
      if active.isEmpty && waiting.isEmpty { return }
      let rows = origins.filter { origin in active.contains { open[row(origin, $0)] > 0 } }
      sweep(stretch.metric, rows) { run, swept in
        for time in active {
          let leg = Leg(
            matrix.times[time], in: stretch, isFirst: number == first[time], isLast: number == stretches.count - 1)
          for origin in run where open[row(origin, time)] > 0 {
            let row = row(origin, time)
            let isMissing = advance(row, swept.times(row: origin - run.lowerBound), leg, in: block)
            guard isMissing && number == first[time] else { continue }
            close(row, isReachable().times(row: origin - origins.lowerBound), in: block)
          }
        }
      }
    }
  }

  /// What a trip has of a stretch.
  private struct Leg {
    /// Milliseconds until the stretch ends.
    let room: UInt32
    /// Milliseconds under way before it.
    let elapsed: UInt32
    let isLast: Bool

    init(_ time: TripTime, in stretch: HourStretches.Stretch, isFirst: Bool, isLast: Bool) {
      let (lower, upper) = (stretch.clock.lowerBound, stretch.clock.upperBound)
      let begin = isFirst ? time.clock : time.isArrival ? upper : lower
      room = isLast ? .max : time.isArrival ? begin - lower : upper - begin
      elapsed = time.isArrival ? time.clock - begin : begin - time.clock
      self.isLast = isLast
    }
  }

  /// Continues a row for a stretch; returns whether some of its cells have no path in it.
  private func advance(
    _ row: Int, _ durations: UnsafeBufferPointer<UInt32>, _ leg: Leg, in block: MatrixBlock
  ) -> Bool {
    var (isMissing, over) = (false, 0)
    let waitLimit = matrix.timed.graph.clock.waitLimit
    for column in durations.indices {
      let cell = row * durations.count + column
      guard !work[cell].isOver else { continue }
      let duration = durations[column]
      if duration >= MatrixBlock.unreachable { isMissing = true }
      let rest =
        work[cell].advance(duration, room: leg.room, waiting: waitLimit) ?? (leg.isLast ? MatrixBlock.unreachable : nil)
      guard let rest else { continue }
      set(row, column, to: rest < MatrixBlock.unreachable ? leg.elapsed + rest : rest, in: block)
      over += 1
    }
    open[row] -= over
    return isMissing
  }

  /// Gives up cells that have no path at any hour.
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
      if known == nil { sweep(matrix.openMetric, Array(origins)) { known = $1 } }
      return known!
    }
  }

  /// A gap of rows that is swept along: leaving it out saves nothing.
  private static let gap = 32

  /// Sweeps from ascending rows, run after run.
  private func sweep(_ metric: Int, _ rows: [Int], _ body: (_ run: Range<Int>, _ swept: MatrixBlock) -> Void) {
    guard !rows.isEmpty else { return }
    let matrix = matrix.matrix(metric)
    let (query, block) = (MatrixQuery(matrix), MatrixBlock(matrix))
    // Where lanes are targets all rows are of one sweep.
    let gap = matrix.plan.engine == .targetLanes ? Int.max : EstimatedMatrixQuery.gap
    var runs: [Range<Int>] = []
    for row in rows {
      if let last = runs.last, row - last.upperBound < gap {
        runs[runs.count - 1] = last.lowerBound..<row + 1
      } else {
        runs.append(row..<row + 1)
      }
    }
    for run in runs {
      query.fill(block, rows: run)
      sweptRows += run.count
      body(run, block)
    }
    metrics.insert(metric)
  }
}
