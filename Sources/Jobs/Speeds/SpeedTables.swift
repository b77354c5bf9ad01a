import Tables

/// What a job with speeds has in its tables of them.
package struct SpeedTables: Sendable {
  package let sources: [SpeedSourceRow]
  package let classes: [SpeedClassRow]
  package let hours: [SpeedHourRow]

  package init(sources: [SpeedSourceRow], classes: [SpeedClassRow], hours: [SpeedHourRow]) {
    (self.sources, self.classes, self.hours) = (sources, classes, hours)
  }

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
  /// Nil where the job has neither speeds nor traffic.
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
        hourOfWeek: (SpeedHourRow.weekdays.firstIndex(of: weekday) ?? 0) * 24 + (try row["hour"] as Int),
        slowness: try row["slowness"])
    }
    return SpeedTables(sources: sources, classes: classes, hours: hours)
  }
}
