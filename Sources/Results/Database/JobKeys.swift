/// A key of what decides a job's results.
package struct IdentityKey: EntryKey {
  package let rawValue: String
  /// What a difference means to someone who compares two runs.
  let meaning: Meaning

  package enum Meaning: Sendable {
    case version, map, profile, input
    /// Changes answers.
    case setting
    /// Changes what is written and where it came from, not the answers.
    case presentation
  }

  package init(_ rawValue: String, _ meaning: Meaning) { (self.rawValue, self.meaning) = (rawValue, meaning) }

  private static let digestSuffix = "_sha256"
  var isDigest: Bool { rawValue.hasSuffix(IdentityKey.digestSuffix) }
  /// The key without what makes it a digest: "pairs".
  var subject: String { isDigest ? String(rawValue.dropLast(IdentityKey.digestSuffix.count)) : rawValue }

  package static let kind = IdentityKey("kind", .setting)
  package static let version = IdentityKey("version", .version)
  package static let map = IdentityKey("map", .presentation)
  /// The network file that was the map; absent for other maps.
  package static let networkFile = IdentityKey("network_file", .presentation)
  package static let mapSHA256 = IdentityKey("map_sha256", .map)
  package static let mapDate = IdentityKey("map_date", .presentation)
  package static let profile = IdentityKey("profile", .setting)
  package static let profileFile = IdentityKey("profile_file", .presentation)
  package static let pace = IdentityKey("pace", .setting)
  package static let elevation = IdentityKey("elevation", .presentation)
  package static let elevationSHA256 = IdentityKey("elevation_sha256", .input)
  package static let profileSHA256 = IdentityKey("profile_sha256", .profile)
  /// How much the map says of kerbs and the like, for wheelchairs and prams.
  package static let accessibility = IdentityKey("accessibility", .presentation)
  package static let networkSHA256 = IdentityKey("network_sha256", .presentation)
  package static let transportType = IdentityKey("transport_type", .setting)
  package static let snapLimit = IdentityKey("snap_limit", .setting)
  package static let snapLegs = IdentityKey("snap_legs", .setting)
  package static let coverage = IdentityKey("coverage", .presentation)
  package static let coverageSHA256 = IdentityKey("coverage_sha256", .setting)
  package static let departureDate = IdentityKey("departure_date", .setting)
  package static let arrivalDate = IdentityKey("arrival_date", .setting)
  package static let departures = IdentityKey("departures", .setting)
  package static let arrivals = IdentityKey("arrivals", .setting)
  package static let week = IdentityKey("week", .setting)
  package static let date = IdentityKey("date", .setting)
  package static let timeZone = IdentityKey("time_zone", .setting)
  package static let waitLimit = IdentityKey("wait_limit", .setting)
  package static let holidays = IdentityKey("holidays", .setting)
  package static let alternateRoutes = IdentityKey("alternate_routes", .setting)
  package static let tollPreference = IdentityKey("toll_preference", .setting)
  package static let highwayPreference = IdentityKey("highway_preference", .setting)
  package static let language = IdentityKey("language", .setting)
  package static let duplicates = IdentityKey("duplicates", .setting)
  package static let links = IdentityKey("links", .presentation)

  /// What the results were computed with, in few words.
  package static let provenance: [IdentityKey] = [.version, .kind, .map, .mapDate, .profile]

  // Of several kinds.
  package static let origins = IdentityKey("origins", .presentation)
  package static let originsSHA256 = IdentityKey("origins_sha256", .input)
  package static let id = IdentityKey("id", .setting)
  package static let weights = IdentityKey("weights", .setting)
  package static let thresholds = IdentityKey("thresholds", .setting)
  package static let direction = IdentityKey("direction", .setting)

  /// Those that every kind has.
  static let common: [IdentityKey] =
    ofSpeeds + [
      .kind, .version, .map, .networkFile, .mapSHA256, .mapDate, .profile, .profileFile, .pace, .elevation,
      .elevationSHA256, .profileSHA256, .accessibility, .networkSHA256,
      .transportType, .snapLimit, .snapLegs, .coverage, .coverageSHA256, .departureDate, .arrivalDate,
      .departures, .arrivals, .week, .date, .timeZone, .waitLimit, .holidays, .alternateRoutes, .tollPreference,
      .highwayPreference,
      .language, .links, .duplicates, .id, .weights,
    ]

  /// What of a value decides results: of a map's path the name alone, wherever the map is; nil for nothing.
  func deciding(_ value: String?) -> String? {
    switch self {
    case .map: value.map(lastPathComponent)
    case .networkFile: nil
    default: value
    }
  }

  package static func == (a: IdentityKey, b: IdentityKey) -> Bool { a.rawValue == b.rawValue }
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Entries<IdentityKey> {
  /// Whether trips lead to the places that the kind is about (stations; centres of isochrones), not from them.
  package var leadsToPlaces: Bool { text(.direction) == "to" }
}

/// A key of when, where and how fast a run went.
package enum RunKey: String, EntryKey {
  case jobFile = "job_file"
  case jobFileSHA256 = "job_file_sha256"
  /// The job file itself, and the folder that its paths start from.
  case jobText = "job_text"
  case workingFolder = "working_folder"
  case started, finished, seconds, rate, workers, state
  /// Of the sample of rows that was verified.
  case verificationSeed = "verification_seed"
}

/// A key of what came out of a run.
package struct FigureKey: EntryKey {
  package let rawValue: String
  package init(_ rawValue: String) { self.rawValue = rawValue }

  package static let rows = FigureKey("rows")
  package static let rejected = FigureKey("rejected")
  /// The input's column that is a weight; not set for none.
  package static func weight(of owner: WeightOwner) -> FigureKey { FigureKey("\(owner)_weight") }
  /// Answers that wait longer than `LongWait.seconds`.
  package static let longWaits = FigureKey("long_waits")
  package static let verifiedRows = FigureKey("verified_rows")
  package static let verifiedSums = FigureKey("verified_sums")
  package static let verifiedDifferences = FigureKey("verified_differences")
}

/// What has a weight.
package enum WeightOwner: CaseIterable, Sendable { case pair, origin, destination }

/// A wait that a run reports.
package enum LongWait {
  /// A wait is long if it takes longer.
  package static let seconds = 600
}

/// How far the results of a database have come.
package enum RunState: String { case running, interrupted, finished }
