import Testing

import Tables

struct StatisticTests {
  @Test func quantilesAreInterpolatedLikeNumPy() {
    // numpy.percentile([7, 1, 3, 2, 9], [0, 5, 25, 50, 75, 95, 100]) = 1, 1.2, 2, 3, 7, 8.6, 9
    let statistic = Statistic(scope: "job", measure: .distance, sorted: [1, 2, 3, 7, 9])
    for (found, expected) in zip(statistic.quantiles, [1, 1.2, 2, 3, 7, 8.6, 9]) {
      #expect(abs(found - expected) < 1e-12)
    }
    #expect(statistic.mean == 4.4 && statistic.count == 5)
  }

  @Test func quantilesOfOneValueAreEqual() {
    #expect(Statistic(scope: "job", measure: .detour, sorted: [4]).quantiles == Array(repeating: 4, count: 7))
  }

  /// 300 values are counted; fewer are listed. 0.005 m is not a whole number of centimetres.
  @Test(arguments: [[0.0], [1.25, 0.5], [0.005], (1...300).map(Double.init), (1...9000).map { Double($0) / 100 }])
  func partsAddUpToTheWhole(values: [Double]) {
    var (whole, sum) = (Measures(scope: "job"), Measures(scope: "job"))
    for start in [0, 1, 300, 5000] {
      var part = Measures(scope: "job")
      for value in values.dropFirst(start) {
        whole.add(value, to: .distance)
        whole.add(value, to: .speed)
        part.add(value, to: .distance)
        part.add(value, to: .speed)
      }
      part.condense()
      sum.add(part)
    }
    #expect(sum.summarize().map(\.statistic) == whole.summarize().map(\.statistic))
  }

  @Test(
    arguments: [
      ("7", .number(7)), ("-7", .number(-7)), ("007", .text("007")), ("7.0", .text("7.0")), ("", .text("")),
      ("+7", .text("+7")), ("99999999999999999999", .text("99999999999999999999")),
    ] as [(String, Identifier)])
  func wholeNumbersAreNumericIds(text: String, expected: Identifier) { #expect(Identifier(text) == expected) }
}
