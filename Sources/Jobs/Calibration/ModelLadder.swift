/// The models of slowness, from the least to the most, and which of them held-out trips speak for.
struct ModelLadder: Sendable {
  let observations: [Observation]
  /// What was predicted before.
  let before: CrossValidation.HeldOut
  /// Each model with what it predicts for held-out trips.
  let rungs: [(model: SlownessModel, heldOut: CrossValidation.HeldOut)]
  /// The least of those that a traffic table can hold whose mean error is within a hundredth of the best one's, or a
  /// tenth of a second.
  let chosen: SlownessModel

  init(_ observations: [Observation], bandCount: Int, workers: Int) throws {
    let validation = CrossValidation(observations, workers: workers)
    let models = SlownessModel.Shape.allCases.map { SlownessModel(shape: $0, bandCount: bandCount) }
    let rungs = Array(zip(models, try validation.heldOut(models)))
    let writable = rungs.filter { $0.0.shape.isWritable }.map { ($0.0, $0.1.errors()?.mean ?? .infinity) }
    let limit = (writable.map(\.1).min() ?? .infinity) * 1.01 + 0.1
    before = validation.before
    chosen = (writable.first { $0.1 <= limit } ?? writable[0]).0
    self.observations = observations
    self.rungs = rungs.map { (model: $0.0, heldOut: $0.1) }
  }
}
