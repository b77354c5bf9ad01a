import Routing
import StreetNetwork

/// What a job file asks for, checked.
package struct Job: Sendable {
  package var kind: Kind
  package var map: String
  package var transportType: TransportType
  /// The path of a profile of one's own; the stock profile of the transport type if nil.
  package var profile: String?
  package var pairs: String
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
  /// The job file.
  package var file: String

  package enum Kind: String, CaseIterable, Sendable { case routes, etas }

  /// Reads the job file at `path`. *Throws*: an error that names the key, what was found and what is allowed.
  package init(path: String) throws {
    let settings = try SettingsFile(path: path)
    let root = settings.root
    file = path
    kind = Kind(rawValue: try root.choice("kind", of: Kind.allCases.map(\.rawValue)))!
    map = try root.string("map")
    transportType = TransportType(rawValue: try root.choice("transportType", of: Profile.stockNames))!
    profile = try root.optionalString("profile")
    pairs = try root.string("pairs")
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
    if wantsAlternates && kind == .etas {
      throw root.error("requestsAlternateRoutes", "kind etas has no routes to choose from; use kind routes")
    }
    avoids = Profile.Avoidance(
      tolls: try Job.preference(root, "tollPreference"), highways: try Job.preference(root, "highwayPreference"))
    language = try Language(named: root.optionalChoice("language", of: Language.names) ?? "en")
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
    let profile = try self.profile.map { try Profile(path: $0) } ?? .stock(transportType.rawValue)
    guard profile.transportType == transportType.rawValue else {
      throw SettingsError(
        file: file,
        problem: "profile: \(profile.name) is for transportType \(profile.transportType), the job's is "
          + transportType.rawValue)
    }
    return try profile.avoiding(avoids)
  }

  package var options: Directions.Options {
    var options = Directions.Options()
    options.snapLimit = snapLimit
    options.countsSnapLegs = snapLegs
    options.language = language
    return options
  }
}
