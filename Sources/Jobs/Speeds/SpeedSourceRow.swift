import OpeningHours
import Tables

/// A row of table `speed_source`: a file of speeds, with counts of its rows by outcome.
package struct SpeedSourceRow: Sendable {
  package var file: String
  package var format: String
  package var counts: Counts
  /// The first ten lines or places of each, a line each.
  package var firstMalformed: String
  package var firstUnmatched: String
  package var firstImplausible: String

  /// Of rows.
  package struct Counts: Sendable {
    package var rows = 0
    package var malformed = 0
    package var matched = 0
    package var partlyMatched = 0
    package var unmatched = 0
    package var notOpen = 0
    package var duplicate = 0
    package var implausible = 0
    package var withUnused = 0
    package init() {}
  }

  static let table = Table<SpeedSourceRow>(
    "speed_source", "speed file, in jobs with `speeds`",
    [
      .text("file", "path of the input") { $0.file },
      .text("format", "`osrm`, `week` or `long`") { $0.format },
      .lineBreak,
      .integer("rows", "rows read") { $0.counts.rows },
      .integer("malformed", "unreadable rows") { $0.counts.malformed },
      .integer("matched", "rows whose sections all match open streets") { $0.counts.matched },
      .integer("partly_matched", "rows with some sections closed in that direction") { $0.counts.partlyMatched },
      .integer("unmatched", "rows with ids that are not on the map, or not connected") { $0.counts.unmatched },
      .integer("not_open", "rows whose streets are all closed in that direction") { $0.counts.notOpen },
      .lineBreak,
      .integer("duplicate", "rows for the same street and time as another row; averaged if `duplicates` allows it") {
        $0.counts.duplicate
      },
      .integer("implausible", "rows under 3 km/h, over 200 km/h or over twice the free-flow speed; used anyway") {
        $0.counts.implausible
      },
      .integer("with_unused", "rows with recognized but ignored columns, such as rates") { $0.counts.withUnused },
      .lineBreak,
      .text("first_malformed", "first ten, one per line: line and reason") { $0.firstMalformed },
      .text("first_unmatched", "first ten unmatched ids or sections") { $0.firstUnmatched },
      .text("first_implausible", "first ten rows") { $0.firstImplausible },
    ])
}

/// The tables about speeds.
package struct SpeedTables: Sendable {
  package let sources: [SpeedSourceRow]
  package let classes: [SpeedClassRow]
  package let hours: [SpeedHourRow]

  static let descriptions = [
    SpeedSourceRow.table.description, SpeedClassRow.table.description, SpeedHourRow.table.description,
  ]

  func write(to database: SQLite, _ types: SQLTypes) throws {
    try database.execute(
      SpeedSourceRow.table.creation(types) + SpeedClassRow.table.creation(types) + SpeedHourRow.table.creation(types))
    try database.insert(sources, into: SpeedSourceRow.table)
    try database.insert(classes, into: SpeedClassRow.table)
    try database.insert(hours, into: SpeedHourRow.table)
  }
}

extension ResultsDatabase {
  /// Nil if the job has neither speeds nor traffic.
  package func speedTables() throws -> SpeedTables? {
    guard try database.hasTable(SpeedHourRow.table.name) else { return nil }
    let sources = try database.rows("SELECT * FROM speed_source ORDER BY rowid") { row in
      var counts = SpeedSourceRow.Counts()
      counts.rows = try row["rows"]
      counts.malformed = try row["malformed"]
      counts.matched = try row["matched"]
      counts.partlyMatched = try row["partly_matched"]
      counts.unmatched = try row["unmatched"]
      counts.notOpen = try row["not_open"]
      counts.duplicate = try row["duplicate"]
      counts.implausible = try row["implausible"]
      counts.withUnused = try row["with_unused"]
      return SpeedSourceRow(
        file: try row["file"], format: try row["format"], counts: counts,
        firstMalformed: try row["first_malformed"], firstUnmatched: try row["first_unmatched"],
        firstImplausible: try row["first_implausible"])
    }
    let classes = try database.rows("SELECT * FROM speed_class ORDER BY rowid") { row in
      SpeedClassRow(
        roadClass: try row["class"], distance: try row["distance"], distanceWithData: try row["distance_with_data"])
    }
    let hours = try database.rows("SELECT * FROM speed_hour ORDER BY rowid") { row in
      let weekday: String = try row["weekday"]
      return SpeedHourRow(
        roadClass: try row["class"],
        hourOfWeek: (Weekday.names.firstIndex(of: weekday) ?? 0) * 24 + (try row.integer("hour", in: 0..<24)),
        slowness: try row["slowness"])
    }
    return SpeedTables(sources: sources, classes: classes, hours: hours)
  }
}

/// A row of table `speed_class`: the share of a class's streets with speeds.
package struct SpeedClassRow: Sendable {
  package var roadClass: String
  /// Metres, counted per direction.
  package var distance: Double
  package var distanceWithData: Double

  static let table = Table<SpeedClassRow>(
    "speed_class", "road class, in jobs with `speeds` or `traffic`",
    [
      .text("class", "road class: `motorway` to `path`, or `other`") { $0.roadClass },
      .real("distance", "metres of its streets, counted per direction") { $0.distance },
      .real("distance_with_data", "metres of its streets with a speed from a file") { $0.distanceWithData },
    ])
}

/// A row of table `speed_hour`: the slowness of a class in an hour of the week.
package struct SpeedHourRow: Sendable {
  package var roadClass: String
  /// From Monday on, 0 to 167.
  package var hourOfWeek: Int
  package var slowness: Double

  static let table = Table<SpeedHourRow>(
    "speed_hour", "road class and hour of the week, in jobs with `speeds` or `traffic`",
    [
      .text("class", "road class: `motorway` to `path`, or `other`") { $0.roadClass },
      .text("weekday", "`Mo` to `Su`") { Weekday.names[$0.hourOfWeek / 24] },
      .integer("hour", "0 to 23, local time") { $0.hourOfWeek % 24 },
      .real("slowness", "travel time of all its streets / their free-flow time") {
        $0.slowness
      },
    ])
}
