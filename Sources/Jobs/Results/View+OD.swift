import Tables

extension View {
  /// Returns view `od`: pairs and travel times only, with the column names of r5r and other tools.
  ///
  /// - Parameters:
  ///   - time: The time in seconds; `model` is a column of the same type.
  ///   - source: The underlying view or table.
  ///   - date: The column of the hours' dates; nil in a job without hours.
  static func od(
    to destination: String = "destination_id", time: String = "expected_travel_time",
    like model: String = "expected_travel_time", of source: String, where condition: String = "",
    departure: String? = nil, date: DepartureRow.DateColumn?
  ) -> View {
    View(
      "od", "pair (per leg if it has waypoints), cell or nearest station, and per departure if the job has several",
      [
        .init("from_id", .id, "`place_id` of the origin", as: "origin_id"),
        .init("to_id", .id, "`place_id` of the destination or station", as: destination),
      ] + View.Column.hour(date, as: departure, "like the date, only in jobs with that table") + [
        .init("travel_time_p50", .real, minutesNote, as: "\(time) / 60.0"),
        .init("travel_time", .real, "seconds; NULL without a route", as: time),
      ], from: source, where: condition, models: ["real": model])
  }

  /// Returns view `od` of a table or view with one row per position on an axis; for percentiles one row per pair, with
  /// a column for each.
  ///
  /// - Parameter pair: The columns that distinguish pairs.
  static func od(
    _ axis: RowAxis, to destination: String = "destination_id", of source: String, where condition: String = "",
    by pair: String
  ) -> View {
    guard case .percentiles(let percentiles) = axis else {
      return od(to: destination, of: source, where: condition, date: axis.dateColumn)
    }
    let times = percentiles.map { "max(CASE percentile WHEN \($0) THEN expected_travel_time END) AS p\($0)" }
    return od(
      percentiles, to: destination,
      of: """
        (SELECT origin_id, \(destination), \(times.joined(separator: ", ")) FROM \(source)
          \(condition.isEmpty ? "" : "WHERE \(condition) ")GROUP BY \(pair) ORDER BY min(fid))
        """, like: "expected_travel_time", in: source)
  }

  /// Returns a view with one row per pair and a column for each percentile.
  ///
  /// - Parameters:
  ///   - source: A source with columns `p25` and so on, in seconds.
  ///   - tables: The source's tables; `model` is a column of these with the type of the times.
  static func od(
    _ percentiles: [Int], to destination: String, of source: String, like model: String, in tables: String
  ) -> View {
    View(
      "od", "pair",
      [
        .init("from_id", .id, "`place_id` of the origin", as: "origin_id"),
        .init("to_id", .id, "`place_id` of the destination or station", as: destination),
      ] + percentiles.map(odColumn), from: source, models: ["real": model], modelSource: tables)
  }

  private static let minutesNote = "minutes, as in r5r; NULL without a route; with `percentiles`, a column for each"

  private static func odColumn(_ percentile: Int) -> View.Column {
    .init("travel_time_p\(percentile)", .real, minutesNote, as: "p\(percentile) / 60.0")
  }

  /// The columns of all percentiles except the median, which is described with the view without percentiles.
  static var otherODPercentiles: TableDescription {
    View("od", "pair", (0...100).filter { $0 != 50 }.map(odColumn), from: "").description
  }
}

extension View.Column {
  /// Returns the columns of an hour's number and date; none in a job without hours.
  static func hour(
    _ date: DepartureRow.DateColumn?, as number: String?, _ note: String = "only in jobs with that table"
  ) -> [View.Column] {
    guard let date else { return [] }
    return [
      .init("departure", .integer, "number in table `departure`; \(note)", as: number),
      .init(date.rawValue, .moment, DepartureRow.dateText),
    ]
  }
}
