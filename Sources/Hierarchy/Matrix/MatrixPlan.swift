/// How a matrix is computed, and what that is expected to cost.
///
/// `pairs` asks point to point, for a few cells. The others sweep: upward searches from the points of one side run in
/// lanes, many at once, and the states that matter to the other side are visited once for each such block of lanes.
/// Lanes go on the side that makes the sum of sweeps least, mostly the smaller one.
public struct MatrixPlan: Sendable, Hashable, CustomStringConvertible {
  /// How cells are computed; its raw value is for people.
  public enum Engine: String, Sendable, CaseIterable {
    /// A `PathQuery` per cell.
    case pairs = "point to point"
    /// Sources in lanes; the states that matter to all targets are swept for each block of them.
    case sourceLanes = "lanes of sources"
    /// Targets in lanes; the states that matter to a block of rows are swept for each block of them.
    case targetLanes = "lanes of targets"
  }

  /// How cells are computed.
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

  /// A plan chosen by hand, for measuring and testing.
  public init(_ engine: Engine, lanes: Int = 16, sweepsAll: Bool = false, rowsPerBlock: Int = 1024) {
    precondition(lanes == 16 || lanes == 32, "lanes come in 16 or 32")
    self.engine = engine
    self.lanes = lanes
    self.sweepsAll = sweepsAll
    self.rowsPerBlock = max(1, rowsPerBlock)
    sweptStates = 0
    costs = [:]
  }

  /// The plan and the expected costs, in one line.
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
