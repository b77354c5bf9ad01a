import Geography

/// A model fitted to random halves of the trips, and its predictions for the other halves.
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

  /// The predictions of a model.
  func heldOut(_ model: SlownessModel) throws -> HeldOut {
    var heldOut = HeldOut()
    let observations = observations
    try Pipeline.run(
      halves, workers: workers,
      makeWorker: {
        { half in
          let parameters = model.fit(observations, half.fitted)
          return half.heldOut.map { .init($0, observations[$0], model.seconds(observations[$0], parameters)) }
        }
      }, write: { heldOut.splits += $0 })
    return heldOut
  }

  /// The predictions from before, in the same splits.
  var before: HeldOut {
    HeldOut(splits: halves.map { $0.heldOut.map { .init($0, observations[$0], observations[$0].before) } })
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

extension CrossValidation {
  /// A trip that was held out.
  struct Prediction: Sendable {
    /// Index among the observations.
    let trip: Int
    let band: Int
    /// Seconds between the predicted time and the observed one.
    let error: Double
    /// The error over the observed time.
    let ratio: Double

    fileprivate init(_ trip: Int, _ observation: Observation, _ predicted: Double) {
      (self.trip, band, error) = (trip, observation.band, abs(predicted - observation.observed))
      ratio = error / observation.observed
    }
  }

  /// Predictions for the trips that were held out: a list per split.
  struct HeldOut: Sendable {
    fileprivate var splits: [[Prediction]] = []

    /// The mean error in seconds and the median one over the observed time, of all trips or those in some bands: averages
    /// over the splits, nil where none has such trips.
    func errors(in bands: Set<Int>? = nil) -> (mean: Double, median: Double)? {
      let splits = splits.map { $0.filter { bands?.contains($0.band) != false } }.filter { !$0.isEmpty }
      guard !splits.isEmpty else { return nil }
      func average(_ value: ([Prediction]) -> Double) -> Double {
        splits.reduce(0) { $0 + value($1) } / Double(splits.count)
      }
      return (
        average { split in split.reduce(0) { $0 + $1.error } / Double(split.count) },
        average { $0.map(\.ratio).median }
      )
    }

    /// Whether the median error in a band is less than it was before, by a hundredth or more: also in nineteen of twenty
    /// samples that are drawn from its trips, with repetition, so that it is no luck (the bootstrap of B. Efron 1979).
    func lowersMedian(of before: HeldOut, in band: Int) -> Bool {
      let (after, before) = (ratioByTrip(in: band), before.ratioByTrip(in: band))
      let trips = after.keys.sorted()
      guard !trips.isEmpty else { return false }
      let draws = 200
      let lower = (0..<draws).count { draw in
        var random = SeededGenerator(seed: 2000 &+ UInt64(draw))
        let drawn = trips.map { _ in trips.randomElement(using: &random)! }
        return drawn.map { after[$0]! }.median < 0.99 * drawn.map { before[$0]! }.median
      }
      return lower * 20 >= draws * 19
    }

    /// By trip: the mean of the splits that hold it out.
    private func ratioByTrip(in band: Int) -> [Int: Double] {
      let held = Dictionary(grouping: splits.joined().filter { $0.band == band }, by: \.trip)
      return held.mapValues { $0.reduce(0) { $0 + $1.ratio } / Double($0.count) }
    }
  }
}

extension [Double] {
  /// Of an even number the middle of the middle two. There must be one.
  fileprivate var median: Double {
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
