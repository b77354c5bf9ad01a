import Tables

/// A key of the job's identity: a job file's key in snake case (`snap_limit`), or a derived value.
package struct IdentityKey: EntryKey {
  package let rawValue: String

  package init(_ rawValue: String) { self.rawValue = rawValue }
  /// Creates the key for a job file's key: `snap_limit` for `snapLimit`.
  package init(of key: String) { rawValue = key.map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined() }
  /// Creates the key for the digest of a file that a job file's key names.
  package init(digestOf key: String) { rawValue = IdentityKey(of: key).rawValue + IdentityKey.digestSuffix }

  private static let digestSuffix = "_sha256"
  var isDigest: Bool { rawValue.hasSuffix(IdentityKey.digestSuffix) }
  /// The key without the digest suffix: "pairs".
  var subject: String { isDigest ? String(rawValue.dropLast(IdentityKey.digestSuffix.count)) : rawValue }

  /// The key as in job files: "snapLimit".
  var jobKey: String {
    let words = subject.split(separator: "_")
    return words.dropFirst().reduce(words.first.map(String.init) ?? "") {
      "\($0)\($1.prefix(1).uppercased())\($1.dropFirst())"
    }
  }

  package static let kind = IdentityKey("kind")
  package static let version = IdentityKey("version")
  package static let map = IdentityKey("map")
  /// The network file used as the map; absent for other maps.
  package static let networkFile = IdentityKey("network_file")
  package static let mapSHA256 = IdentityKey("map_sha256")
  package static let mapDate = IdentityKey("map_date")
  package static let profile = IdentityKey("profile")
  static let profileFile = IdentityKey("profile_file")
  package static let profileSHA256 = IdentityKey("profile_sha256")
  package static let pace = IdentityKey("pace")
  package static let elevation = IdentityKey("elevation")
  static let elevationSHA256 = IdentityKey("elevation_sha256")
  /// The map's data for wheelchairs and prams.
  package static let accessibility = IdentityKey("accessibility")
  static let networkSHA256 = IdentityKey("network_sha256")
  package static let transportType = IdentityKey("transport_type")
  package static let snapLimit = IdentityKey("snap_limit")
  package static let coverageSHA256 = IdentityKey("coverage_sha256")
  package static let direction = IdentityKey("direction")
  /// `left` if most streets have left-hand traffic; otherwise not set.
  static let drivingSide = IdentityKey("driving_side")
  static let left = "left"
  static let alternateRoutes = IdentityKey("alternate_routes")
  package static let arrivalDate = IdentityKey("arrival_date")
  package static let arrivals = IdentityKey("arrivals")
  package static let date = IdentityKey("date")
  package static let departureDate = IdentityKey("departure_date")
  package static let departures = IdentityKey("departures")
  package static let destinations = IdentityKey("destinations")
  package static let distances = IdentityKey("distances")
  package static let fixes = IdentityKey("fixes")
  package static let format = IdentityKey("format")
  package static let highwayPreference = IdentityKey("highway_preference")
  package static let holidays = IdentityKey("holidays")
  package static let limit = IdentityKey("limit")
  package static let links = IdentityKey("links")
  package static let memory = IdentityKey("memory")
  package static let origins = IdentityKey("origins")
  package static let noun = IdentityKey("noun")
  package static let pairs = IdentityKey("pairs")
  package static let places = IdentityKey("places")
  package static let percentiles = IdentityKey("percentiles")
  package static let reportRoutes = IdentityKey("report_routes")
  package static let shapes = IdentityKey("shapes")
  package static let snapLegs = IdentityKey("snap_legs")
  package static let speeds = IdentityKey("speeds")
  static let speedsSHA256 = IdentityKey("speeds_sha256")
  package static let stations = IdentityKey("stations")
  package static let thresholds = IdentityKey("thresholds")
  package static let timeZone = IdentityKey("time_zone")
  package static let title = IdentityKey("title")
  package static let tollPreference = IdentityKey("toll_preference")
  package static let traces = IdentityKey("traces")
  package static let tracesSHA256 = IdentityKey("traces_sha256")
  package static let traffic = IdentityKey("traffic")
  static let trafficSHA256 = IdentityKey("traffic_sha256")
  package static let unit = IdentityKey("unit")
  package static let waitLimit = IdentityKey("wait_limit")
  package static let week = IdentityKey("week")
  package static let weights = IdentityKey("weights")

  /// The keys that summarize a run's inputs.
  package static let provenance: [IdentityKey] = [.version, .kind, .map, .mapDate, .profile]

  /// Returns the part of a value that distinguishes jobs: for a map's path only the file's name; nil if no part does.
  func identifyingPart(of value: String?) -> String? {
    switch self {
    case .map: value.map(lastPathComponent)
    case .networkFile: nil
    default: value
    }
  }
}

