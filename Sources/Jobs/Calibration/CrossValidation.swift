import Geography

/// Models fitted to random halves of the trips, and what they predict for the other halves.
struct CrossValidation: Sendable {
  private let observations: [Observation]
  private let workers: Int
  private static let splits = 20

  init(_ observations: [Observation], workers: Int) {
    (self.observations, self.workers) = (observations, workers)
  }

  /// What is predicted for the trips that were held out: a list per split.
  struct HeldOut: Sendable {
    fileprivate var splits: [[(predicted: Double, observed: Double, band: Int)]]

    /// Of each split, or of its trips in a band.
    func errorsBySplit(in band: Int? = nil) -> [PredictionErrors] {
      splits.compactMap { split in
        PredictionErrors(split.filter { band == nil || $0.band == band }.map { ($0.predicted, $0.observed) })
      }
    }

    /// Averages over the splits; nil where no split has trips of the band.
    func errors(in band: Int? = nil) -> PredictionErrors? { PredictionErrors(averageOf: errorsBySplit(in: band)) }
  }

  /// What models predict, each in the same splits.
  func heldOut(_ models: [SlownessModel]) throws -> [HeldOut] {
    var heldOut = models.map { _ in HeldOut(splits: []) }
    let observations = observations
    let tasks = models.indices.flatMap { model in (0..<CrossValidation.splits).map { (model, $0) } }
    try Pipeline.run(
      tasks.map { CrossValidationTask(model: $0.0, split: $0.1) }, workers: workers,
      makeWorker: {
        { task in
          let (model, halves) = (models[task.model], CrossValidation.halves(observations.count, split: task.split))
          let parameters = model.fit(observations, halves.fitted)
          return (task, halves.heldOut.map { model.seconds(observations[$0], parameters) })
        }
      },
      write: { answers in
        for (task, predicted) in answers {
          let indices = CrossValidation.halves(observations.count, split: task.split).heldOut
          heldOut[task.model].splits.append(
            zip(indices, predicted).map { ($1, observations[$0].observed, observations[$0].band) })
        }
      })
    return heldOut
  }

  /// What was predicted before, in the same splits.
  var before: HeldOut {
    HeldOut(
      splits: (0..<CrossValidation.splits).map { split in
        CrossValidation.halves(observations.count, split: split).heldOut.map { index in
          (observations[index].before, observations[index].observed, observations[index].band)
        }
      })
  }

  /// The same for the same count and split, on every machine.
  private static func halves(_ count: Int, split: Int) -> (fitted: [Int], heldOut: [Int]) {
    var random = SeededGenerator(seed: UInt64(split) &+ 1)
    let order = Array(0..<count).shuffled(using: &random)
    return (order[..<(count / 2)].sorted(), order[(count / 2)...].sorted())
  }
}

private struct CrossValidationTask: Sendable {
  var model: Int
  var split: Int
}
