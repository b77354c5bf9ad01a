import Foundation
import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// Results held against the textbook: random rows computed again by plain Dijkstra on the uncontracted network, and
/// every sum added up again. The same rows each time, for the same results and sample.
package struct Verification {
  private let path: String
  private let database: ResultsDatabase
  private let kind: String
  private let facts: [String: String]
  private let network: StreetNetwork
  private let workers: Int

  /// What was found.
  package struct Outcome: Sendable {
    /// Rows computed again.
    package var rows: Int
    /// Sums added up again.
    package var sums: Int
    package var differences: [Difference]
  }

  /// Of the results at `path`, on the network they were computed on. *Throws*: `ResultsError`.
  package init(of path: String, on network: StreetNetwork, workers: Int) throws {
    self.path = path
    self.network = network
    self.workers = workers
    database = try ResultsDatabase(path: path)
    kind = try database.kind()
    facts = try database.facts()
    for (name, now, then) in [
      ("map", network.fingerprints.map, facts["map_sha256"]),
      ("profile", network.fingerprints.profile, facts["profile_sha256"]),
    ] where now != then {
      throw ResultsError(
        path: path, problem: "the \(name) is not the one these results were computed on; only that one can verify them")
    }
  }

  /// Computes up to `sample` rows again and keeps the outcome in the results.
  package func run(sample: Int) throws -> Outcome {
    var random = SeededGenerator(seed: UInt64(sample))
    var outcome: Outcome
    switch kind {
    case "matrix": outcome = try cells(sample, &random)
    case "access": outcome = try origins(sample, &random)
    case "isochrones": outcome = try areas(sample, &random)
    default: outcome = try trips(sample, &random)
    }
    let sums = try database.sums()
    outcome.sums = sums.checked
    outcome.differences += sums.differences
    try ResultsDatabase.keep(
      outcome.differences,
      [
        ("verified_rows", String(outcome.rows)), ("verified_sums", String(outcome.sums)),
        ("verified_differences", String(outcome.differences.count)),
      ], in: path)
    return outcome
  }

  // MARK: By kind

  private func trips(_ sample: Int, _ random: inout some RandomNumberGenerator) throws -> Outcome {
    let chosen = try numbers(sample, of: database.tripCount(), &random).compactMap { try database.trip($0 + 1) }
    let arrival = facts["arrival_date"].flatMap { Timestamp($0)?.localTime }
    return try compared(chosen) { trip in
      arrival ?? trip.departure.flatMap { Timestamp($0)?.localTime }
    }
  }

  private func cells(_ sample: Int, _ random: inout some RandomNumberGenerator) throws -> Outcome {
    let (origins, destinations) = (try database.places("origin"), try database.places("destination"))
    guard !origins.isEmpty, !destinations.isEmpty, try database.cells(1) != nil else { return Outcome(rows: 0) }
    let trips = try (0..<sample).map { _ in
      let (row, column) = (
        Int.random(in: origins.indices, using: &random), Int.random(in: destinations.indices, using: &random)
      )
      let (origin, destination) = (origins[row], destinations[column])
      let found = try database.cells(row + 1)?[column]
      let status = [origin.status, destination.status].first { $0 != "ok" } ?? (found == nil ? "" : "ok")
      return TripToVerify(
        item: "cell \(origin.id), \(destination.id)", ends: [(origin.point, destination.point)],
        departure: nil, status: status, found: found)
    }
    let time = self.time
    return try compared(trips) { _ in time }
  }

  /// Trips, each against the textbook's; `time` tells when one is made.
  private func compared(
    _ trips: [TripToVerify], time: @escaping @Sendable (TripToVerify) -> LocalTime?
  ) throws -> Outcome {
    var outcome = Outcome(rows: trips.count)
    let (network, options) = (network, options)
    try Pipeline.run(
      trips, workers: workers,
      makeWorker: {
        let router = Router(network, options)
        var oracles: [LocalTime?: TripOracle] = [:]
        return { trip -> [Difference] in
          guard trip.status != RowStatus.outsideCoverage.rawValue else { return [] }
          let at = time(trip)
          let oracle = oracles[at] ?? TripOracle(TripReach(network, .fromTargets, at: at))
          oracles[at] = oracle
          let answers = trip.ends.map { ends -> Weight? in
            guard let from = router.end(at: ends.from.coordinate), let to = router.end(at: ends.to.coordinate) else {
              return nil
            }
            return oracle.weights(between: from, and: [to])[0]
          }
          let differences = answers.map { Verification.differences(trip.item, trip.found, $0) }
          return differences.contains([]) ? [] : differences.first ?? []
        }
      }, write: { outcome.differences += $0.joined() })
    return outcome
  }

  /// Origins, each with its nearest stations; all stations are asked, not those found alone.
  private func origins(_ sample: Int, _ random: inout some RandomNumberGenerator) throws -> Outcome {
    let origins = try database.places("origin")
    let chosen = try numbers(sample, of: origins.count, &random).map { number in
      (origin: origins[number], rows: try database.nearest(origins[number].row))
    }
    let entrances = try database.places("entrance")
    let doors = try database.places("station") + entrances
    let limit = facts["limit"].flatMap(SecondsText.milliseconds)
    let (network, options, time) = (network, options, time)
    let direction: NearestTable.Direction = facts["direction"] == "from" ? .toTargets : .fromTargets
    var outcome = Outcome(rows: chosen.count)
    try Pipeline.run(
      chosen, workers: workers,
      makeWorker: {
        let router = Router(network, options)
        let oracle = TripOracle(TripReach(network, direction, at: time))
        let ends = doors.map { $0.status == "ok" ? router.end(at: $0.point.coordinate) : nil }
        let rows = Dictionary(uniqueKeysWithValues: doors.enumerated().map { ($1.row, $0) })
        return { origin -> [Difference] in
          let (origin, found) = origin
          let item = "origin \(origin.id)"
          guard let end = router.end(at: origin.point.coordinate), origin.status == "ok" else {
            return found.compactMap(\.found).flatMap { Verification.differences(item, $0, nil) }
          }
          let known = ends.enumerated().compactMap { number, end in end.map { (number, $0) } }
          let weights = oracle.weights(between: end, and: known.map(\.1))
          let byDoor = Dictionary(uniqueKeysWithValues: zip(known.map(\.0), weights))
          var differences: [Difference] = []
          // Where stations are their own doors, none may be nearer than the nearest.
          let least = weights.compactMap(\.self).min().flatMap { $0.milliseconds <= limit ?? .max ? $0 : nil }
          if entrances.isEmpty { differences += Verification.differences(item, found.first?.found, least) }
          for row in found {
            guard let weight = row.found, let number = (row.door ?? row.station).flatMap({ rows[$0] }) else { continue }
            differences += Verification.differences(item, weight, byDoor[number] ?? nil)
          }
          return differences
        }
      }, write: { outcome.differences += $0.joined() })
    return outcome
  }

  /// Areas, each by the length of the streets in it.
  private func areas(_ sample: Int, _ random: inout some RandomNumberGenerator) throws -> Outcome {
    let chosen = try numbers(sample, of: database.areaCount(), &random).flatMap { try database.area($0 + 1) }
    let (network, options, time) = (network, options, time)
    let direction: NearestTable.Direction = facts["direction"] == "to" ? .toTargets : .fromTargets
    let reach = TripReach(network, direction, at: time)
    var outcome = Outcome(rows: chosen.count)
    try Pipeline.run(
      chosen, workers: workers,
      makeWorker: {
        let (router, oracle, query) = (Router(network, options), TripOracle(reach), TripReachQuery(reach))
        return { area -> Difference? in
          guard area.status != RowStatus.outsideCoverage.rawValue else { return nil }
          let limit = UInt32(area.within) * 1000
          let pieces = router.end(at: area.point.coordinate).map { end in
            query.pieces(around: end, oracle.states(around: end, within: limit), within: limit)
          }
          let expected = pieces.flatMap { pieces in
            pieces.isEmpty ? nil : pieces.reduce(0) { $0 + network.length(of: $1) }.rounded()
          }
          guard expected != area.metres else { return nil }
          return Difference(
            item: "area \(area.id), \(area.within) s", measure: "street_length", found: area.metres, expected: expected)
        }
      }, write: { outcome.differences += $0.compactMap(\.self) })
    return outcome
  }

  // MARK: Parts

  private var options: Directions.Options {
    var options = Directions.Options()
    options.snapLimit = facts["snap_limit"].flatMap { Double($0) } ?? options.snapLimit
    options.countsSnapLegs = facts["snap_legs"].map { $0 == "true" }
    return options
  }

  private var time: LocalTime? {
    [facts["departure_date"], facts["arrival_date"]].compactMap { $0.flatMap { Timestamp($0)?.localTime } }.first
  }

  /// Different numbers up to `count`, ascending.
  private func numbers(_ sample: Int, of count: Int, _ random: inout some RandomNumberGenerator) -> [Int] {
    guard sample < count else { return Array(0..<count) }
    var chosen: Set<Int> = []
    while chosen.count < sample { chosen.insert(Int.random(in: 0..<count, using: &random)) }
    return chosen.sorted()
  }

  private static func differences(_ item: String, _ found: VerifiedWeight?, _ expected: Weight?) -> [Difference] {
    var differences: [Difference] = []
    if found?.milliseconds != expected.map({ Int($0.milliseconds) }) {
      differences.append(
        Difference(
          item: item, measure: "expected_travel_time", found: found.map { Double($0.milliseconds) / 1000 },
          expected: expected.map { Double($0.milliseconds) / 1000 }))
    }
    if let found, let length = found.centimetres, length != expected.map({ Int($0.centimetres) }) {
      differences.append(
        Difference(
          item: item, measure: "distance", found: Double(length) / 100,
          expected: expected.map { Double($0.centimetres) / 100 }))
    }
    return differences
  }
}

