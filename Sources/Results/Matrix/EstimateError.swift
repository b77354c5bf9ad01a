/// How far the estimates of a sample of cells are from their exact times.
package struct EstimateError: Sendable {
  /// Cells with a route and a time that is not zero, estimated and exact.
  let cells: Int
  /// Cells that have a route only as estimated, or only in truth.
  let unlike: Int
  /// Of the exact time.
  package let relative: Spread
  let seconds: Spread

  package struct Spread: Sendable {
    package let mean: Double
    let p95: Double
    let most: Double

    fileprivate init(_ values: [Double]) {
      let sorted = values.sorted()
      func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
      mean = rounded(values.reduce(0, +) / Double(max(1, values.count)))
      p95 = rounded(sorted.isEmpty ? 0 : sorted[(95 * sorted.count + 99) / 100 - 1])
      most = rounded(sorted.last ?? 0)
    }

    fileprivate init?(_ figures: Entries<FigureKey>, _ keys: [FigureKey]) {
      let values = keys.compactMap { figures.number($0) }
      guard values.count == 3 else { return nil }
      (mean, p95, most) = (values[0], values[1], values[2])
    }
  }

  /// - Parameter missing: The time of a cell without a route.
  package init(_ cells: [(estimated: UInt32, exact: UInt32)], missing: UInt32) {
    unlike = cells.count { ($0.estimated >= missing) != ($0.exact >= missing) }
    let known = cells.filter { $0.exact > 0 && max($0.exact, $0.estimated) < missing }
    let errors = known.map { abs(Double($0.estimated) - Double($0.exact)) / 1000 }
    self.cells = known.count
    seconds = Spread(errors)
    relative = Spread(zip(errors, known).map { $0 * 1000 / Double($1.exact) })
  }

  private static let relativeKeys = ["mean", "p95", "max"].map { FigureKey("estimate_error_\($0)") }
  private static let secondsKeys = ["mean", "p95", "max"].map { FigureKey("estimate_error_seconds_\($0)") }
  private static let cellsKey = FigureKey("estimate_sample_cells")
  private static let unlikeKey = FigureKey("estimate_sample_unlike")

  /// Of finished results; nil where all is exact.
  package init?(_ figures: Entries<FigureKey>) {
    guard let cells = figures.integer(EstimateError.cellsKey), let unlike = figures.integer(EstimateError.unlikeKey),
      let relative = Spread(figures, EstimateError.relativeKeys),
      let seconds = Spread(figures, EstimateError.secondsKeys)
    else { return nil }
    (self.cells, self.unlike, self.relative, self.seconds) = (cells, unlike, relative, seconds)
  }

  /// As table `job` has it.
  var figures: Entries<FigureKey> {
    var figures = Entries<FigureKey>()
    figures.set(EstimateError.cellsKey, cells)
    figures.set(EstimateError.unlikeKey, unlike)
    for (keys, spread) in [(EstimateError.relativeKeys, relative), (EstimateError.secondsKeys, seconds)] {
      for (key, value) in zip(keys, [spread.mean, spread.p95, spread.most]) { figures.set(key, value) }
    }
    return figures
  }
}

extension EstimateError: CustomStringConvertible {
  /// "0.24 % off on average, 0.77 % at the 95th percentile, 4.03 % at most, in 2,310 cells of a sample".
  package var description: String {
    guard cells + unlike > 0 else { return "no cell of a sample has a route" }
    func text(_ share: Double) -> String {
      let hundredths = Int((share * 10_000).rounded())
      return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) %"
    }
    let others = unlike == 0 ? "" : "; \(unlike) more have a route only as estimated, or only in truth"
    return "\(text(relative.mean)) off on average, \(text(relative.p95)) at the 95th percentile, "
      + "\(text(relative.most)) at most, in \(cells) cells of a sample\(others)"
  }
}
