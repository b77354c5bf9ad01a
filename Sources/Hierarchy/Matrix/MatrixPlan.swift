/// How a matrix is computed, and what that is expected to cost.
///
/// `pairs` asks point to point, for a few cells. The others sweep: the points of one side climb in lanes, many at once,
/// and the states that matter to the other side are visited once for each such block of lanes. Lanes go on the side
/// that makes the sum of sweeps least, mostly the smaller one.
public struct MatrixPlan: Sendable, Hashable, CustomStringConvertible {
  public enum Engine: String, Sendable, CaseIterable {
    case pairs = "point to point"
    case sourceLanes = "lanes of sources"
    case targetLanes = "lanes of targets"
  }

  public var engine: Engine
  /// Points in a block of lanes: 16 or 32.
  public var lanes: Int
  /// Whether all states are swept, rather than those that matter selected first.
  public var sweepsAll: Bool
  /// States visited in a sweep; expected, where each block of rows selects its own.
  public var sweptStates: Int
  /// Rows that are computed together.
  public var rowsPerBlock: Int
  /// Expected seconds on one core, of this engine and of the others.
  public var costs: [Engine: Double]

  /// A plan of one's own, for measuring and testing.
  public init(_ engine: Engine, lanes: Int = 16, sweepsAll: Bool = false, rowsPerBlock: Int = 1024) {
    precondition(lanes == 16 || lanes == 32, "lanes come in 16 or 32")
    self.engine = engine
    self.lanes = lanes
    self.sweepsAll = sweepsAll
    self.rowsPerBlock = max(1, rowsPerBlock)
    sweptStates = 0
    costs = [:]
  }

  public var description: String {
    func text(_ seconds: Double) -> String {
      seconds < 0.01 ? "\(max(1, Int(seconds * 1e6))) µs" : "\((seconds * 100).rounded() / 100) s"
    }
    var what = engine.rawValue
    if engine != .pairs {
      what += ", \(lanes) at a time, sweeping \(sweepsAll ? "all " : "")\(sweptStates) states"
    }
    let others = Engine.allCases.filter { $0 != engine }.compactMap { other in
      costs[other].map { "\(other.rawValue) \(text($0))" }
    }
    return "\(what): about \(text(costs[engine] ?? 0)) on one core (\(others.joined(separator: ", ")))"
  }
}

/// What a plan is made from: how many states matter to each side.
struct MatrixSurvey {
  let sourceCount: Int
  let targetCount: Int
  let targetSeeds: Int
  let sourceSeeds: Int
  /// Empty where there are so many targets that all states are taken to matter.
  let ranksAboveTargets: [UInt32]
  let statesAboveTargets: Int
  /// For a block of rows.
  let statesAboveSources: Int
  let rowsPerTargetBlock: Int

  /// From this share of the states on, the points are taken to matter to all of them.
  private static let fullShare = 4

  init(_ hierarchy: Hierarchy, _ sources: SeedTable, _ targets: SeedTable) {
    sourceCount = sources.count
    targetCount = targets.count
    targetSeeds = targets.seeds.count
    sourceSeeds = sources.seeds.count
    let most = hierarchy.stateCount / MatrixSurvey.fullShare
    ranksAboveTargets =
      targets.seeds.count > most ? [] : Selection.ranks(above: targets.seeds, in: hierarchy.incoming, of: hierarchy)
    statesAboveTargets = targets.seeds.count > most ? hierarchy.stateCount : ranksAboveTargets.count
    rowsPerTargetBlock = max(1, min(max(1024, MatrixPlan.cellsPerTargetBlock / max(1, targets.count)), sources.count))
    let block = sources.seeds[..<Int(sources.first[min(rowsPerTargetBlock, sources.count)])]
    statesAboveSources =
      block.count > most
      ? hierarchy.stateCount : Selection.ranks(above: block, in: hierarchy.outgoing, of: hierarchy).count
  }
}