extension IdentityKey {
  /// The meaning of a difference between runs.
  enum Meaning: Sendable {
    case version, map, profile, input
    /// Changes results.
    case setting
    /// Changes the output and its provenance, but not the results.
    case presentation
  }

  /// Keys that do not change results: derived keys, and keys of job files that are declared as presentation.
  private static let presentation = JobKind.allCases.reduce(
    into: [map, drivingSide, networkFile, mapDate, networkSHA256, accessibility, links] as Set
  ) { $0.formUnion(KeyReader(describing: $1).presentation) }

  /// - Parameter record: A record that has the key.
  func meaning(in record: JobRecord) -> Meaning {
    switch self {
    case .version: .version
    case .mapSHA256: .map
    case .profile, .profileSHA256: .profile
    case .coverageSHA256: .setting
    case _ where IdentityKey.presentation.contains(self): .presentation
    case _ where isDigest: .input
    case _ where record.identity[IdentityKey(digestOf: rawValue)] != nil: .presentation
    default: .setting
    }
  }
}

extension Entries<IdentityKey> {
  /// Whether trips lead to the kind's main places (stations; centres of isochrones) instead of from them.
  package var leadsToPlaces: Bool { text(.direction) == "to" }

  /// The job's units of weights, by column.
  var units: [(column: String, unit: String)] {
    let units = list(.unit)
    return stride(from: 0, to: units.count - 1, by: 2).map { (units[$0], units[$0 + 1]) }
  }

  /// Whether most streets of the map have left-hand traffic.
  package var drivesOnLeft: Bool { text(.drivingSide) == IdentityKey.left }
}

/// A key about the time, place and speed of a run.
package enum RunKey: String, EntryKey {
  case jobFile = "job_file"
  case jobFileSHA256 = "job_file_sha256"
  /// The text of the job file; `workingFolder` is the folder to which its paths are relative.
  case jobText = "job_text"
  case workingFolder = "working_folder"
  case started, finished, seconds, rate, workers, state
  /// The seed of the verified sample.
  case verificationSeed = "verification_seed"
}

/// A key about the outcome of a run.
package struct FigureKey: EntryKey {
  package let rawValue: String
  package init(_ rawValue: String) { self.rawValue = rawValue }

  package static let rows = FigureKey("rows")
  package static let rejected = FigureKey("rejected")
  /// Returns the key for the name of the input's weight column; not set if there is no such column.
  package static func weight(of owner: WeightOwner) -> FigureKey { FigureKey("\(owner)_weight") }
  /// The number of results with waits longer than `LongWait.seconds`.
  package static let longWaits = FigureKey("long_waits")
  /// The summary sentence, and the line about missing data.
  package static let headline = FigureKey("headline")
  package static let missing = FigureKey("missing")
  /// Returns the key for the number of rows, or of a matrix's cells, with a status.
  static func count(_ status: RowStatus, in kind: JobKind) -> FigureKey {
    FigureKey("\(kind.hasCells ? "cells" : "rows")_\(status.rawValue)")
  }
  /// Returns whether a key is for the number of rows or cells with a status.
  package static func isCount(_ key: String) -> Bool { key.hasPrefix("rows_") || key.hasPrefix("cells_") }
  static let verifiedRows = FigureKey("verified_rows")
  static let verifiedSums = FigureKey("verified_sums")
  static let verifiedDifferences = FigureKey("verified_differences")

  /// Returns whether a key of table `job` belongs to this type.
  static func isKnown(_ key: String) -> Bool {
    [FigureKey.rows, .rejected, .longWaits, .measures, .headline, .missing].contains { $0.rawValue == key }
      || isCount(key) || key.hasPrefix("verified_") || key.hasSuffix("_weight")
  }
}

/// The kinds of input items that have weights.
package enum WeightOwner: CaseIterable, Sendable { case pair, origin, destination }

/// The threshold above which waits are reported.
package enum LongWait {
  package static let seconds = 600
}

/// The state of a results database.
package enum RunState: String { case running, interrupted, finished }
