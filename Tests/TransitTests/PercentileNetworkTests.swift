import Hierarchy
import Testing
import Transit

struct PercentileNetworkTests {
  static let percentiles = [0, 1, 25, 50, 99, 100]

  /// The number of columns is not a multiple of the vector width; every seventh time is unreachable.
  @Test(arguments: [1, 2, 3, 59, 60, 255, 256]) func equalsNearestRanksOfSortedTimes(count: Int) {
    var random = RandomNumbers(seed: UInt64(count))
    let (times, block) = (MatrixBlock(columns: 37, hasLengths: false), MatrixBlock(columns: 37, hasLengths: false))
    times.reset(0..<2 * count)
    for row in 0..<2 * count {
      for column in 0..<37 {
        let isReached = random.number(1...7) > 1
        let weight = Weight(milliseconds: UInt32(random.number(0...1000)), centimetres: 0)
        times.set(row: row, column: column, to: isReached ? weight : .infinity)
      }
    }
    PercentileNetwork(count: count, percentiles: PercentileNetworkTests.percentiles).fill(block, from: times)
    for row in 0..<block.rows.count {
      let (origin, percentile) = (row / 6, PercentileNetworkTests.percentiles[row % 6])
      for column in 0..<37 {
        let sorted = (0..<count).map { times.times(row: origin * count + $0)[column] }.sorted()
        let rank = percentile == 0 ? 1 : (percentile * count + 99) / 100
        #expect(block.times(row: row)[column] == sorted[rank - 1])
      }
    }
  }

  @Test func unneededComparatorsAreOmitted() {
    #expect(PercentileNetwork(count: 60, percentiles: [25, 50, 75]).comparators.count == 443)
    #expect(PercentileNetwork(count: 60, percentiles: Array(0...100)).comparators.count == 505)
  }

  @Test func sweepSortsUnreachableTimesLast() {
    let drawn = DrawnTimetable("A 7:10  B 7:20")
    let departures = ["7:00", "7:20", "7:05", "7:10"]
    #expect(drawn.times("A", "B", at: departures, percentiles: [0, 25, 50, 75, 76]) == [600, 600, 900, 1200, -1])
  }
}
