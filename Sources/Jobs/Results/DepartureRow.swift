import Tables

/// A row of table `departure`: an hour that a job asks for. The table is there where a job has hours.
package struct DepartureRow: Sendable {
  /// From 1.
  package var number = 0
  package var departure: String?
  package var arrival: String?
  package var weekday = ""
  package var day: String?
  package var time = ""
  /// Minutes.
  package var clockChange: Int?

  package init() {}
  package init(
    number: Int, departure: String?, arrival: String?, weekday: String, day: String?, time: String, clockChange: Int?
  ) {
    (self.number, self.departure, self.arrival, self.weekday) = (number, departure, arrival, weekday)
    (self.day, self.time, self.clockChange) = (day, time, clockChange)
  }

  static let table = Table<DepartureRow>(
    "departure", "hour of a job with hours",
    [
      .key("departure", "its number, from 1: day by day, and on each day in the order of the job") { $0.number },
      .optionalMoment("departure_date", "when trips start, by the clocks there; on a typical day `Mo 07:00`") {
        $0.departure
      },
      .optionalMoment("expected_arrival_date", "when they end, in a job with arrivals") { $0.arrival },
      .text("weekday", "`Mo` to `Su`") { $0.weekday },
      .lineBreak,
      .optionalText("day", "the date; NULL for a typical day") { $0.day },
      .text("time", "the time of the day") { $0.time },
      .optionalInteger("clock_change", "minutes that clocks are turned forward on that day; NULL for a typical day") {
        $0.clockChange
      },
    ])
}

extension DepartureRow {
  /// The column of its date, in a table of what was asked for several hours.
  enum DateColumn: String {
    case departure = "departure_date"
    case arrival = "expected_arrival_date"
  }

  var dateColumn: DateColumn { departure == nil ? .arrival : .departure }

  /// What the clocks show, of a job with departures or with arrivals.
  package var text: String { departure ?? arrival ?? "" }
}

extension ResultsDatabase {
  /// The hours of the job, by number; none where it has none.
  package func departures() throws -> [DepartureRow] {
    guard try database.hasTable(DepartureRow.table.name) else { return [] }
    return try database.rows(
      """
      SELECT departure, departure_date, expected_arrival_date, weekday, day, time, clock_change FROM departure
      ORDER BY departure
      """
    ) { row in
      DepartureRow(
        number: try row["departure"], departure: try row["departure_date"], arrival: try row["expected_arrival_date"],
        weekday: try row["weekday"], day: try row["day"], time: try row["time"], clockChange: try row["clock_change"])
    }
  }
}

extension DepartureRow: JournaledFields {
  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&number, &departure, &arrival, &weekday, &day, &time)
    try journal.visit(&clockChange)
  }
}