extension MatrixPlan {
  static let cellsPerSourceBlock = 1 << 22
  static let cellsPerTargetBlock = 1 << 24
  /// What half of the third-level cache holds: wider lanes do not pay when their states do not fit.
  private static let cacheBytes = 16 << 20

  /// Nanoseconds, measured (Benchmarks/README.md): a question point to point; selecting a state; an arc swept in a
  /// vector of 64 bytes, where lanes fit into the second-level cache, the third, and none; a cell written.
  private enum Cost {
    static let pair = 15_000.0
    static let selection = 30.0
    static let arc = (near: 0.6, middle: 1.2, far: 3.0)
    static let cell = 0.8
    /// Climbing, for a lane.
    static let climb = 3_000.0
  }

  init(_ survey: MatrixSurvey, _ hierarchy: Hierarchy, lengths: Bool) {
    let (rows, columns) = (Double(survey.sourceCount), Double(survey.targetCount))
    let arcsPerState = Double(hierarchy.arcCount) / 2 / Double(max(1, hierarchy.stateCount))
    func lanes(sweeping states: Int, points: Int) -> Int {
      lengths || points <= 16 || states * 128 > MatrixPlan.cacheBytes ? 16 : 32
    }
    /// One block of lanes: the states swept, and the seeds of the points that are read.
    func sweep(_ states: Int, _ seeds: Int, lanes: Int) -> Double {
      let vectors = lengths || lanes == 32 ? 2.0 : 1.0
      let bytes = states * 64 * (vectors == 2 ? 2 : 1)
      let arc = bytes < 512 << 10 ? Cost.arc.near : bytes < 24 << 20 ? Cost.arc.middle : Cost.arc.far
      return (Double(states) * arcsPerState + Double(seeds)) * vectors * arc + Double(lanes) * Cost.climb
    }
    let (above, below) = (survey.statesAboveTargets, survey.statesAboveSources)
    let isFull = above == hierarchy.stateCount
    let sourceLanes = lanes(sweeping: above, points: survey.sourceCount)
    let sourceBlocks = (rows / Double(sourceLanes)).rounded(.up)
    let sourceCost =
      Double(isFull ? 0 : above) * Cost.selection
      + sourceBlocks * sweep(above, survey.targetSeeds, lanes: sourceLanes)
    let targetLanes = lanes(sweeping: below, points: survey.targetCount)
    let rowBlocks = (rows / Double(survey.rowsPerTargetBlock)).rounded(.up)
    let seedsOfBlock = survey.sourceSeeds / max(1, Int(rowBlocks))
    let selectsRows = below < hierarchy.stateCount
    let laneBlocks = (columns / Double(targetLanes)).rounded(.up)
    let targetCost =
      rowBlocks * Double(selectsRows ? below : 0) * Cost.selection
      + rowBlocks * laneBlocks * sweep(below, seedsOfBlock, lanes: targetLanes)
    let cells = rows * columns * Cost.cell * (lengths ? 2 : 1)
    let costs: [Engine: Double] = [
      .pairs: rows * columns * Cost.pair / 1e9, .sourceLanes: (sourceCost + cells) / 1e9,
      .targetLanes: (targetCost + cells) / 1e9,
    ]
    self.costs = costs
    engine = Engine.allCases.min { costs[$0]! < costs[$1]! }!
    switch engine {
    case .targetLanes:
      self.lanes = targetLanes
      (sweepsAll, sweptStates) = (!selectsRows, below)
      rowsPerBlock = survey.rowsPerTargetBlock
    case .sourceLanes, .pairs:
      self.lanes = sourceLanes
      (sweepsAll, sweptStates) = (isFull, above)
      // Whole blocks of lanes, as many as the cells allow, and several blocks for several workers.
      let most = MatrixPlan.cellsPerSourceBlock / max(1, survey.targetCount) / sourceLanes * sourceLanes
      let fair = (survey.sourceCount / 16 + sourceLanes - 1) / sourceLanes * sourceLanes
      rowsPerBlock = max(sourceLanes, min(most, fair))
    }
  }
}
