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
  package var datedLimits = 0
}

/// A row of a speed file: a place, a speed and its times.
package struct SpeedRow: Sendable {
  package var place: SpeedPlace
  package var value: SpeedValue
  /// The line number in the file.
  package var line: Int

  package init(_ place: SpeedPlace, _ value: SpeedValue, line: Int) {
    (self.place, self.value, self.line) = (place, value, line)
  }
}

/// The place of a speed, by OpenStreetMap IDs: a way, or a section from one node to another.
package struct SpeedPlace: Hashable, Sendable, CustomStringConvertible {
  /// 0 for any way.
  package var way: Int64
  /// Nil for the whole way.
  package var nodes: Nodes?
  /// Forward or backward along the way; nil for both. Nodes imply the direction.
  package var direction: Direction?

  package struct Nodes: Hashable, Sendable {
    package var from: Int64
    package var to: Int64
    package init(from: Int64, to: Int64) { (self.from, self.to) = (from, to) }
  }

  package init(way: Int64 = 0, nodes: Nodes? = nil, direction: Direction? = nil) {
    (self.way, self.nodes, self.direction) = (way, nodes, direction)
  }

  package var description: String {
    let way = way == 0 ? [] : ["way \(way)"]
    return (way + (nodes.map { ["nodes \($0.from) to \($0.to)"] } ?? [])).joined(separator: ", ")
  }
}

/// A speed and its times.
package enum SpeedValue: Sendable {
  /// 0 for stopped traffic.
  case kmh(Double, WeekHours)
  case slowness(Double, WeekHours)
  /// The speed in km/h in each slot of five minutes from midnight on Monday; NaN if unknown.
  case week([Float])
}
