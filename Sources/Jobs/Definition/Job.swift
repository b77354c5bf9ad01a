import Routing
import Settings
import StreetNetwork

/// What a job file asks for, checked.
package struct Job: Sendable {
  package var task: Task
  package var map: String
  package var transportType: TransportType
  /// The path of a profile of one's own; the stock profile of the transport type if nil.
  package var profile: String?
  package var output: String
  /// Metres.
  package var snapLimit: Double
  package var snapLegs: Bool?
  /// A GeoJSON MultiPolygon; pairs with an end outside are not computed.
  package var coverage: String?
  /// When trips start or end, unless a row says so itself.
  package var departure: Timestamp?
  package var arrival: Timestamp?
  package var wantsAlternates: Bool
  package var avoids: Profile.Avoidance
  package var language: Language
  /// Whether each route gets the link that opens it in Maps.
  package var writesLinks = false
  /// How many rows are computed again by plain Dijkstra in the end; nil for none.
  package var verify: Int?
  /// How many bytes of memory the job may use; nil for what the machine has.
  package var memory: Int?
  /// The job file.
  package var file: String

  /// What is to be computed, by the kind of job.
  package enum Task: Sendable {
    /// With steps and shapes.
    case routes(TripTask)
    /// Times and distances alone.
    case etas(TripTask)
    /// All times and distances between two lists.
    case matrix(MatrixTask)
    /// The stations nearest to origins.
    case access(AccessTask)
    /// What is reached within times.
    case isochrones(IsochroneTask)

    /// The files of places that it names.
    var files: [String] {
      switch self {
      case .routes(let trips), .etas(let trips): [trips.pairs]
      case .matrix(let matrix): [matrix.origins] + (matrix.destinations.map { [$0] } ?? [])
      case .access(let access): [access.origins, access.stations]
      case .isochrones(let isochrones): [isochrones.origins]
      }
    }
  }

  /// As job files have it.
  package var kind: String {
    switch task {
    case .routes: "routes"
    case .etas: "etas"
    case .matrix: "matrix"
    case .access: "access"
    case .isochrones: "isochrones"
    }
  }

  /// Reads the job file at `path`. *Throws*: an error that names the key, what was found and what is allowed.
  package init(path: String) throws {
    let settings = try SettingsFile(path: path)
    let root = settings.root
    file = path
    let kind = try root.choice("kind", of: ["routes", "etas", "matrix", "access", "isochrones"])
    map = try root.string("map")
    transportType = try root.choice("transportType", of: TransportType.self)
    profile = try root.optionalString("profile")
    switch kind {
    case "routes": task = .routes(try TripTask(root))
    case "etas": task = .etas(try TripTask(root))
    case "matrix": task = .matrix(try MatrixTask(root))
    case "access": task = .access(try AccessTask(root))
    default: task = .isochrones(try IsochroneTask(root))
    }
    output = try root.string("output")
    snapLimit =
      try root.optionalNumber(
        "snapLimit", over: 0, atMost: Directions.Options.largestSnapLimit, unit: "a number of metres") ?? 1000
    snapLegs = try root.optionalBool("snapLegs")
    coverage = try root.optionalString("coverage")
    departure = try Job.timestamp(root, "departureDate")
    arrival = try Job.timestamp(root, "arrivalDate")
    if departure != nil && arrival != nil {
      throw root.error("arrivalDate", "a trip has a departureDate or an arrivalDate, not both")
    }
    wantsAlternates = try root.optionalBool("requestsAlternateRoutes") ?? false
    avoids = Profile.Avoidance(
      tolls: try Job.preference(root, "tollPreference"), highways: try Job.preference(root, "highwayPreference"))
    language = try Language(named: root.optionalChoice("language", of: Language.names) ?? "en")
    let sample = try root.optionalNumber("verify", over: 0, atMost: 1_000_000, unit: "a number of rows")
    if let sample, sample != sample.rounded() { throw root.error("verify", "found \(sample), allowed: a whole number") }
    verify = sample.map { Int($0) }
    memory = try root.optionalString("memory").map { text in
      guard let bytes = MemoryLimit.bytes(text) else {
        throw root.error("memory", "found \"\(text)\", allowed: \(MemoryLimit.allowed)")
      }
      return bytes
    }
    if wantsAlternates && kind != "routes" {
      throw root.error("requestsAlternateRoutes", "kind \(kind) has no routes to choose from; use kind routes")
    }
    try root.finish()
  }

  private static func timestamp(_ root: SettingsObject, _ key: String) throws -> Timestamp? {
    guard let text = try root.optionalString(key) else { return nil }
    guard let timestamp = Timestamp(text) else {
      throw root.error(key, "found \"\(text)\", allowed: \(Timestamp.allowed)")
    }
    return timestamp
  }

  private static func preference(_ root: SettingsObject, _ key: String) throws -> RoutePreference {
    try root.optionalChoice(key, of: RoutePreference.allCases.map(\.rawValue)).flatMap(RoutePreference.init) ?? .any
  }

  /// The profile the job travels by.
  package func loadProfile() throws -> Profile {
    let profile = try self.profile.map { try Profile(path: $0) } ?? .stock(transportType)
    guard profile.transportType == transportType else {
      throw SettingsError(
        file: file,
        problem: "profile: \(profile.name) is for transportType \(profile.transportType.rawValue), "
          + "the job's is \(transportType.rawValue)")
    }
    return try profile.avoiding(avoids)
  }

  /// When trips start, or end, by the clocks there: decides what is open; nil where no date is set.
  var localTime: LocalTime? { (departure ?? arrival)?.localTime }

  package var options: Directions.Options {
    var options = Directions.Options()
    options.snapLimit = snapLimit
    options.countsSnapLegs = snapLegs
    options.language = language
    return options
  }
}

/// What jobs of kinds `routes` and `etas` ask for beside what all jobs do.
package struct TripTask: Sendable {
  /// A table of pairs.
  package var pairs: String
  /// Whether the shapes of routes are in the database, too, and not in the GeoJSON alone.
  package var hasShapes: Bool

  init(_ root: SettingsObject) throws {
    pairs = try root.string("pairs")
    hasShapes = try root.optionalBool("shapes") ?? true
  }
}
