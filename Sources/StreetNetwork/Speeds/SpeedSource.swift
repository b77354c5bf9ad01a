/// The row counts of a speed file by outcome.
package struct SpeedSource: Codable, Sendable {
  package var file: String
  package var format: String
  package var rows = 0
  package var malformed = 0
  /// Rows whose place is fully, partly or not in the network.
  package var matched = 0
  package var partlyMatched = 0
  package var unmatched = 0
  /// Rows for streets that are on the map, but closed in that direction.
  package var notOpen = 0
  /// Rows for the same street and time as another row.
  package var duplicate = 0
  /// Rows with under 3 km/h, over 200 km/h, or over twice the free-flow speed, which are used nevertheless.
  package var implausible = 0
  /// Rows with ignored columns, such as OSRM's rates.
  package var withUnused = 0
  /// The first problems of each kind, with their lines or places.
  package var firstMalformed: [String] = []
  package var firstUnmatched: [String] = []
  package var firstImplausible: [String] = []

  /// The maximum number of listed problems of each kind.
  package static let maximumNamed = 10

  package init(file: String, format: String) { (self.file, self.format) = (file, format) }
}

/// Statistics about a network's speeds.
package struct SpeedFacts: Codable, Sendable {
  package var sources: [SpeedSource] = []
  /// The kilometres of directed streets, and of directed streets with data, by road class in the order of classes.
  package var kilometres: [Double] = []
  package var kilometresWithData: [Double] = []
  /// The number of directed streets with a conditional speed limit; of these, the number whose limits begin or end
  /// within a period; and the number of limits on certain dates, which do not apply in a typical week.
  package var limited = 0
  package var limitedInexactly = 0
  package var undatedLimits = 0
}