extension Verification.Outcome: CustomStringConvertible {
  fileprivate init(rows: Int) { self.init(rows: rows, sums: 0, differences: []) }

  /// "1,000 rows computed again …, all equal".
  package var description: String {
    let checked = "\(rows) \(rows == 1 ? "row" : "rows") computed again by plain Dijkstra, \(sums) sums added up again"
    switch differences.count {
    case 0: return "\(checked): all equal"
    case 1: return "\(checked): 1 difference, in table verification"
    case let count: return "\(checked): \(count) differences, in table verification"
    }
  }
}

extension Verification {
  /// The network that results were computed on, as they tell; a map or a profile that lies elsewhere now may be named.
  ///
  /// - Throws: `ResultsError`, and what opening a network throws.
  package static func network(
    of path: String, map: String?, profile: String?, cache: String?, workers: Int, report: (NetworkEvent) -> Void
  ) throws -> StreetNetwork {
    let facts = try ResultsDatabase(path: path).facts()
    guard let type = facts["transport_type"], let known = map ?? facts["map"], Profile.stockNames.contains(type) else {
      throw ResultsError(path: path, problem: "this is no results database of a job")
    }
    let file = profile ?? facts["profile_file"].flatMap { $0.isEmpty ? nil : $0 }
    let avoids = Profile.Avoidance(
      tolls: facts["toll_preference"] == "avoid" ? .avoid : .any,
      highways: facts["highway_preference"] == "avoid" ? .avoid : .any)
    return try StreetNetwork(
      map: known, profile: (file.map { try Profile(path: $0) } ?? .stock(type)).avoiding(avoids), cache: cache,
      workers: workers, report: report)
  }
}
