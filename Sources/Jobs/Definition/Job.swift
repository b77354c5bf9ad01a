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
    try root.finish()
  }

  /// The profile the job travels by.
  package func loadProfile() throws -> Profile {
    try profile.map { try Profile(path: $0) } ?? .stock(transportType.rawValue)
  }

  package var options: Directions.Options {
    var options = Directions.Options()
    options.snapLimit = snapLimit
    options.countsSnapLegs = snapLegs
    return options
  }
}
