import Tables

/// View `od`: pairs and travel times only, with the column names of r5r and other tools.
enum ODView {
  /// - Parameters:
  ///   - time: Seconds; and a column with their type.
  ///   - source: The underlying view or table.
  ///   - date: The column of the hours' dates; nil in a job without hours.
  static func view(
    to destination: String = "destination_id", time: String = "expected_travel_time",
    like model: String = "expected_travel_time", of source: String, where condition: String = "",
    departure: String? = nil, date: DepartureRow.DateColumn?
  ) -> View {
    let hour: [View.Column] =
      date.map { date in
        [
          .init(
            "departure", .integer, "number in table `departure`; this and the next only in jobs with that table",
            as: departure),
          .init(date.rawValue, .moment, DepartureRow.dateText),
        ]
      } ?? []
    return View(
      "od", "pair (per leg if it has waypoints), cell or nearest station, and per departure if the job has several",
      [
        .init("from_id", .id, "`place_id` of the origin", as: "origin_id"),
        .init("to_id", .id, "`place_id` of the destination or station", as: destination),
      ] + hour + [
        .init(
          "travel_time_p50", .real, "minutes, as in r5r; NULL without a route",
          as: "\(time) / 60.0"),
        .init("travel_time", .real, "seconds; NULL without a route", as: time),
      ], from: source, where: condition, models: ["real": model])
  }
}

extension ODView {
  /// A view of a table or view with one row per place on an axis; for percentiles one row per pair, with a column for
  /// each.
  ///
  /// - Parameter pair: The columns that distinguish pairs.
  static func view(
    _ axis: RowAxis, to destination: String = "destination_id", of source: String, where condition: String = "",
    by pair: String
  ) -> View {
    guard case .percentiles(let percentiles) = axis else {
      return view(to: destination, of: source, where: condition, date: axis.dateColumn)
    }
    let times = percentiles.map {
      "max(CASE percentile WHEN \($0) THEN expected_travel_time END) / 60.0 AS p\($0)"
    }
    return view(
      percentiles, to: destination,
      of: """
        (SELECT origin_id, \(destination), \(times.joined(separator: ", ")) FROM \(source)
          \(condition.isEmpty ? "" : "WHERE \(condition) ")GROUP BY \(pair) ORDER BY min(fid))
        """)
  }

  /// A row per pair, with a column for each percentile.
  ///
  /// - Parameter source: A source with columns `p25` and so on, in minutes.
  static func view(_ percentiles: [Int], to destination: String, of source: String) -> View {
    View(
      "od", "pair",
      [
        .init("from_id", .id, "`place_id` of the origin", as: "origin_id"),
        .init("to_id", .id, "`place_id` of the destination or station", as: destination),
      ] + percentiles.map { .init("travel_time_p\($0)", .real, "minutes", as: "p\($0)") }, from: source)
  }
}
