import Hierarchy
import StreetNetwork
import Synchronization

/// The trips between places under the speeds and closings of single stretches of time: hierarchies are made when they are
/// first needed, the next few along with it, and those used longest ago are given up where memory is short. Shared by all
/// threads.
final class FrozenMatrices: Sendable {
  private let timed: TimedNetwork
  private let metrics: [Moment]
  private let sources: [[TimedSeed]]
  private let targets: [[TimedSeed]]
  private let state = Mutex(State())
  /// Held while hierarchies are made: those that are there may be used meanwhile.
  private let making = Mutex(())
  /// How many are kept at a time.
  let capacity: Int

  /// What decides a metric.
  struct Moment: Sendable {
    var clock: StreetClock
    var time: UInt32

    var frozen: FrozenClock { FrozenClock(clock, at: time) }
  }

  private struct State {
    var matrices: [Int: (matrix: Matrix, used: Int)] = [:]
    var uses = 0

    mutating func use(_ metric: Int) -> Matrix? {
      uses += 1
      matrices[metric]?.used = uses
      return matrices[metric]?.matrix
    }

    mutating func keep(atMost count: Int) {
      let oldest = matrices.sorted { ($0.value.used, $0.key) < ($1.value.used, $1.key) }
      for (metric, _) in oldest.prefix(max(0, matrices.count - count)) { matrices[metric] = nil }
    }
  }

  /// Bytes that are kept at most.
  private static let most = 2 << 30
  /// Metrics that are made together.
  private static let batch = 8

  init(_ timed: TimedNetwork, _ metrics: [Moment], from sources: [[TimedSeed]], to targets: [[TimedSeed]]) {
    (self.timed, self.metrics, self.sources, self.targets) = (timed, metrics, sources, targets)
    capacity = max(FrozenMatrices.batch, FrozenMatrices.most / max(1, FrozenMatrices.bytes(timed, sources, targets)))
  }

  private static func bytes(_ timed: TimedNetwork, _ sources: [[TimedSeed]], _ targets: [[TimedSeed]]) -> Int {
    timed.network.customizable.arcCount * 24 + (sources.count + targets.count) * 48
  }

  /// Bytes that `count` of them take, and what is made along with them.
  func memory(_ count: Int) -> Int {
    let made = max(count, min(FrozenMatrices.batch, metrics.count))
    return min(made, capacity) * FrozenMatrices.bytes(timed, sources, targets)
  }

  /// About how many seconds making one takes.
  var seconds: Double { Double(timed.network.customizable.arcCount) * 70e-9 }

  /// All trips under a metric.
  func matrix(_ metric: Int) -> Matrix {
    if let known = known(metric) { return known }
    // Another thread may have made it meanwhile.
    return making.withLock { _ in known(metric) ?? make(metric) }
  }

  private func known(_ metric: Int) -> Matrix? { state.withLock { $0.use(metric) } }

  /// Makes it and the next that are missing.
  private func make(_ metric: Int) -> Matrix {
    let missing = state.withLock { state in
      let missing = Array((metric..<metrics.count).filter { state.matrices[$0] == nil }.prefix(FrozenMatrices.batch))
      state.keep(atMost: capacity - missing.count)
      return missing
    }
    let clocks = missing.map { metrics[$0].frozen }
    let hierarchies = timed.network.customizable.hierarchies(of: clocks.map { $0.weights(of: timed.graph) })
    let made = zip(clocks, hierarchies).map { matrix($0, $1, nil, nil) }
    state.withLock { state in
      state.uses += 1
      for (metric, matrix) in zip(missing, made) { state.matrices[metric] = (matrix, state.uses) }
    }
    return made[0]
  }

  /// Trips between some of the places under a metric.
  func matrix(_ metric: Int, from rows: [Int], to columns: [Int]) -> Matrix {
    matrix(metrics[metric].frozen, matrix(metric).hierarchy, rows, columns)
  }

  private func matrix(_ frozen: FrozenClock, _ hierarchy: Hierarchy, _ rows: [Int]?, _ columns: [Int]?) -> Matrix {
    Matrix(
      hierarchy,
      from: SeedTable(count: rows?.count ?? sources.count) { frozen.seeds(sources[rows?[$0] ?? $0]) },
      to: SeedTable(count: columns?.count ?? targets.count) { frozen.seeds(targets[columns?[$0] ?? $0]) },
      lengths: false)
  }
}
