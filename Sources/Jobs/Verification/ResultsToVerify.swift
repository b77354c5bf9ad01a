import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables

/// Finished results, their job, and the rows to verify.
struct ResultsToVerify {
  let database: ResultsDatabase
  /// The job, on its original network.
  let context: JobContext
  /// The number of rows to verify.
  let sample: Int
  private let seed: Int
  /// Deterministic for a seed: equal results have equal verifications.
  private(set) var random: SeededGenerator

  init(_ database: ResultsDatabase, in context: JobContext, sample: Int, seed: Int) {
    (self.database, self.context, self.sample, self.seed) = (database, context, sample, seed)
    random = SeededGenerator(seed: UInt64(seed))
  }

  /// Returns the results on a network with additional avoidances. *Throws*: errors from opening or building the
  /// network.
  func avoiding(_ additional: Profile.Avoidance) throws -> ResultsToVerify {
    try ResultsToVerify(database, in: context.avoiding(additional), sample: sample, seed: seed)
  }

  var job: Job { context.job }
  var network: StreetNetwork { context.network }

  /// Returns a function that creates an oracle for trips at the job's hours or date.
  func oracles() -> @Sendable () -> TripOracle {
    if let departures = job.departures {
      let timed = context.timed(on: departures.day)
      return { TripOracle(timed) }
    }
    let (network, time) = (network.slowed(at: job.localTime), job.localTime)
    return { TripOracle(network, at: time) }
  }

  /// Returns the sampled indices below `count`, distinct and ascending.
  func indices(of count: Int) -> [Int] {
    guard sample < count else { return Array(0..<max(0, count)) }
    var (random, chosen) = (random, Set<Int>())
    while chosen.count < sample { chosen.insert(Int.random(in: 0..<count, using: &random)) }
    return chosen.sorted()
  }

  /// Returns the differences found in the items, which are checked on all threads.
  func differences<Item: Sendable>(
    of items: [Item], makeCheck: @escaping @Sendable () -> (Item) -> [Difference]
  ) throws -> Verification.Rows {
    var rows = Verification.Rows(count: items.count, differences: [])
    try Pipeline.run(items, workers: context.workers, makeWorker: makeCheck) { rows.differences += $0.joined() }
    return rows
  }

  /// Returns the difference between a weight of the results and the weight found by plain Dijkstra.
  static func differences(_ item: String, _ found: VerifiedWeight?, _ expected: Weight?) -> [Difference] {
    let expected = expected.map { VerifiedWeight(milliseconds: Int($0.milliseconds), centimetres: Int($0.centimetres)) }
    return differences(item, found, sum: expected)
  }

  /// Returns the difference from a sum, which may exceed the range of a weight. Values from 32-bit floats are compared
  /// after rounding.
  static func differences(_ item: String, _ found: VerifiedWeight?, sum expected: VerifiedWeight?) -> [Difference] {
    var differences: [Difference] = []
    let isSingle = found?.isSingle == true || expected?.isSingle == true
    let (found, expected) = isSingle ? (found?.single, expected?.single) : (found, expected)
    if found?.milliseconds != expected?.milliseconds {
      differences.append(
        Difference(
          item: item, measure: "expected_travel_time", found: found.map { Double($0.milliseconds) / 1000 },
          expected: expected.map { Double($0.milliseconds) / 1000 }))
    }
    if let found, let length = found.centimetres, length != expected?.centimetres {
      differences.append(
        Difference(
          item: item, measure: "distance", found: Double(length) / 100,
          expected: expected?.centimetres.map { Double($0) / 100 }))
    }
    return differences
  }
}
