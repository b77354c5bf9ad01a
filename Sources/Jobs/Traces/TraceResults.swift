import Tables

extension ResultsFolder {
  package var traces: String { file("traces.geojson.gz") }
  package var fixes: String { file("fixes.csv.gz") }
  var observedSpeeds: String { file("observed_speeds.csv.gz") }
}

/// The results of kind `traces`.
enum TraceResults: KindResults {
  static let tables = [
    TraceRow.table.description, FixRow.view.description, TracePartRow.table.description,
    TraceStreetRow.view.description, StreetUsedRow.table.description, StopRow.table.description,
    ObservedSpeedRow.table.description,
  ]
  static func files(in folder: ResultsFolder) -> [String] {
    [folder.traces, folder.fixes, folder.observedSpeeds]
  }
  static let layers = [
    GeoPackage.Layer(table: "trace", geometry: .lineString, description: "Traces: kept fixes"),
    GeoPackage.Layer(table: "trace_part", geometry: .lineString, description: "Traces matched to streets"),
    GeoPackage.Layer(table: "street_used", geometry: .lineString, description: "Streets passed by traces"),
    GeoPackage.Layer(table: "stop", geometry: .point, description: "Stops of traces"),
  ]

  static func creation(_ types: SQLTypes) -> String {
    TraceRow.table.creation(types) + FixRow.table.creation(types) + FixRow.view.creation
      + TracePartRow.table.creation(types) + TraceStreetRow.table.creation(types) + TraceStreetRow.view.creation
      + StreetUsedRow.table.creation(types) + StopRow.table.creation(types) + ObservedSpeedRow.table.creation(types)
      + Distributions.table.creation(types) + View.diagnosis(rows: nil).creation
  }

  /// The index to create before the statistics, which need it.
  static let traceIndex = "CREATE INDEX trace_by_id ON trace (trace_id);"
  /// The indices to create once all rows are written.
  static let indices = """
    CREATE INDEX trace_part_by_trace ON trace_part (trace_id, part);
    CREATE INDEX stop_by_trace ON stop (trace_id, n);
    CREATE INDEX fix_by_trace ON fix_row (trace_fid);
    CREATE INDEX trace_street_by_trace ON trace_street_row (trace_fid);
    CREATE INDEX observed_speed_by_street ON observed_speed (street_fid);
    """

  static let noun = "trace"
  static let countedRows: String? = "trace WHERE true"
  static func inputRows(_ results: ResultsDatabase) throws -> Int { results.record.figures.integer(.rows) ?? 0 }
  static func sentence(_ headline: Headline) throws -> String { try headline.traces() }
  static func figure(_ results: ResultsDatabase) throws -> RunHistory.Figure {
    let ratio = try results.typical(.timeRatio)?.quantiles
    return (ratio?[3], ratio?[5], "time / expected time", .ratio, "")
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    let hasFixes = database.record.identity.text(.fixes) == "table"
    return [.chunks]
      + ["distance", "expected_travel_time", "time_ratio", "detour"].flatMap { measure in
        SumCheck.statistic(measure, of: "SELECT \(measure) FROM trace WHERE status = 'ok' AND \(measure) NOT NULL")
      }
      + [
        parts("distance of parts", "round(distance * 100)"),
        parts("expected time of parts", "round(expected_travel_time * 1000)"),
        streets("distance of streets", "round(distance * 100)", "to_cm - from_cm"),
        streets("expected time of streets", "round(expected_travel_time * 1000)", "expected_ms"), times, used, speeds,
        reasons,
      ] + (hasFixes ? fixes : [])
  }

  /// Returns a check that a trace's value is the sum of its parts' values.
  private static func parts(_ name: String, _ value: String) -> SumCheck {
    SumCheck(
      name,
      """
      SELECT 'trace ' || trace_id AS item, whole AS found, parts AS expected FROM
        (SELECT trace_id, sum(\(value)) AS whole FROM trace WHERE part_count > 0 GROUP BY 1)
        LEFT JOIN (SELECT trace_id, sum(\(value)) AS parts FROM trace_part GROUP BY 1) USING (trace_id)
        WHERE whole IS NOT parts
      """)
  }

