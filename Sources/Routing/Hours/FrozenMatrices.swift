import Hierarchy
import StreetNetwork
import Synchronization

/// The trips between places under the speeds and closings of single stretches of time: hierarchies are made when they are
/// first needed, the next few along with it, and those used longest ago are given up where memory is short. Shared by all
/// threads.
final class FrozenMatrices: Sendable {
  private let timed: TimedNetwork
  private let metrics: [FrozenClock]
  private let sources: [[TimedSeed]]
  private let targets: [[TimedSeed]]
  private let state = Mutex(State())
  /// How many are kept at a time.
  let capacity: Int

  private struct State {
    var matrices: [Int: (matrix: Matrix, used: Int)] = [:]
    /// Made along with others.
    var hierarchies: [Int: Hierarchy] = [:]
    var uses = 0
  }

  /// Bytes that are kept at most.
  private static let most = 2 << 30
  /// Metrics that are made together.
  private static let batch = 8

  init(_ timed: TimedNetwork, _ metrics: [FrozenClock], from sources: [[TimedSeed]], to targets: [[TimedSeed]]) {
    (self.timed, self.metrics, self.sources, self.targets) = (timed, metrics, sources, targets)
    capacity = max(FrozenMatrices.batch, FrozenMatrices.most / max(1, FrozenMatrices.bytes(timed, sources, targets)))
  }

  private static func bytes(_ timed: TimedNetwork, _ sources: [[TimedSeed]], _ targets: [[TimedSeed]]) -> Int {
    timed.network.customizable.arcCount * 24 + (sources.count + targets.count) * 48
  }

  /// Bytes that `count` of them take.
  func memory(_ count: Int) -> Int { min(count, capacity) * FrozenMatrices.bytes(timed, sources, targets) }

  /// About how many seconds making one takes.
  var seconds: Double { Double(timed.network.customizable.arcCount) * 70e-9 }

  /// All trips under a metric.
  func matrix(_ metric: Int) -> Matrix {
    state.withLock { state in
      state.uses += 1
      if let known = state.matrices[metric]?.matrix {
        state.matrices[metric]?.used = state.uses
        return known
      }
      if state.hierarchies[metric] == nil {
        let missing = (metric..<metrics.count).filter { state.matrices[$0] == nil }.prefix(FrozenMatrices.batch)
        let made = timed.network.customizable.hierarchies(of: missing.map { metrics[$0].weights(of: timed.graph) })
        state.hierarchies = Dictionary(uniqueKeysWithValues: zip(missing, made))
      }
      let matrix = matrix(metric, state.hierarchies.removeValue(forKey: metric)!, nil, nil)
      if state.matrices.count >= capacity, let oldest = state.matrices.min(by: { $0.value.used < $1.value.used }) {
        state.matrices[oldest.key] = nil
      }
      state.matrices[metric] = (matrix, state.uses)
      return matrix
    }
  }

  /// Trips between some of the places under a metric.
  func matrix(_ metric: Int, from rows: [Int], to columns: [Int]) -> Matrix {
    matrix(metric, matrix(metric).hierarchy, rows, columns)
  }

  private func matrix(_ metric: Int, _ hierarchy: Hierarchy, _ rows: [Int]?, _ columns: [Int]?) -> Matrix {
    let frozen = metrics[metric]
    return Matrix(
      hierarchy,
      from: SeedTable(count: rows?.count ?? sources.count) { frozen.seeds(sources[rows?[$0] ?? $0]) },
      to: SeedTable(count: columns?.count ?? targets.count) { frozen.seeds(targets[columns?[$0] ?? $0]) },
      lengths: false)
  }
}
