import OpeningHours
import StreetNetwork
import Tables

extension SpeedSource {
  /// Table `speed_source`: one row per speed file, with its row counts by outcome.
  static let table = Table<SpeedSource>(
    "speed_source", "speed file, in jobs with `speeds`",
    [
      .text("file", "path of the input") { $0.file },
      .text("format", "`osrm`, `week` or `long`") { $0.format },
      .lineBreak,
      .integer("rows", "rows read") { $0.rows },
      .integer("malformed", "unreadable rows") { $0.malformed },
      .integer("matched", "rows whose sections all match open streets") { $0.matched },
      .integer("partly_matched", "rows with some sections closed in the row's direction") { $0.partlyMatched },
      .integer("unmatched", "rows with ids missing from the map or of unconnected streets") { $0.unmatched },
      .integer("not_open", "rows whose streets are all closed in the row's direction") { $0.notOpen },
      .lineBreak,
      .integer("duplicate", "rows for the same street and time as another row; averaged if `duplicates` allows it") {
        $0.duplicate
      },
      .integer("implausible", "rows under 3 km/h, over 200 km/h or over twice the free-flow speed; used anyway") {
        $0.implausible
      },
      .integer("with_unused", "rows with recognized but ignored columns, such as rates") { $0.withUnused },
      .lineBreak,
      .text("first_malformed", "first ten unreadable rows, one per line: line number and reason") {
        $0.firstMalformed.joined(separator: "\n")
      },
      .text("first_unmatched", "first ten unmatched ids or sections") { $0.firstUnmatched.joined(separator: "\n") },
      .text("first_implausible", "first ten implausible rows") { $0.firstImplausible.joined(separator: "\n") },
    ])

  fileprivate init(_ row: SQLite.Statement) throws {
    self.init(file: try row["file"], format: try row["format"])
    (rows, malformed, matched) = (try row["rows"], try row["malformed"], try row["matched"])
    (partlyMatched, unmatched, notOpen) = (try row["partly_matched"], try row["unmatched"], try row["not_open"])
    (duplicate, implausible, withUnused) = (try row["duplicate"], try row["implausible"], try row["with_unused"])
    func lines(_ column: String) throws -> [String] {
      (try row[column] as String).split(separator: "\n").map(String.init)
    }
    (firstMalformed, firstUnmatched) = (try lines("first_malformed"), try lines("first_unmatched"))
    firstImplausible = try lines("first_implausible")
  }
}

/// The tables about speeds.
package struct SpeedTables: Sendable {
  package let sources: [SpeedSource]
  package let classes: [ClassRow]
  package let hours: [HourRow]

  /// A row of table `speed_class`: the metres of a class's streets, counted per direction, and of those with speeds.
  package typealias ClassRow = (roadClass: String, distance: Double, distanceWithData: Double)
  /// A row of table `speed_hour`: the slowness of a class in an hour of the week from Monday, 0 to 167.
  package typealias HourRow = (roadClass: String, hourOfWeek: Int, slowness: Double)

  static let descriptions = [
    SpeedSource.table.description, classTable.description, hourTable.description,
  ]

  func write(to database: SQLite, _ types: SQLTypes) throws {
    try database.execute(
      SpeedSource.table.creation(types) + Self.classTable.creation(types) + Self.hourTable.creation(types))
    try database.insert(sources, into: SpeedSource.table)
    try database.insert(classes, into: Self.classTable)
    try database.insert(hours, into: Self.hourTable)
  }

  fileprivate static let classTable = Table<ClassRow>(
    "speed_class", "road class, in jobs with `speeds` or `traffic`",
    [
      .text("class", "road class: `motorway` to `path`, or `other`") { $0.roadClass },
      .real("distance", "metres of its streets, counted per direction") { $0.distance },
      .real("distance_with_data", "metres of its streets with a speed from a file") { $0.distanceWithData },
    ])

  fileprivate static let hourTable = Table<HourRow>(
    "speed_hour", "road class and hour of the week, in jobs with `speeds` or `traffic`",
    [
      .text("class", "road class: `motorway` to `path`, or `other`") { $0.roadClass },
      .text("weekday", "`Mo` to `Su`") { Weekday.names[$0.hourOfWeek / 24] },
      .integer("hour", "0 to 23, local time") { $0.hourOfWeek % 24 },
      .real("slowness", "travel time of all its streets / their free-flow time") { $0.slowness },
    ])
}

extension ResultsDatabase {
  /// Returns the tables about speeds; nil if the job has neither speeds nor traffic.
  package func speedTables() throws -> SpeedTables? {
    guard try database.hasTable(SpeedTables.hourTable.name) else { return nil }
    let sources = try database.rows("SELECT * FROM speed_source ORDER BY rowid", decode: SpeedSource.init)
    let classes = try database.rows("SELECT * FROM speed_class ORDER BY rowid") { row in
      (try row["class"] as String, try row["distance"] as Double, try row["distance_with_data"] as Double)
    }
    let hours = try database.rows("SELECT * FROM speed_hour ORDER BY rowid") { row in
      let weekday: String = try row["weekday"]
      let hour = (Weekday.names.firstIndex(of: weekday) ?? 0) * 24 + (try row.integer("hour", in: 0..<24))
      return (try row["class"] as String, hour, try row["slowness"] as Double)
    }
    return SpeedTables(sources: sources, classes: classes, hours: hours)
  }
}
