import Hierarchy
import StreetNetwork

/// The departures of an hourly matrix at which many trips end before speeds or closings change: they are static trips of
/// that moment, and a sweep of its hierarchy finds a row for a thirtieth of what departure lanes take.
///
/// A cell that ends by the first change after its departure is exact: no way that is still under way then is earlier.
struct FrozenHours: Sendable {
  private let hours: [Int: Hour]
  /// Whether what is not reached now is not reached at any hour.
  private let neverOpens: Bool
  /// How many of their rows sweeps finish, of a sample.
  let share: Double

  private struct Hour: Sendable {
    var matrix: Matrix
    /// Milliseconds until something changes.
    var limit: UInt32
  }

  /// A sweep pays where it finishes so many of an hour's rows; the rest are computed twice.
  private static let leastShare = 0.25
  private static let sampleSize = 16
  /// Of a moment: nothing shorter is worth a hierarchy.
  private static let leastLimit: UInt32 = 600_000
  /// Bytes that hierarchies may take.
  private static let most = 1 << 30

  static let none = FrozenHours()

  private init() { (hours, neverOpens, share) = ([:], false, 0) }

  /// The hours of `matrix` that are worth it, by a sample of its rows.
  init(_ matrix: HourlyMatrix) {
    let timed = matrix.timed
    let clock = timed.graph.clock
    let moments = matrix.times.indices.map { (index: $0, clock: FrozenClock(clock, at: matrix.times[$0].clock)) }
    let shape = timed.network.customizable
    let most = max(1, FrozenHours.most / max(1, shape.arcCount * 24))
    let worth = moments.filter { $0.clock.end - matrix.times[$0.index].clock >= FrozenHours.leastLimit }.prefix(most)
    let hierarchies = shape.hierarchies(of: worth.map { $0.clock.weights(of: timed.graph) })
    // Nor is a time too long for a static weight.
    let longest = timed.graph.graph.weights.lazy.map(\.milliseconds).max() ?? 0
    let neverOpens =
      clock.closings.neverOpen && !clock.profiles.haveClosed
      && Double(longest) * Slowness.most.value < Double(Weight.arcTimeLimit)
    self.neverOpens = neverOpens
    let step = max(1, matrix.ends.count / FrozenHours.sampleSize)
    let sample = stride(from: step / 2, to: matrix.ends.count, by: step).filter { !matrix.ends[$0].isEmpty }
    var (hours, shares): ([Int: Hour], [Double]) = ([:], [])
    for (moment, hierarchy) in zip(worth, hierarchies) {
      let limit = moment.clock.end - matrix.times[moment.index].clock
      func hour(_ rows: [Int]) -> Hour {
        Hour(
          matrix: Matrix(
            hierarchy, from: SeedTable(count: rows.count) { moment.clock.seeds(matrix.ends[rows[$0]]) },
            to: SeedTable(count: matrix.places.count) { moment.clock.seeds(matrix.places[$0]) },
            lengths: matrix.hasLengths), limit: limit)
      }
      let tried = hour(sample)
      let block = MatrixBlock(tried.matrix)
      MatrixQuery(tried.matrix).fill(block, rows: 0..<sample.count)
      let exact = sample.indices.count { FrozenHours.isExact($0, of: block, limit, matrix, neverOpens) }
      let share = Double(exact) / Double(max(1, sample.count))
      guard share >= FrozenHours.leastShare else { continue }
      shares.append(share)
      hours[moment.index] = hour(Array(matrix.ends.indices))
    }
    self.hours = hours
    share = shares.isEmpty ? 0 : shares.reduce(0, +) / Double(shares.count)
  }

  var count: Int { hours.count }
  /// Bytes of hierarchies.
  var memory: Int { hours.values.reduce(0) { $0 + $1.matrix.hierarchy.arcCount * 20 } }

  /// Fills what it knows of the rows of `origins`; tells which rows of the block these are, nothing where there are none.
  func fill(_ block: MatrixBlock, origins: Range<Int>, of matrix: HourlyMatrix) -> [Bool] {
    let times = matrix.times.count
    guard !hours.isEmpty else { return [] }
    var isDone = [Bool](repeating: false, count: origins.count * times)
    for (time, hour) in hours {
      let swept = MatrixBlock(hour.matrix)
      MatrixQuery(hour.matrix).fill(swept, rows: origins)
      for number in origins.indices.map({ $0 - origins.lowerBound })
      where FrozenHours.isExact(number, of: swept, hour.limit, matrix, neverOpens) {
        block.copy(row: number * times + time, fromRow: number, of: swept)
        isDone[number * times + time] = true
      }
    }
    return isDone
  }

  private static func isExact(
    _ row: Int, of block: MatrixBlock, _ limit: UInt32, _ matrix: HourlyMatrix, _ neverOpens: Bool
  ) -> Bool {
    let times = block.times(row: row)
    return times.indices.allSatisfy { column in
      times[column] <= limit || matrix.places[column].isEmpty
        || (neverOpens && times[column] == MatrixBlock.unreachable)
    }
  }
}
