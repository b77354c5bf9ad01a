/// The input and the plan of a matrix of shortest paths between two lists of points.
///
///     let matrix = Matrix(hierarchy, from: SeedTable(states: depots), to: SeedTable(states: stops), lengths: true)
///     let query = MatrixQuery(matrix)
///     let block = MatrixBlock(matrix)
///     for rows in matrix.blocks {
///       query.fill(block, rows: rows)
///       print(block.weight(row: 0, column: 3))
///     }
///
/// Rows are sources, columns are targets; a cell is the weight of the shortest path, bit for bit equal to
/// `PathQuery`'s. The whole matrix is never in memory, only blocks of rows. Immutable: many threads may share it, each
/// with its own query and block.
///
/// Source: lane RPHAST (D. Delling, A. V. Goldberg, R. F. Werneck 2011), planned by `MatrixPlan`.
public struct Matrix: Sendable {
  /// The hierarchy.
  public let hierarchy: Hierarchy
  /// The rows.
  public let sources: SeedTable
  /// The columns.
  public let targets: SeedTable
  /// Whether cells have lengths as well as times. Times alone take half the memory and less time.
  public let hasLengths: Bool
  /// The plan, and its expected cost.
  public let plan: MatrixPlan
  /// The selection that every block of rows sweeps, if lanes are sources.
  let selection: Selection?
  let sweptTargets: SweptPoints?

  /// Surveys both sides and chooses a plan.
  ///
  /// - Parameters:
  ///   - hierarchy: The hierarchy.
  ///   - sources: The rows.
  ///   - targets: The columns.
  ///   - lengths: Whether cells have lengths as well as times.
  ///   - chosen: The plan to use; nil for the plan with the lowest expected cost.
  ///   - workers: The number of threads for planning.
  public init(
    _ hierarchy: Hierarchy, from sources: SeedTable, to targets: SeedTable, lengths: Bool,
    plan chosen: MatrixPlan? = nil, workers: Int = 1
  ) {
    self.hierarchy = hierarchy
    self.sources = sources
    self.targets = targets
    hasLengths = lengths
    let ranks: [UInt32]?
    (plan, ranks) =
      chosen.map { ($0, nil) } ?? MatrixPlan.best(hierarchy, sources, targets, lengths: lengths, workers: workers)
    guard plan.engine == .sourceLanes else {
      (selection, sweptTargets) = (nil, nil)
      return
    }
    let half = hierarchy.incoming
    let selection =
      plan.sweepsAll
      ? Selection(all: half)
      : Selection(
        ranks ?? Selection.ranks(above: targets.seeds, in: half, of: hierarchy), in: half,
        stateCount: hierarchy.stateCount)
    self.selection = selection
    sweptTargets = SweptPoints(targets, 0..<targets.count, in: selection, of: hierarchy)
  }

  /// The number of arcs per sweep, if all blocks of rows sweep the same ones.
  package var sweptArcs: Int? { selection?.arcs.count }

  /// The blocks of rows; the same for any number of threads.
  public var blocks: [Range<Int>] { (0..<sources.count).batches(of: plan.rowsPerBlock) }
}

extension MatrixPlan {
  private static let cellsPerSourceBlock = 1 << 21
  private static let cellsPerTargetBlock = 1 << 24
  /// Half of the third-level cache: 32 lanes are slower if the states do not fit.
  private static let cacheBytes = 16 << 20

  /// Measured costs in nanoseconds (Benchmarks/README.md).
  private enum Cost {
    /// A point-to-point query.
    static let pair = 15_000.0
    /// Clearing a query's memory, per state.
    static let start = 0.5
    /// Selecting a state.
    static let selection = 30.0
    /// A swept arc per 64-byte vector, with lanes in the second-level cache, the third-level cache or memory.
    static let arc = (near: 0.6, middle: 1.2, far: 2.5)
    /// An upward search per lane, for neighbouring sources and for targets in any order.
    static let search = (sorted: 2_000.0, unsorted: 6_000.0)
    /// Writing one value of a cell.
    static let cell = 0.8
  }

  /// Surveys both sides and returns the plan with the lowest expected cost, and the ranks of the states relevant to the
  /// targets, ascending; nil for all states.
  fileprivate static func best(
    _ hierarchy: Hierarchy, _ sources: SeedTable, _ targets: SeedTable, lengths: Bool, workers: Int
  ) -> (plan: MatrixPlan, ranks: [UInt32]?) {
    let (rows, columns) = (sources.count, targets.count)
    let targetRows = max(1, min(max(1024, cellsPerTargetBlock / max(1, columns)), rows))
    // With fewer rows, lanes of sources are better: targets are selected once, and neighbouring sources are searched
    // together.
    let surveysSources = rows > 2 * columns
    let sides = inParallel(surveysSources ? [true, false] : [true], workers: workers) { isTargets in
      isTargets
        ? Sweeps(
          targets.seeds[...], in: hierarchy.incoming, of: hierarchy, lanePoints: rows, search: Cost.search.sorted,
          lengths: lengths)
        : Sweeps(
          sources.seeds[..<Int(sources.first[min(targetRows, rows)])], in: hierarchy.outgoing, of: hierarchy,
          lanePoints: columns, search: Cost.search.unsorted, lengths: lengths)
    }
    let (forward, backward) = (sides[0], surveysSources ? sides[1] : nil)
    let values = Double(rows * columns) * (lengths ? 2 : 1)
    let start = Double(hierarchy.stateCount) * Cost.start
    let rowBlocks = (rows + targetRows - 1) / targetRows
    var costs: [Engine: Double] = [
      .pairs: (start + Double(rows * columns) * Cost.pair) / 1e9,
      .sourceLanes: (start + forward.cost + values * Cost.cell) / 1e9,
    ]
    costs[.targetLanes] = backward.map { (start + Double(rowBlocks) * $0.cost + values * Cost.cell) / 1e9 }
    let engine = Engine.allCases.filter { costs[$0] != nil }.min { costs[$0]! < costs[$1]! }!
    let sweeps = engine == .targetLanes ? backward! : forward
    var plan = MatrixPlan(engine, lanes: sweeps.lanes, sweepsAll: sweeps.ranks == nil, rowsPerBlock: targetRows)
    (plan.costs, plan.sweptStates) = (costs, sweeps.states)
    if engine != .targetLanes {
      // Whole blocks of lanes: as many as the limit on cells allows, but few enough that every worker gets blocks.
      let maximumRows = cellsPerSourceBlock / max(1, columns) / plan.lanes * plan.lanes
      let fairRows = max(256, (rows / 16 + plan.lanes - 1) / plan.lanes * plan.lanes)
      plan.rowsPerBlock = max(plan.lanes, min(maximumRows, fairRows))
    }
    return (plan, forward.ranks)
  }