  /// Returns a check that a trace's value is the sum of its streets' values.
  private static func streets(_ name: String, _ whole: String, _ street: String) -> SumCheck {
    SumCheck(
      name,
      """
      SELECT 'trace ' || trace_id AS item, \(whole) AS found, streets AS expected FROM trace
        LEFT JOIN (SELECT trace_fid, sum(\(street)) AS streets FROM trace_street_row GROUP BY 1) ON trace_fid = fid
        WHERE part_count > 0 AND \(whole) IS NOT streets
      """)
  }

  /// Moving and dwell time must not exceed the observed time, and must equal it if the parts cover the whole trace.
  private static let times = SumCheck(
    "moving and dwell time",
    """
    SELECT 'trace ' || trace_id AS item, found, whole AS expected FROM
      (SELECT trace_id, sum(round(moving_time * 1000) + round(dwell_time * 1000)) AS found,
        sum(round(observed_time * 1000)) AS whole FROM trace WHERE moving_time NOT NULL GROUP BY 1)
      JOIN (SELECT trace_id, sum(round(observed_time * 1000)) AS parts FROM trace_part GROUP BY 1) USING (trace_id)
      WHERE found > whole OR found < whole AND parts = whole
    """)

  private static let reasons = SumCheck(
    "reasons of fixes",
    """
    SELECT 'trace ' || trace_id AS item, fix_count AS found,
      matched_count + \(UnmatchedFixes.reasons.map { "\($0.name)_count" }.joined(separator: " + ")) AS expected
    FROM trace WHERE found <> expected
    """)

  private static let used = SumCheck(
    "streets used",
    """
    SELECT 'street_used' AS item, (SELECT count(*) FROM street_used) AS found,
      (SELECT count(DISTINCT street >> 1) FROM trace_street_row) AS expected WHERE found <> expected
    """)

  private static let speeds = SumCheck(
    "passes of streets",
    """
    SELECT 'observed_speed' AS item, (SELECT coalesce(sum(passes), 0) FROM observed_speed) AS found,
      (SELECT count(*) FROM trace_street_row JOIN street_used ON street_used.fid = street >> 1
        WHERE period NOT NULL AND observed_ms > 0 AND expected_ms > 0 AND to_cm > from_cm
          AND 2 * (to_cm - from_cm) >= round(length * 100)) AS expected WHERE found <> expected
    """)

  private static let fixes = [("fixes of traces", "fix_count", "count(*)"), ("kept fixes", "kept_count", "sum(kept)")]
    .map {
      SumCheck(
        $0,
        """
        SELECT 'trace ' || trace_id AS item, \($1) AS found, fixes AS expected FROM trace
          LEFT JOIN (SELECT trace_fid, \($2) AS fixes FROM fix_row GROUP BY 1) ON trace_fid = fid
          WHERE \($1) <> coalesce(fixes, 0)
        """)
    }

  static let comparison = RowComparison(family: .traces) { run, number in
    """
    SELECT CAST(trace_id AS TEXT) AS id, row_number() OVER (PARTITION BY trace_id ORDER BY fid) AS occurrence,
      CAST(trace_id AS TEXT) AS item, CAST(trace_id AS TEXT) AS origin, NULL AS destination, trace_group AS zone, status,
      expected_travel_time AS value, fid AS position, \(number) AS number FROM \(run).trace
    """
  }
}

extension Headline {
  func traces() throws -> String {
    let counts = try results.statusCounts()
    let start = "\(Format.count(counts.ok)) of \(Format.count(counts.total, "trace")) followed \(try travelling)"
    guard let ratio = try results.typical(.timeRatio) else {
      guard counts.ok > 0, let totals = try results.traceTotals() else { return "\(start)." }
      return "\(start), along \(Format.length(totals.distance)) of streets."
    }
    let hours = try results.statistics().filter { $0.measure == .timeRatio && $0.scope.hasPrefix("hour:") }
    let slowest = hours.filter { $0.count >= Headline.minimumTraces }.max { $0.quantiles[3] < $1.quantiles[3] }
    let hour = slowest.map { ", \(Format.decimal($0.quantiles[3], 2)) at \($0.scope.dropFirst("hour:".count)):00" }
    let times =
      "\(counts.ok == 1 ? "it" : "they") took \(Format.decimal(ratio.quantiles[3], 2)) times the expected time"
    return "\(start); \(times)\(hours.count > 1 ? hour ?? "" : "")."
  }

  /// The minimum number of traces in an hour that the sentence may name.
  private static let minimumTraces = 5
}
