import Jobs
import Tables
import TestMaps
import Testing

/// The kernels that write and count the cells of matrices, compared with simple implementations.
struct CellTextTests {
  private static let unreachable: UInt32 = 0x7FFF_FFFF

  /// The numbers at the limits, and random numbers of every length.
  private static let values: [UInt32] = {
    var random = SeededGenerator(seed: 3)
    let edges: [UInt32] = [
      0, 1, 9, 10, 99, 100, 999, 1000, 9_999_999, 10_000_000, 99_999_999, 100_000_000, 999_999_999, unreachable - 1,
    ]
    return edges
      + (0..<2000).map { _ in UInt32.random(in: 0..<(1 << UInt32.random(in: 1...29, using: &random)), using: &random) }
  }()

  private func text(_ values: [UInt32], _ times: [UInt32], metres: Bool) -> String {
    let text = TextBytes(capacity: 1)
    let cells = CellText()
    values.withUnsafeBufferPointer { values in
      times.withUnsafeBufferPointer { times in
        if metres {
          cells.append(metres: values, times: times, missing: CellTextTests.unreachable, to: text)
        } else {
          cells.append(seconds: values, missing: CellTextTests.unreachable, to: text)
        }
      }
    }
    return String(decoding: text.bytes(0..<text.count), as: UTF8.self)
  }

  private func plain(_ value: UInt32, _ decimals: Int) -> String {
    let digits = String(value)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  @Test func secondsAndMetresEqualTheSimpleImplementation() {
    let values = CellTextTests.values
    #expect(text(values, values, metres: false) == "[" + values.map { plain($0, 3) }.joined(separator: ",") + "]")
    #expect(text(values, values, metres: true) == "[" + values.map { plain($0, 2) }.joined(separator: ",") + "]")
  }

  @Test func missingRoutesAreNull() {
    let unreachable = CellTextTests.unreachable
    #expect(text([unreachable, 5, unreachable], [unreachable, 5, unreachable], metres: false) == "[null,0.005,null]")
    #expect(text([0, 5, 0], [unreachable, 5, unreachable], metres: true) == "[null,0.05,null]")
    #expect(text([unreachable], [unreachable], metres: false) == "[null]")
    #expect(text([], [], metres: false) == "[]")
  }

  @Test(arguments: [false, true])
  func histogramMatchesTheSortedValues(hasGaps: Bool) throws {
    let unreachable = CellTextTests.unreachable
    let values = CellTextTests.values.filter { $0 < 1 << 27 }
    let times = values.indices.map { hasGaps && $0 % 7 == 0 ? unreachable : values[$0] }
    var (whole, parts) = (LogHistogram(), [LogHistogram(), LogHistogram()])
    values.withUnsafeBufferPointer { values in
      times.withUnsafeBufferPointer { times in
        whole.add(values, times: times, missing: unreachable)
        let middle = 777
        parts[0].add(.init(rebasing: values[..<middle]), times: .init(rebasing: times[..<middle]), missing: unreachable)
        parts[1].add(.init(rebasing: values[middle...]), times: .init(rebasing: times[middle...]), missing: unreachable)
      }
    }
    parts[0].add(parts[1])
    let found = try #require(whole.statistic(.distance, scale: 100))
    #expect(parts[0].statistic(.distance, scale: 100) == found)
    let kept = zip(values, times).filter { $0.1 < unreachable }.map { Double($0.0) / 100 }
    let right = Statistic(scope: "job", measure: .distance, sorted: kept.sorted())
    #expect(found.count == right.count && abs(found.mean - right.mean) < 1e-6 * right.mean)
    #expect(found.quantiles[0] == right.quantiles[0] && found.quantiles[6] == right.quantiles[6])
    for (a, b) in zip(found.quantiles, right.quantiles) { #expect(abs(a - b) <= 0.02 * b + 0.01, "\(a), exactly \(b)") }
  }

  @Test func medianOfTwoNumbersIsBetweenThem() throws {
    var histogram = LogHistogram()
    for number in [1000, 2000] as [UInt32] {
      [number].withUnsafeBufferPointer { histogram.add($0, times: $0, missing: CellTextTests.unreachable) }
    }
    #expect(try abs(#require(histogram.statistic(.distance, scale: 1)).quantiles[3] - 1500) < 2)
  }

  @Test func emptyHistogramHasNoStatistic() {
    #expect(LogHistogram().statistic(.distance, scale: 1) == nil)
  }
}
