import Hierarchy

/// An engine that computes the rows of a matrix, block by block. Shared by all threads.
package protocol MatrixEngine: Sendable {
  /// The ranges of origins that are computed together, in order.
  var blocks: [Range<Int>] { get }
  /// The method and the reason for it.
  var explanation: String { get }
  /// The estimated seconds for all rows on one core.
  var seconds: Double { get }
  /// The memory per thread, in bytes.
  var workerMemory: Int { get }
  /// The memory shared by all threads, in bytes.
  var sharedMemory: Int { get }
  /// The clock of time-dependent trips; nil if no travel time depends on the departure, or for percentiles.
  var clock: StreetClock? { get }
  /// Returns a function that fills blocks on one thread: given a range of origins, one row per origin, or one per
  /// origin and time.
  func makeFill() -> (Range<Int>) -> MatrixBlock
}
