import Geography

/// Models fitted to random halves of the trips, and what they predict for the other halves.
///
/// Trips of one day share its weather and its works: where there are days enough, the halves are of days.
struct CrossValidation: Sendable {
  private let observations: [Observation]
  private let workers: Int
  /// Indices of the observations that are fitted, and of those that are held out, by split.
  private let halves: [(fitted: [Int], heldOut: [Int])]
  private static let splits = 20
  /// Fewer make halves that are too unlike.
  private static let leastDays = 10

  init(_ observations: [Observation], workers: Int) {
    (self.observations, self.workers) = (observations, workers)
    halves = CrossValidation.halves(CrossValidation.groups(observations))
  }

  /// What is predicted for the trips that were held out: a list per split.
  struct HeldOut: Sendable {
    fileprivate var splits: [[(trip: Int, predicted: Double, observed: Double, band: Int)]]

    /// Of each split, or of its trips in a band.
    func errorsBySplit(in bands: Set<Int>? = nil) -> [PredictionErrors] {
      splits.compactMap { split in
        PredictionErrors(split.filter { bands?.contains($0.band) != false }.map { ($0.predicted, $0.observed) })
      }
    }

    /// Averages over the splits; nil where no split has trips of the bands.
    func errors(in bands: Set<Int>? = nil) -> PredictionErrors? {
      PredictionErrors(averageOf: errorsBySplit(in: bands))
    }

    /// Whether the median error in a band is less than it was before, by a hundredth or more: also in nineteen of twenty
    /// samples that are drawn from its trips, so that it is no luck.
    func lowersMedian(of before: HeldOut, in band: Int) -> Bool {
      let (after, before) = (errorByTrip(in: band), before.errorByTrip(in: band))
      let share = Bootstrap.share(ofDrawsFrom: after.keys.sorted()) { trips in
        trips.map { after[$0]! }.median < 0.99 * trips.map { before[$0]! }.median
      }
      return share >= 0.95
    }

    /// By index among the observations: the error over the observed time, the mean of the splits that hold the trip out.
    private func errorByTrip(in band: Int) -> [Int: Double] {
      var errors: [Int: [Double]] = [:]
      for held in splits.joined() where held.band == band {
        errors[held.trip, default: []].append(abs(held.predicted - held.observed) / held.observed)
      }
      return errors.mapValues { $0.reduce(0, +) / Double($0.count) }
    }
  }

  /// What models predict, each in the same splits.
  func heldOut(_ models: [SlownessModel]) throws -> [HeldOut] {
    var heldOut = models.map { _ in HeldOut(splits: []) }
    let (observations, halves) = (observations, halves)
    let tasks = models.indices.flatMap { model in (0..<CrossValidation.splits).map { (model, $0) } }
    try Pipeline.run(
      tasks.map { CrossValidationTask(model: $0.0, split: $0.1) }, workers: workers,
      makeWorker: {
        { task in
          let (model, halves) = (models[task.model], halves[task.split])
          let parameters = model.fit(observations, halves.fitted)
          return (task, halves.heldOut.map { model.seconds(observations[$0], parameters) })
        }
      },
      write: { answers in
        for (task, predicted) in answers {
          heldOut[task.model].splits.append(
            zip(halves[task.split].heldOut, predicted).map {
              ($0, $1, observations[$0].observed, observations[$0].band)
            })
        }
      })
    return heldOut
  }

  /// What was predicted before, in the same splits.
  var before: HeldOut {
    HeldOut(
      splits: halves.map { split in
        split.heldOut.map { index in
          (index, observations[index].before, observations[index].observed, observations[index].band)
        }
      })
  }

  /// What is held out together: the trips of a day, or each trip.
  private static func groups(_ observations: [Observation]) -> [[Int]] {
    let days = Dictionary(grouping: observations.indices) { observations[$0].day }
    return days.count < leastDays ? observations.indices.map { [$0] } : days.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The same for the same groups, on every machine.
  private static func halves(_ groups: [[Int]]) -> [(fitted: [Int], heldOut: [Int])] {
    (0..<splits).map { split in
      var random = SeededGenerator(seed: UInt64(split) &+ 1)
      let order = groups.shuffled(using: &random)
      return (order[..<(groups.count / 2)].joined().sorted(), order[(groups.count / 2)...].joined().sorted())
    }
  }
}

private struct CrossValidationTask: Sendable {
  var model: Int
  var split: Int
}
