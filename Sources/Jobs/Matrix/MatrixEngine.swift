import Hierarchy
import Routing
import Tables

/// What computes the rows of a matrix, block after block. Shared by all threads.
protocol MatrixEngine: Sendable {
  /// Of origins, in their order.
  var blocks: [Range<Int>] { get }
  /// How it computes them, and why so.
  var explanation: String { get }
  /// Seconds of all rows on one core.
  var seconds: Double { get }
  /// Bytes that a thread holds.
  var workerMemory: Int { get }
  /// Bytes that all threads share.
  var sharedMemory: Int { get }
  /// The clock that trips go by; nil where they have no hours.
  var clock: StreetClock? { get }
  /// What fills blocks on one thread: for some origins a block that has a row of each, or one for each of its hours.
  func makeFill() -> (Range<Int>) -> MatrixBlock
}

extension TripMatrix: MatrixEngine {
  var blocks: [Range<Int>] { matrix.blocks }
  var explanation: String { "\(matrix.plan)" }
  var seconds: Double { matrix.plan.costs[matrix.plan.engine] ?? 0 }
  var sharedMemory: Int { 0 }
  var clock: StreetClock? { nil }
  var workerMemory: Int { matrix.plan.sweptStates * 64 * (matrix.hasLengths ? 2 : 1) }
}

extension HourlyMatrix: MatrixEngine {
  var clock: StreetClock? { timed.graph.clock }
  var workerMemory: Int { memory }
}