  /// The sweeps over one side for all points of the other.
  private struct Sweeps {
    /// The ranks of the visited states, ascending; nil for all states.
    let ranks: [UInt32]?
    let states: Int
    let lanes: Int
    /// The cost in nanoseconds, including selection.
    let cost: Double

    /// Visits all states if there are few sweeps and many points, since selecting the relevant ones would take as long.
    init(
      _ seeds: ArraySlice<Seed>, in half: UpwardArcs, of hierarchy: Hierarchy, lanePoints: Int, search: Double,
      lengths: Bool
    ) {
      let selectsStates = lanePoints > 256 || seeds.count < hierarchy.stateCount / 4
      let ranks = selectsStates ? Selection.ranks(above: seeds, in: half, of: hierarchy) : nil
      self.ranks = ranks
      states = ranks?.count ?? hierarchy.stateCount
      let arcs = ranks.map { $0.reduce(0) { $0 + half[Rank($1)].count } } ?? half.arcs.count
      lanes = lengths || lanePoints <= 16 || states * 128 > MatrixPlan.cacheBytes ? 16 : 32
      let vectors = lengths || lanes == 32 ? 2 : 1
      let bytes = states * 64 * vectors
      let arc = bytes < 512 << 10 ? Cost.arc.near : bytes < 24 << 20 ? Cost.arc.middle : Cost.arc.far
      let blocks = Double((lanePoints + lanes - 1) / lanes)
      let sweep = Double((arcs + seeds.count) * vectors) * arc + Double(lanes) * search
      cost = Double(ranks?.count ?? 0) * Cost.selection + blocks * sweep
    }
  }
}

/// The method of computing a matrix, with the expected cost.
///
/// `pairs` runs point-to-point queries, for a few cells. The others sweep: many upward searches from the points of one
/// side run together in lanes, and each block of lanes visits the states relevant to the other side once. Lanes are the
/// points of the side for which the sweeps are cheaper in total, usually the smaller side.
public struct MatrixPlan: Sendable, Hashable, CustomStringConvertible {
  /// The method; its raw value is for display.
  public enum Engine: String, Sendable, CaseIterable {
    /// A `PathQuery` per cell.
    case pairs = "point to point"
    /// Sources in lanes; each block of them sweeps the states relevant to all targets.
    case sourceLanes = "lanes of sources"
    /// Targets in lanes; each block of them sweeps the states relevant to a block of rows.
    case targetLanes = "lanes of targets"
  }

  /// The method.
  public var engine: Engine
  /// The number of points in a block of lanes: 16 or 32.
  public var lanes: Int
  /// Whether all states are swept instead of a selection.
  public var sweepsAll: Bool
  /// The number of states visited per sweep; an estimate if each block of rows has its own selection.
  public var sweptStates: Int
  /// The number of rows computed together.
  public var rowsPerBlock: Int
  /// Expected seconds on one core for this method and the others.
  public var costs: [Engine: Double]

  /// A plan chosen by hand, for benchmarks and tests.
  public init(_ engine: Engine, lanes: Int = 16, sweepsAll: Bool = false, rowsPerBlock: Int = 1024) {
    precondition(lanes == 16 || lanes == 32, "the number of lanes must be 16 or 32")
    self.engine = engine
    self.lanes = lanes
    self.sweepsAll = sweepsAll
    self.rowsPerBlock = max(1, rowsPerBlock)
    sweptStates = 0
    costs = [:]
  }

  package var method: String {
    guard engine != .pairs else { return engine.rawValue }
    return "\(engine.rawValue), \(lanes) at a time, sweeping \(sweepsAll ? "all " : "")\(sweptStates) states"
  }

  /// The plan and the expected costs, in one line.
  public var description: String {
    func format(_ seconds: Double) -> String {
      seconds < 0.01 ? "\(max(1, Int(seconds * 1e6))) µs" : "\((seconds * 100).rounded() / 100) s"
    }
    let others = Engine.allCases.filter { $0 != engine }.compactMap { other in
      costs[other].map { "\(other.rawValue) \(format($0))" }
    }
    return "\(method): about \(format(costs[engine] ?? 0)) on one core (\(others.joined(separator: ", ")))"
  }
}
