import Tables

/// The statistics of traces: of the job, of each group, and of each hour in which traces, or their stops, begin. Values are sorted by the
/// database, so that those of one scope alone are in memory.
struct TraceStatistics {
  private let database: SQLite
  private let insertStatistic: Insert<Statistic>
  private let insertBin: Insert<HistogramRow>

  init(_ database: SQLite) throws {
    self.database = database
    insertStatistic = try Insert(into: Statistic.table, of: database)
    insertBin = try Insert(into: HistogramRow.table, of: database)
  }

  /// What is measured, and of which rows.
  private static let sources: [(measure: Statistic.Measure, value: String, rows: String)] = [
    (.distance, "distance", "trace"), (.expectedTravelTime, "expected_travel_time", "trace"),
    (.speed, "distance / nullif(moving_time, 0)", "trace"), (.detour, "detour", "trace"),
    (.timeRatio, "time_ratio", "trace"), (.sigma, "CASE WHEN part_count > 0 THEN sigma END", "trace"),
    (.dwellTime, "seconds", stops),
  ]

  /// Stops in the groups of their traces and hours of their own, from the time within "2013-07-01T08:00:58+01:00".
  private static let stops = """
    (SELECT seconds, trace_group, CAST(substr(stop.arrival_date, 12, 2) AS INTEGER) AS hour
      FROM stop JOIN trace USING (trace_id))
    """

  func write() throws {
    for (measure, value, rows) in TraceStatistics.sources {
      let values = try database.prepare(
        """
        SELECT scope, value FROM (
          SELECT 'job' AS scope, \(value) AS value FROM \(rows)
          UNION ALL SELECT 'group:' || trace_group, \(value) FROM \(rows)
          UNION ALL SELECT printf('hour:%02d', hour), \(value) FROM \(rows) WHERE hour NOT NULL)
        WHERE scope NOT NULL AND value NOT NULL ORDER BY scope, value
        """)
      var measures: Measures?
      while try values.next() {
        let scope: String = try values["scope"]
        if let done = measures, done.scope != scope {
          try write(done)
          measures = nil
        }
        measures = measures ?? Measures(scope: scope)
        measures?.add(try values["value"], to: measure)
      }
      if let measures { try write(measures) }
    }
  }

  private func write(_ measures: Measures) throws {
    for (statistic, histogram) in measures.summarize() {
      try insertStatistic(statistic)
      for row in histogram?.rows ?? [] { try insertBin(row) }
    }
  }
}
