import Results
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

    init(_ kind: JobKind, _ root: SettingsObject) throws {
      switch kind {
      case .routes: self = .routes(try TripTask(root))
      case .etas: self = .etas(try TripTask(root))
      case .matrix: self = .matrix(try MatrixTask(root))
      case .access: self = .access(try AccessTask(root))
      case .isochrones: self = .isochrones(try IsochroneTask(root))
      }
    }

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

  package var kind: JobKind {
    switch task {
    case .routes: .routes
    case .etas: .etas
    case .matrix: .matrix
    case .access: .access
    case .isochrones: .isochrones
    }
  }

  /// Reads the job file at `path`. *Throws*: an error that names the key, what it got and what it expected.
  package init(path: String) throws {
    try self.init(SettingsFile(path: path))
  }

  init(_ settings: SettingsFile) throws {
    let root = settings.root
    file = settings.name
    let kind = try root.value(of: Keys.kind)
    map = try root.value(of: Keys.map)
    transportType = try root.value(of: Keys.transportType)
    profile = try root.value(of: Keys.profile)
    task = try Task(kind, root)
    output = try root.value(of: Keys.output)
    snapLimit = try root.value(of: Keys.snapLimit)
    snapLegs = try root.value(of: Keys.snapLegs)
    coverage = try root.value(of: Keys.coverage)
    departure = try root.value(of: Keys.departureDate)
    arrival = try root.value(of: Keys.arrivalDate)
    wantsAlternates = try root.value(of: Keys.requestsAlternateRoutes)
    avoids = Profile.Avoidance(
      tolls: try root.value(of: Keys.tollPreference), highways: try root.value(of: Keys.highwayPreference))
    language = try root.value(of: Keys.language)
    verify = try root.value(of: Keys.verify)
    memory = try root.value(of: Keys.memory)
    if departure != nil && arrival != nil {
      throw root.error(Keys.arrivalDate, "a trip has a departureDate or an arrivalDate, not both")
    }
    if wantsAlternates && kind != .routes {
      throw root.error(
        Keys.requestsAlternateRoutes, "kind \(kind.rawValue) has no routes to choose from; use kind routes")
    }
    try root.finish { Job.home(of: $0, not: kind) }
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
