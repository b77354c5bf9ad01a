import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// Finished results, what they were computed on, and which of their rows to compute again.
struct ResultsToVerify {
  let database: ResultsDatabase
  let network: StreetNetwork
  let workers: Int
  /// How many rows.
  let sample: Int
  private let seed: Int
  /// The same numbers for the same seed: equal results, equal verifications.
  private(set) var random: SeededGenerator

  init(_ database: ResultsDatabase, on network: StreetNetwork, workers: Int, sample: Int, seed: Int) {
    (self.database, self.network, self.workers, self.sample, self.seed) = (database, network, workers, sample, seed)
    random = SeededGenerator(seed: UInt64(seed))
  }

  /// The same on the network that avoids more than the job does. *Throws*: what opening or building it throws.
  func avoiding(_ more: Profile.Avoidance) throws -> ResultsToVerify {
    guard !network.profile.avoids.isSuperset(of: more) else { return self }
    return try ResultsToVerify(
      database, on: network.avoiding(network.profile.avoids.union(more)), workers: workers, sample: sample,
      seed: seed)
  }

  var identity: Entries<IdentityKey> { database.record.identity }

  /// How places are snapped.
  var options: Directions.Options { identity.options }

  /// When trips end, where the job says so.
  var arrival: Timestamp? { identity.text(.arrivalDate).flatMap { Timestamp($0) } }
  /// When the job's trips start, or end.
  var time: LocalTime? {
    (identity.text(.departureDate) ?? identity.text(.arrivalDate)).flatMap { Timestamp($0)?.localTime(holidays) }
  }

  /// The same on the clock.
  var tripTime: TripTime? {
    let departure = identity.text(.departureDate).flatMap { Timestamp($0) }
    return departure.map { TripTime($0, holidays: holidays) }
      ?? arrival.map { TripTime($0, holidays: holidays, isArrival: true) }
  }

  /// The public holidays of the job.
  var holidays: Holidays { identity.text(.holidays).flatMap { Holidays(text: $0) } ?? .none }

  /// Nil where the results have none.
  func hours() throws -> HoursToVerify? { try HoursToVerify(database, on: network, holidays) }

  /// Whether trips lead to the places that the kind is about.
  var direction: NearestTable.Direction { identity.leadsToPlaces ? .toTargets : .fromTargets }

  /// The longest trip that was looked for, in milliseconds.
  var limit: UInt32? { identity.milliseconds(.limit) }

  /// Different indices up to `count`, ascending.
  func indices(of count: Int) -> [Int] {
    guard sample < count else { return Array(0..<max(0, count)) }
    var (random, chosen) = (random, Set<Int>())
    while chosen.count < sample { chosen.insert(Int.random(in: 0..<count, using: &random)) }
    return chosen.sorted()
  }

  /// What differs in each of some items, on all threads.
  func differences<Item: Sendable>(
    of items: [Item], makeCheck: @escaping @Sendable () -> (Item) -> [Difference]
  ) throws -> Verification.Rows {
    var rows = Verification.Rows(count: items.count, differences: [])
    try Pipeline.run(items, workers: workers, makeWorker: makeCheck) { rows.differences += $0.joined() }
    return rows
  }

  /// What differs between a weight of the results and that of plain Dijkstra.
  static func differences(_ item: String, _ found: VerifiedWeight?, _ expected: Weight?) -> [Difference] {
    let expected = expected.map {
      VerifiedWeight(milliseconds: Int($0.milliseconds), centimetres: Int($0.centimetres))
    }
    return differences(item, found, sum: expected)
  }

  /// The same of a sum, which may be more than a weight can be. What was read from 32-bit floats is compared with what
  /// they hold.
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

extension Entries<IdentityKey> {
  /// How places are snapped, and for how long closed streets are waited for. Results without a limit waited for as long as
  /// it took.
  var options: Directions.Options {
    var options = Directions.Options()
    options.snapLimit = number(.snapLimit) ?? options.snapLimit
    options.countsSnapLegs = flag(.snapLegs)
    options.waitLimit = number(.waitLimit).map { $0 * 60 } ?? Directions.Options.largestWaitLimit
    return options
  }
}
