import TestMaps
import Testing

import Tables

/// Distributions of many values, which are counted if they are integer multiples of a small unit.
struct MeasuresTests {
  /// Compares the statistics of values with those of a sorted list.
  private func expectAsSorted(_ values: [Double], _ measure: Statistic.Measure) {
    var measures = Measures(scope: "job")
    for value in values { measures.add(value, to: measure) }
    let (statistic, histogram) = measures.summarize()[0]
    #expect(statistic == Statistic(scope: "job", measure: measure, sorted: values.sorted()))
    #expect(histogram?.bins.reduce(0) { $0 + $1.count } == values.count)
    for bin in histogram?.bins.dropLast() ?? [] {
      #expect(bin.count == values.count { $0 >= bin.low && $0 < bin.high })
    }
  }

  @Test(arguments: [1, 2, 4095, 4096, 9000])
  func countedValuesHaveTheSameSummaryAsListedOnes(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    for (measure, units) in [(Statistic.Measure.distance, 100.0), (.expectedTravelTime, 1000), (.stepCount, 1)] {
      for range in [UInt32(3), 5000, .max] {
        expectAsSorted((0..<count).map { _ in Double(UInt32.random(in: 0...range, using: &random)) / units }, measure)
      }
    }
  }

  @Test func pagesOfManyValuesAreCounted() {
    var random = SeededGenerator(seed: 1)
    expectAsSorted((0..<50_000).map { _ in Double(Int.random(in: 4000...4200, using: &random)) / 100 }, .stepLength)
  }

  @Test(arguments: [0.005, -1, -0.0, 4.3e9])
  func fractionalValuesAreKept(odd: Double) {
    var values = (0..<10_000).map { Double($0 * 7 % 5000) / 100 }
    values.insert(odd, at: 9000)
    values += [0.015, 1]
    var measures = Measures(scope: "hour:01")
    for value in values { measures.add(value, to: .distance) }
    #expect(
      measures.summarize()[0].statistic == Statistic(scope: "hour:01", measure: .distance, sorted: values.sorted()))
  }
}
