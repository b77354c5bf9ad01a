import Tables

/// A row of table `departure`: an hour of a job. The table exists in jobs with hours.
package struct DepartureRow: Sendable {
  /// The number of the hour, from 1.
  package var number = 0
  package var departure: String?
  package var arrival: String?
  package var weekday = ""
  package var day: String?
  package var time = ""
  /// Minutes by which clocks are turned forward on the day; nil for a typical day.
  var clockChange: Int?

  static let table = Table<DepartureRow>(
    "departure", "departure, in jobs with departure or arrival times",
    [
      .key("departure", "number from 1, by day in the order of `week`, then in the order of the job file") {
        $0.number
      },
      .optionalMoment("departure_date", "start of trips, local time; `Mo 07:00`, as text, on a typical day") {
        $0.departure
      },
      .optionalMoment("expected_arrival_date", "end of trips, in jobs with arrivals") { $0.arrival },
      .text("weekday", "`Mo` to `Su`") { $0.weekday },
      .lineBreak,
      .optionalText("day", "date; NULL for a typical day") { $0.day },
      .text("time", "time of day") { $0.time },
      .optionalInteger("clock_change", "minutes by which clocks are turned forward on that day; NULL for a typical day")
      {
        $0.clockChange
      },
    ])
}

extension DepartureRow {
  /// The column for the date of an hour, in tables with a row per hour.
  enum DateColumn: String {
    case departure = "departure_date"
    case arrival = "expected_arrival_date"
  }

  /// The description of the date column.
  static let dateText = "date in table `departure`; called `expected_arrival_date` in jobs with arrivals"

  var dateColumn: DateColumn { departure == nil ? .arrival : .departure }

  /// The local time of departure or arrival.
  package var text: String { departure ?? arrival ?? "" }
}

extension ResultsDatabase {
  /// Returns the hours of the job, by number; empty without hours.
  package func departures() throws -> [DepartureRow] {
    guard try database.hasTable(DepartureRow.table.name) else { return [] }
    return try database.rows("\(DepartureRow.table.query) ORDER BY departure") { row in
      DepartureRow(
        number: try row["departure"], departure: try row["departure_date"], arrival: try row["expected_arrival_date"],
        weekday: try row["weekday"], day: try row["day"], time: try row["time"], clockChange: try row["clock_change"])
    }
  }
}
