import Jobs
import Reports
import Tables
import Testing

/// Axes with round numbers, and charts on them.
struct ChartTests {
  @Test(
    arguments: [
      (0, 100, [0, 20, 40, 60, 80, 100]), (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (3, 12, [4, 6, 8, 10, 12]),
      (-10, 10, [-10, -5, 0, 5, 10]), (0, 45, [0, 10, 20, 30, 40]),
    ] as [(Double, Double, [Double])])
  func marksRoundNumbers(low: Double, high: Double, expected: [Double]) {
    let axis = Axis(from: low, to: high)
    #expect(axis.start == low && axis.end == high && axis.ticks.count == expected.count)
    for (tick, expected) in zip(axis.ticks, expected) { #expect(abs(tick - expected) < 1e-9) }
  }

  @Test(
    arguments: [
      (0, 45, .minutes, [0, 10, 20, 30, 40]), (0, 90, .minutes, [0, 15, 30, 45, 60, 75, 90]),
      (0, 300, .minutes, [0, 60, 120, 180, 240, 300]), (0, 2, .minutes, [0, 0.5, 1, 1.5, 2]),
      (6, 20, .hours, [6, 9, 12, 15, 18]), (0, 24, .hours, [0, 4, 8, 12, 16, 20, 24]),
    ] as [(Double, Double, Axis.Unit, [Double])])
  func marksRoundMinutesAndHours(low: Double, high: Double, unit: Axis.Unit, expected: [Double]) {
    let ticks = Axis(from: low, to: high, in: unit).ticks
    #expect(ticks.count == expected.count && zip(ticks, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(ticks)")
  }

  @Test(arguments: [0, 7, 1e9]) func axesOfASingleValueHaveALength(value: Double) {
    let axis = Axis(from: value, to: value)
    #expect(axis.end > axis.start && !axis.ticks.isEmpty)
  }

  private func chart(_ values: [Double], _ measure: Statistic.Measure = .distance) throws -> String {
    var measures = Measures(scope: "job")
    for value in values { measures.add(value, to: measure) }
    let histogram = try #require(measures.summarize().first?.histogram)
    return Chart(histogram, of: "routes").html
  }

  private func bars(_ html: String) throws -> Int {
    let path = try #require(html.firstMatch(of: /class="bar" d="([^"]*)"/)?.1)
    return path.count { $0 == "M" }
  }

  @Test func drawsABarForEachBinWithValues() throws {
    let html = try chart([1, 1, 2, 4], .stepCount)
    #expect(try bars(html) == 3)
    #expect(html.contains("Steps of a route") && html.contains(">routes<") && !html.contains("last bar"))
  }

  /// In a wide font, digits are 7 pixels wide; letters descend by 3.
  @Test func axisNumbersDoNotOverlapTheTitle() throws {
    let html = try chart([Double](repeating: 1, count: 9000) + [2], .stepCount)
    let number = try #require(html.firstMatch(of: /<text x="([\d.]+)"[^>]*>8000</))
    let title = try #require(html.firstMatch(of: /translate\(([\d.]+) [\d.]+\)rotate/))
    let (end, baseline) = (try #require(Double(number.1)), try #require(Double(title.1)))
    #expect(end - 4 * 7 > baseline + 3)
  }

  @Test func labelsTheEndOfAnOpenLastBar() throws {
    let html = try chart((0..<999).map { Double($0) } + [12_345])
    #expect(html.contains("km · last bar up to 12.35"))
  }

  @Test func drawsTimesInMinutes() throws {
    let html = try chart((0..<600).map(Double.init), .expectedTravelTime)
    #expect(html.contains("<small>min</small>") && html.contains(">10</text>") && !html.contains(">600</text>"))
  }

  @Test func drawsACurveForEachMeasureUpToTheEnd() throws {
    let curves = [
      Chart.Curve(name: "a & b", points: [(0, 0), (10, 0.5), (99, 1)]), Chart.Curve(name: "none", points: []),
    ]
    let html = Chart(curves, title: "Shares", until: 20, marks: [5, 15, 25]).html
    #expect(html.matches(of: /class="curve"/).count == 1 && html.matches(of: /class="mark"/).count == 2)
    let path = try #require(html.firstMatch(of: /class="curve"[^>]* d="([^"]*)"/)?.1)
    #expect(path.count { $0 == "L" } == 1, "two points: the third is beyond the end")
    #expect(html.contains("a &amp; b"))
  }

  @Test func curvesAreLabelledAtTheirEnds() throws {
    let curves = ["a", "b", "c"].map { Chart.Curve(name: $0, points: [(0, 0), (20, 1)]) }
    let labels = Chart(curves, title: "Shares", until: 20, marks: []).html
      .matches(of: /<text class="end" x="([\d.]+)" y="([\d.]+)"[^>]*>(\w)</)
    #expect(labels.map(\.3) == ["a", "b", "c"] && labels.allSatisfy { (Double($0.1) ?? 0) > 300 })
    let heights = labels.compactMap { Double($0.2) }
    #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= 12 }, "labels overlap: \(heights)")
  }

  @Test func theLegendHasTheDashesOfTheCurves() {
    let curves = ["a", "b", "c", "d"].map { Chart.Curve(name: $0, points: [(0, 0), (20, 1)]) }
    let html = Chart(curves, title: "Shares", until: 20, marks: []).html
    #expect(html.matches(of: /stroke-dasharray/).count == 1)
    let dashes = html.matches(of: /<i class="dash" style="border-top:3px (\w+)/).map(\.1)
    #expect(dashes == ["solid", "solid", "solid", "dashed"])
  }
}
