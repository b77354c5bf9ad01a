import Testing

import Tables

/// Histograms: every value is in one bin, and edges are round.
struct HistogramTests {
  private func histogram(_ values: [Double], _ measure: Statistic.Measure = .distance) -> Histogram {
    var measures = Measures(scope: "job")
    for value in values { measures.add(value, to: measure) }
    return measures.summarize()[0].histogram!
  }

  @Test func binsHaveRoundWidths() {
    let bins = histogram((0..<1000).map(Double.init)).bins
    #expect(bins.map(\.low).prefix(3) == [0, 50, 100] && bins.allSatisfy { $0.count == 50 })
  }

  @Test func outliersDoNotCompressOtherBins() {
    let bins = histogram((0..<999).map { Double($0) / 10 } + [1e6]).bins
    #expect(bins.count > 15 && bins.last!.high == 1e6 && bins.reduce(0) { $0 + $1.count } == 1000)
  }

  @Test func wholeNumbersHaveWholeBins() {
    #expect(histogram([1, 2, 2, 3], .stepCount).bins.map(\.low) == [1, 2, 3])
  }

  @Test func equalValuesAreOneBin() {
    let bins = histogram([7, 7, 7]).bins
    #expect(bins.count == 1 && bins[0].count == 3 && bins[0].low <= 7 && bins[0].high > 7)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func everyValueIsInItsBin(seed: UInt64) {
    var state = seed
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 33) / Double(1 << 31)
    }
    let scale = [1e-3, 1, 1e3, 1e7][Int(seed % 4)]
    let values = (0..<Int(seed)).map { _ in random() * random() * scale }
    let bins = histogram(values).bins
    for (bin, isLast) in zip(bins, bins.indices.map { $0 == bins.count - 1 }) {
      #expect(bin.count == values.count { $0 >= bin.low && ($0 < bin.high || isLast) })
    }
  }
}
