/// All shortest paths from some points to others, as a task: what is asked, and how it will be answered.
///
///     let matrix = Matrix(hierarchy, from: SeedTable(states: depots), to: SeedTable(states: stops), lengths: true)
///     let query = MatrixQuery(matrix)
///     let block = MatrixBlock(matrix)
///     for rows in matrix.blocks {
///       query.fill(block, rows: rows)
///       print(block.weight(row: 0, column: 3))
///     }
///
/// Rows are sources, columns targets, a cell is the weight of the shortest path: the same, bit for bit, as `PathQuery`
/// finds. The whole matrix is never in memory, only blocks of rows. Immutable: many threads may share it, each with a
/// query and a block of its own.
///
/// Source: lane RPHAST (D. Delling, A. V. Goldberg, R. F. Werneck 2011), planned by `MatrixPlan`.
public struct Matrix: Sendable {
  /// What is searched.
  public let hierarchy: Hierarchy
  /// The rows.
  public let sources: SeedTable
  /// The columns.
  public let targets: SeedTable
  /// Whether cells have lengths as well as times. Times alone take half the memory and less time.
  public let hasLengths: Bool
  /// How it will be answered, and the expected cost.
  public let plan: MatrixPlan
  /// What is swept for every block of rows, where lanes are sources.
  let selection: Selection?
  let sweptTargets: SweptPoints?

  /// Surveys both sides and plans.
  ///
  /// - Parameters:
  ///   - hierarchy: What is searched.
  ///   - sources: The rows.
  ///   - targets: The columns.
  ///   - lengths: Whether cells shall have lengths as well as times.
  ///   - chosen: How to answer; nil for the plan that is expected to be cheapest.
  ///   - workers: Threads that plan.
  public init(
    _ hierarchy: Hierarchy, from sources: SeedTable, to targets: SeedTable, lengths: Bool,
    plan chosen: MatrixPlan? = nil, workers: Int = 1
  ) {
    self.hierarchy = hierarchy
    self.sources = sources
    self.targets = targets
    hasLengths = lengths
    let survey = chosen == nil ? MatrixSurvey(hierarchy, sources, targets, workers: workers) : nil
    plan = chosen ?? MatrixPlan(survey!, lengths: lengths)
    guard plan.engine == .sourceLanes else {
      (selection, sweptTargets) = (nil, nil)
      return
    }
    let half = hierarchy.incoming
    let selection =
      plan.sweepsAll
      ? Selection(all: half)
      : Selection(
        survey?.targetSide.ranks ?? Selection.ranks(above: targets.seeds, in: half, of: hierarchy), in: half,
        stateCount: hierarchy.stateCount)
    self.selection = selection
    sweptTargets = SweptPoints(targets, 0..<targets.count, in: selection, of: hierarchy)
  }

  /// Arcs that one sweep reads, where every block of rows sweeps the same.
  package var sweptArcs: Int? { selection?.arcs.count }

  /// The rows, cut into blocks; the same for any number of threads.
  public var blocks: [Range<Int>] {
    stride(from: 0, to: sources.count, by: plan.rowsPerBlock).map {
      $0..<min($0 + plan.rowsPerBlock, sources.count)
    }
  }
}
