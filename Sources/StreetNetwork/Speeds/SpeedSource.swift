/// What was read of a file of speeds, and what became of it: counts of rows.
package struct SpeedSource: Codable, Sendable {
  package var file: String
  package var format: String
  package var rows = 0
  package var malformed = 0
  /// All of the place is in the network, part of it, none.
  package var matched = 0
  package var partlyMatched = 0
  package var unmatched = 0
  /// On the map, but not open in that direction.
  package var notOpen = 0
  /// Of a street and a time that another row has, too.
  package var duplicate = 0
  /// Under 3 km/h, over 200, or over twice as fast as in free flow: used nevertheless.
  package var implausible = 0
  /// With columns that are not used, such as OSRM's rates.
  package var withUnused = 0
  /// Lines and what is wrong with them.
  package var firstMalformed: [String] = []
  package var firstUnmatched: [String] = []
  package var firstImplausible: [String] = []

  /// How many of each are named.
  package static let mostNamed = 10

  package init(file: String, format: String) { (self.file, self.format) = (file, format) }
}

/// What the speeds of a network are made of.
package struct SpeedFacts: Codable, Sendable {
  package var sources: [SpeedSource] = []
  /// By road class, in the order of classes: kilometres of streets in each direction, and of those with data.
  package var kilometres: [Double] = []
  package var kilometresWithData: [Double] = []
  /// Streets in a direction with a speed limit at times, those of them whose hours are no whole periods, and limits that
  /// hold on certain dates only and do not count in a typical week.
  package var limited = 0
  package var limitedInexactly = 0
  package var undatedLimits = 0
}
