import Results
import Routing
import StreetNetwork

/// Results compared with plain Dijkstra: random rows computed again on the uncontracted network, and every sum added up
/// again. The same rows each time, for the same results, sample and seed.
package struct Verification {
  private let database: ResultsDatabase
  private let network: StreetNetwork
  private let workers: Int

  /// Rows computed again.
  struct Rows {
    var count: Int
    var differences: [Difference]
    /// Why there are none.
    var emptiness = "the results have no rows"
  }

  /// What was found.
  package struct Outcome: Sendable {
    /// Of the sample of rows.
    package var seed: Int
    /// Rows computed again.
    package var rows: Int
    /// Sums added up again.
    package var sums: Int
    package var differences: [Difference]
    /// Why no rows were computed again, where none were.
    var emptiness: String
  }

  /// Of the results at `path`, on the network they were computed on. *Throws*: `ResultsError`.
  package init(of path: String, on network: StreetNetwork, workers: Int) throws {
    self.network = network
    self.workers = workers
    database = try ResultsDatabase(path: path)
    let identity = database.record.identity
    for (name, now, then) in [
      ("map", network.fingerprints.map, identity[.mapSHA256]),
      ("profile", network.fingerprints.profile, identity[.profileSHA256]),
    ] where now != then {
      throw ResultsError(
        path: path,
        problem: "the \(name) is not the one these results were computed with; only that one can verify them",
        cause: .input)
    }
  }

  /// A seed that nobody knows: of another sample each night.
  package static var newSeed: Int { .random(in: 1..<1 << 53) }

  /// Computes `sample` rows again, all where there are no more, and stores the outcome in the results, with the seed:
  /// it chooses the rows, the same ones of equal results.
  package func run(sample: Int, seed: Int) throws -> Outcome {
    let rows = try database.kind.task.verify(
      ResultsToVerify(database, on: network, workers: workers, sample: sample, seed: seed))
    let sums = try database.verifiedSums()
    let outcome = Outcome(
      seed: seed, rows: rows.count, sums: sums.checked, differences: rows.differences + sums.differences,
      emptiness: rows.emptiness)
    var figures = Entries<FigureKey>()
    figures.set(.verifiedRows, outcome.rows)
    figures.set(.verifiedSums, outcome.sums)
    figures.set(.verifiedDifferences, outcome.differences.count)
    try ResultsDatabase.store(outcome.differences, figures, seed: seed, in: database.path)
    return outcome
  }
}

extension Verification.Outcome: CustomStringConvertible {
  /// "1,000 rows computed again …: all equal".
  package var description: String {
    if rows == 0, differences.isEmpty {
      return "nothing to verify: \(emptiness); only \(sums) \(sums == 1 ? "sum" : "sums") added up again"
    }
    let checked =
      "\(rows) \(rows == 1 ? "row" : "rows") computed again by plain Dijkstra, \(sums) sums added up again"
    switch differences.count {
    case 0: return "\(checked): all equal"
    case 1: return "\(checked): 1 difference, in table verification"
    case let count: return "\(checked): \(count) differences, in table verification"
    }
  }
}

extension Verification {
  /// The network that results were computed on, as they say; a map or a profile that is elsewhere now may be named.
  ///
  /// - Throws: `ResultsError`, and what opening a network throws.
  package static func network(
    of path: String, map: String?, profile: String?, cache: String?, workers: Int, report: (NetworkEvent) -> Void
  ) throws -> StreetNetwork {
    let identity = try ResultsDatabase(path: path).record.identity
    guard let type = identity.text(.transportType).flatMap(TransportType.init(rawValue:)),
      let known = map ?? identity.text(.networkFile) ?? identity.text(.map)
    else { throw ResultsError(path: path, problem: "not a results database of a job", cause: .input) }
    guard !StreetNetwork.isNetworkFile(known) else { return try StreetNetwork(networkFile: known, cache: cache) }
    return try StreetNetwork(
      map: known, profile: identity.profile(of: type, profile ?? identity.text(.profileFile)), cache: cache,
      workers: workers, report: report)
  }
}

extension Entries<IdentityKey> {
  /// The profile of the job's trips.
  ///
  /// - Parameters:
  ///   - named: A stock profile, or the file that it is read from now; nil for that of the transport type.
  ///   - located: Where a file of the run is now.
  func profile(
    of type: TransportType, _ named: String?, located: (String) -> String = { $0 }
  ) throws -> Profile {
    let profile = try named.map { try Profile.named($0) } ?? .stock(type)
    let paced = try number(.pace).map { try profile.paced($0) } ?? profile
    return try (text(.elevation).map { try paced.on(Elevation(path: located($0))) } ?? paced).avoiding(avoids)
  }

  /// What the job's trips avoid.
  var avoids: Profile.Avoidance {
    func preference(_ key: IdentityKey) -> RoutePreference {
      text(key).flatMap(RoutePreference.init(rawValue:)) ?? .any
    }
    return Profile.Avoidance(tolls: preference(.tollPreference), highways: preference(.highwayPreference))
  }
}
