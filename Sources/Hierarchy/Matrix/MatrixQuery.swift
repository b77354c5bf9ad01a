/// A query that fills blocks of a matrix. Holds the working memory of sweeps, 64 or 128 bytes per swept state; each
/// thread needs its own object.
///
/// Source: lane RPHAST (D. Delling, A. V. Goldberg, A. Nowatzyk, R. F. Werneck 2013; D. Delling, A. V. Goldberg,
/// R. F. Werneck 2011).
public final class MatrixQuery {
  private let matrix: Matrix
  private let engine: Engine

  /// One case per lane type, so that each gets its own machine code.
  private enum Engine {
    case pairs(PathQuery)
    case times16(LaneSweep<TimeLanes16>)
    case times32(LaneSweep<TimeLanes32>)
    case weights16(LaneSweep<WeightLanes16>)
  }

  /// A query for blocks of `matrix`.
  public init(_ matrix: Matrix) {
    self.matrix = matrix
    let plan = matrix.plan
    let hierarchy = matrix.hierarchy
    guard plan.engine != .pairs else {
      engine = .pairs(PathQuery(hierarchy))
      return
    }
    let half = plan.engine == .sourceLanes ? hierarchy.outgoing : hierarchy.incoming
    // If lanes are targets, `fill` selects the states for each block of rows.
    let selection = matrix.selection ?? MatrixQuery.selection(of: 0..<0, matrix)
    if matrix.hasLengths {
      engine = .weights16(LaneSweep(upward: half, over: hierarchy, sweeping: selection))
    } else if plan.lanes == 16 {
      engine = .times16(LaneSweep(upward: half, over: hierarchy, sweeping: selection))
    } else {
      engine = .times32(LaneSweep(upward: half, over: hierarchy, sweeping: selection))
    }
  }

  /// Returns the bytes of a query of `matrix`, including the selections for the current block of rows and the previous
  /// one.
  package static func memory(of matrix: Matrix) -> Int {
    let (plan, states) = (matrix.plan, matrix.hierarchy.stateCount)
    guard plan.engine != .pairs else { return PathQuery.memory(stateCount: states) }
    let lanes =
      matrix.hasLengths
      ? LaneSweep<WeightLanes16>.memory(of: plan.sweptStates, stateCount: states)
      : plan.lanes == 16
        ? LaneSweep<TimeLanes16>.memory(of: plan.sweptStates, stateCount: states)
        : LaneSweep<TimeLanes32>.memory(of: plan.sweptStates, stateCount: states)
    guard plan.engine == .targetLanes, !plan.sweepsAll else { return lanes }
    return lanes + 2 * Selection.memory(of: plan.sweptStates, in: matrix.hierarchy.outgoing, stateCount: states)
  }

  /// Computes `rows` of the matrix into `block`, replacing its content.
  public func fill(_ block: MatrixBlock, rows: Range<Int>) {
    precondition(rows.upperBound <= matrix.sources.count, "the matrix has no such rows")
    precondition(
      block.columns == matrix.targets.count && block.hasLengths == matrix.hasLengths, "a block of another matrix")
    block.reset(rows)
    switch engine {
    case .pairs(let query): fill(block, rows, with: query)
    case .times16(let sweep): fill(block, rows, with: sweep)
    case .times32(let sweep): fill(block, rows, with: sweep)
    case .weights16(let sweep): fill(block, rows, with: sweep)
    }
  }

  private func fill<L>(_ block: MatrixBlock, _ rows: Range<Int>, with sweep: LaneSweep<L>) {
    if matrix.plan.engine == .sourceLanes {
      // Neighbouring sources are searched together: state indices follow the map.
      let order = rows.sorted { (state(of: $0), $0) < (state(of: $1), $1) }
      for points in order.batches(of: L.count) {
        sweep.sweep(from: points, of: matrix.sources)
        sweep.writeColumns(matrix.sweptTargets!, rows: points.map { $0 - rows.lowerBound }, to: block)
      }
    } else {
      let selection = MatrixQuery.selection(of: rows, matrix)
      sweep.select(selection)
      let points = SweptPoints(matrix.sources, rows, in: selection, of: matrix.hierarchy)
      for column in stride(from: 0, to: block.columns, by: L.count) {
        let columns = Array(column..<min(column + L.count, block.columns))
        sweep.sweep(from: columns[...], of: matrix.targets)
        sweep.writeRows(points, column: column, to: block)
      }
    }
  }

  private func state(of source: Int) -> UInt32 { matrix.sources[source].first?.state.index ?? .max }

  private static func selection(of rows: Range<Int>, _ matrix: Matrix) -> Selection {
    let (hierarchy, table) = (matrix.hierarchy, matrix.sources)
    guard !matrix.plan.sweepsAll else { return Selection(all: hierarchy.outgoing) }
    let seeds = table.seeds[Int(table.first[rows.lowerBound])..<Int(table.first[rows.upperBound])]
    return Selection(
      Selection.ranks(above: seeds, in: hierarchy.outgoing, of: hierarchy), in: hierarchy.outgoing,
      stateCount: hierarchy.stateCount)
  }

  private func fill(_ block: MatrixBlock, _ rows: Range<Int>, with query: PathQuery) {
    let targets = (0..<block.columns).map { Array(matrix.targets[$0]) }
    for row in rows {
      let source = Array(matrix.sources[row])
      for (column, target) in targets.enumerated() {
        let weight = query.weight(from: source, to: target) ?? .infinity
        block.set(row: row - rows.lowerBound, column: column, to: weight)
      }
    }
  }
}
