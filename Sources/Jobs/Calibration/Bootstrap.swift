import Geography

/// How sure fitted numbers are: what they become where trips are drawn anew from those there are, with repetition
/// (B. Efron 1979).
enum Bootstrap {
  private static let draws = 200

  /// In what share of the draws from some trips something holds; 0 for no trips.
  static func share(ofDrawsFrom trips: [Int], _ holds: ([Int]) -> Bool) -> Double {
    guard !trips.isEmpty else { return 0 }
    return Double(
      (0..<draws).count { draw in
        var random = SeededGenerator(seed: 2000 &+ UInt64(draw))
        return holds(trips.map { _ in trips.randomElement(using: &random)! })
      }) / Double(draws)
  }

  /// For each number the range that nine in ten draws lie in. `numbers` makes them of a fit's parameters.
  static func intervals(
    _ model: SlownessModel, _ observations: [Observation], around fitted: [Double], workers: Int,
    _ numbers: @escaping @Sendable ([Double]) -> [Double]
  ) throws -> [ClosedRange<Double>] {
    var drawn: [[Double]] = []
    try Pipeline.run(
      0..<draws, workers: workers,
      makeWorker: {
        { draw in
          var random = SeededGenerator(seed: 1000 &+ UInt64(draw))
          let rows = observations.indices.map { _ in Int.random(in: observations.indices, using: &random) }
          return numbers(model.fit(observations, rows, from: fitted))
        }
      }, write: { drawn += $0 })
    return (drawn.first ?? []).indices.map { index in
      let sorted = drawn.map { $0[index] }.sorted()
      return sorted[draws / 20 - 1]...sorted[draws - draws / 20]
    }
  }
}
