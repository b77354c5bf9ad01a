import Hierarchy
import Results
import Routing
import StreetNetwork

/// Estimates of a matrix at hours, and how far those of a sample are from the exact times.
struct MatrixEstimates: MatrixEngine {
  private let matrix: EstimatedMatrix
  private let sample: EstimatedMatrix.Sample
  let error: EstimateError
  let clock: StreetClock?

  init(_ timed: TimedNetwork, from origins: [TripEnd?], to destinations: [TripEnd?], at times: [TripTime]) {
    clock = timed.graph.clock
    matrix = EstimatedMatrix(timed, from: origins, to: destinations, at: times)
    sample = matrix.sample()
    error = EstimateError(sample.cells, missing: MatrixBlock.unreachable)
  }

  var blocks: [Range<Int>] { matrix.blocks }
  var explanation: String { "\(matrix.explanation); \(error)" }
  var seconds: Double { matrix.seconds(sample) }
  var workerMemory: Int { matrix.memory }
  var sharedMemory: Int { matrix.sharedMemory(sample) }
  func makeFill() -> (Range<Int>) -> MatrixBlock { matrix.makeFill() }
}
