import Tables

/// A row of table `speed_source`: a file of speeds, and what became of its rows.
package struct SpeedSourceRow: Sendable {
  package var file: String
  package var format: String
  package var counts: Counts
  /// The first ten lines or places of each, a line each.
  package var firstMalformed: String
  package var firstUnmatched: String
  package var firstImplausible: String

  package init(
    file: String, format: String, counts: Counts, firstMalformed: String, firstUnmatched: String,
    firstImplausible: String
  ) {
    (self.file, self.format, self.counts) = (file, format, counts)
    (self.firstMalformed, self.firstUnmatched) = (firstMalformed, firstUnmatched)
    self.firstImplausible = firstImplausible
  }

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
    "speed_source", "file of speeds, in jobs with `speeds`",
    [
      .text("file", "the input's path") { $0.file },
      .text("format", "`osrm`, `week` or `long`") { $0.format },
      .lineBreak,
      .integer("rows", "rows read") { $0.counts.rows },
      .integer("malformed", "rows that cannot be read") { $0.counts.malformed },
      .integer("matched", "rows whose whole place is on the map") { $0.counts.matched },
      .integer("partly_matched", "rows of which a part is not open in that direction") { $0.counts.partlyMatched },
      .integer("unmatched", "rows whose ids are not on the map, or lead nowhere together") { $0.counts.unmatched },
      .integer("not_open", "rows of streets that are not open in that direction") { $0.counts.notOpen },
      .lineBreak,
      .integer("duplicate", "rows of a street and time that another row has, too: the mean is used") {
        $0.counts.duplicate
      },
      .integer("implausible", "under 3 km/h, over 200, or over twice free flow; used nevertheless") {
        $0.counts.implausible
      },
      .integer("with_unused", "rows with columns that are known and not used: rates") { $0.counts.withUnused },
      .lineBreak,
      .text("first_malformed", "the first ten, a line each: line and reason") { $0.firstMalformed },
      .text("first_unmatched", "the first ten places") { $0.firstUnmatched },
      .text("first_implausible", "the first ten") { $0.firstImplausible },
    ])
}
