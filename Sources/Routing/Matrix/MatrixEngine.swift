import Hierarchy
import StreetNetwork
import Transit

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

/// The departures or arrivals of a matrix: one row per origin and time.
package struct MatrixTimes: Sendable {
  let timed: TimedNetwork
  let times: [TripTime]
  let percentiles: [Int]?

  /// - Parameter percentiles: Percentiles of each origin's times: one row per percentile instead of one row per time.
  package init(_ times: [TripTime], on timed: TimedNetwork, percentiles: [Int]? = nil) {
    (self.timed, self.times, self.percentiles) = (timed, times, percentiles)
  }
}

extension StreetNetwork {
  /// Returns the engine for all trips between two lists of places: departure lanes, or one of the engines of
  /// `MatrixPlan` if trips do not depend on time.
  ///
  /// - Parameters:
  ///   - origins: The rows; nil for places that are not on a street, which have no trips.
  ///   - times: The departures or arrivals; nil if trips do not depend on time.
  ///   - waits: Whether cells have waiting times.
  ///   - workers: The number of threads for preparation.
  package func matrixEngine(
    from origins: [TripEnd?], to destinations: [TripEnd?], at times: MatrixTimes?, distances: Bool,
    waits: Bool = false, workers: Int = 1
  ) -> any MatrixEngine {
    guard let times else {
      return TripMatrix(self, from: origins, to: destinations, distances: distances, workers: workers)
    }
    let hourly = HourlyMatrix(
      times.timed, from: origins, to: destinations, at: times.times, distances: distances, waits: waits)
    return times.percentiles.map { PercentileMatrix(hourly, $0) } ?? hourly
  }
}

/// A matrix with one row per percentile of the times of an hourly matrix.
struct PercentileMatrix: MatrixEngine {
  private let hourly: HourlyMatrix
  private let network: PercentileNetwork

  init(_ hourly: HourlyMatrix, _ percentiles: [Int]) {
    self.hourly = hourly
    network = PercentileNetwork(count: hourly.times.count, percentiles: percentiles)
  }

  var blocks: [Range<Int>] { hourly.blocks }
  var explanation: String { "\(hourly.explanation); percentiles by \(network.comparators.count) comparisons per cell" }
  var seconds: Double { hourly.seconds }
  var workerMemory: Int { hourly.workerMemory }
  var sharedMemory: Int { hourly.sharedMemory }
  var clock: StreetClock? { nil }

  func makeFill() -> (Range<Int>) -> MatrixBlock {
    let fill = hourly.makeFill()
    var block: MatrixBlock?
    return { [network] origins in
      let times = fill(origins)
      let percentiles = block ?? MatrixBlock(columns: times.columns, hasLengths: false)
      block = percentiles
      network.fill(percentiles, from: times)
      return percentiles
    }
  }
}
