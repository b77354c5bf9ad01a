/// Counts of a file's rows by outcome.
package struct SpeedSource: Codable, Sendable {
  package var file: String
  package var format: String
  package var rows = 0
  package var malformed = 0
  /// Rows whose place is fully, partly or not in the network.
  package var matched = 0
  package var partlyMatched = 0
  package var unmatched = 0
  /// On the map, but closed in that direction.
  package var notOpen = 0
  /// For a street and a time that another row has, too.
  package var duplicate = 0
  /// Under 3 km/h, over 200 km/h, or over twice the free-flow speed: used anyway.
  package var implausible = 0
  /// With ignored columns, such as OSRM's rates.
  package var withUnused = 0
  /// Lines and their problems.
  package var firstMalformed: [String] = []
  package var firstUnmatched: [String] = []
  package var firstImplausible: [String] = []

  /// The maximum number of each that are listed.
  package static let mostNamed = 10

  package init(file: String, format: String) { (self.file, self.format) = (file, format) }
}

/// The sources of a network's speeds.
package struct SpeedFacts: Codable, Sendable {
  package var sources: [SpeedSource] = []
  /// By road class, in the order of classes: kilometres of streets in each direction, and of those with data.
  package var kilometres: [Double] = []
  package var kilometresWithData: [Double] = []
  /// Directed streets with a conditional speed limit, those of them whose hours do not fit periods, and limits on
  /// certain dates that do not apply in a typical week.
  package var limited = 0
  package var limitedInexactly = 0
  package var undatedLimits = 0
}
