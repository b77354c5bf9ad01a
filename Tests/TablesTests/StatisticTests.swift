import Testing

import Tables

struct StatisticTests {
  @Test func quantilesAreInterpolatedAsNumPyDoes() {
    // numpy.percentile([7, 1, 3, 2, 9], [0, 5, 25, 50, 75, 95, 100]) = 1, 1.2, 2, 3, 7, 8.6, 9
    let statistic = Statistic(scope: "job", measure: .distance, sorted: [1, 2, 3, 7, 9])
    for (found, expected) in zip(statistic.quantiles, [1, 1.2, 2, 3, 7, 8.6, 9]) {
      #expect(abs(found - expected) < 1e-12)
    }
    #expect(statistic.mean == 4.4 && statistic.count == 5)
  }

  @Test func oneValueIsAllOfThem() {
    #expect(Statistic(scope: "job", measure: .detour, sorted: [4]).quantiles == Array(repeating: 4, count: 7))
  }

  @Test(
    arguments: [
      ("7", .number(7)), ("-7", .number(-7)), ("007", .text("007")), ("7.0", .text("7.0")), ("", .text("")),
      ("+7", .text("+7")), ("99999999999999999999", .text("99999999999999999999")),
    ] as [(String, Identifier)])
  func wholeNumbersAreNumbers(text: String, expected: Identifier) { #expect(Identifier(text) == expected) }
}
