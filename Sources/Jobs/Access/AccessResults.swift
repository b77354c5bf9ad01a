import Tables

extension FigureKey {
  /// The names of the weights.
  package static let measures = FigureKey("measures")
}

extension ResultsFolder {
  package var access: String { file("access.geojson.gz") }
}

/// The results of kind `access`.
enum AccessResults: KindResults {
  static let tables =
    [
      AccessRow.view(axis, date: .departure).description,
      View.od(to: "station_id", of: "access", date: .departure).description,
      shares(axis).description,
      curves(axis).description, stationServices(axis).description,
      lineServices(axis).description, stationLines.description,
      weights.description,
    ] + TransitTask.tables
  private static let axis: [RowAxis.Column] = [.departure, .percentile]
  static let weights = Table<(place: Int, measure: String, value: Double)>(
    "place_weight", "weight of an origin", key: ["place_fid", "measure"],
    [
      .integer("place_fid", "`fid` of the origin in `place`") { $0.place },
      .text("measure", "name of the weight column") { $0.measure },
      .real("value", "weight of the origin") { $0.value },
    ])
  static let stationLines = Table<(station: Identifier, line: String)>(
    "station_line", "line that serves a station",
    [
      .optionalID("station_id", "`place_id` of the station") { $0.station },
      .text("line", "name of the line, as in `line_service`") { $0.line },
    ])
  static func files(in folder: ResultsFolder) -> [String] { [folder.access, folder.routes] }
  static let layer = GeoPackage.Layer(
    table: "access", geometry: .point, description: "Origins and their nearest stations", isIndexed: false)

  static func creation(_ types: SQLTypes, _ axis: RowAxis) -> String {
    let (columns, date) = (axis.columns, axis.dateColumn)
    let tables = [
      weights.creation(types), AccessRow.table(columns).creation(types),
      AccessRow.view(columns, date: date).creation, shares(columns).creation(types),
      curves(columns).creation(types), stationServices(columns).creation(types),
      lineServices(columns).creation(types), stationLines.creation(types),
      axis.column == nil ? "" : ServiceSums.table.creation(types), View.diagnosis(rows: nil).creation,
      View.od(axis, to: "station_id", of: "access", by: "access.origin_id, access.station_id").creation,
    ]
    return tables.joined()
  }

  /// Returns the SQL of the indices to create once all rows are written.
  static func indices(_ axis: RowAxis) -> String {
    "CREATE INDEX station_service_by_station ON station_service (station_id);"
      + (axis.column.map {
        "\nCREATE INDEX access_row_by_\($0.rawValue) ON access_row (\($0.rawValue)) WHERE rank <= 1;"
      } ?? "")
  }

  static let noun = "origin"
  static let countedRows: String? = "access_row WHERE rank <= 1"
  static func sentence(_ headline: Headline) throws -> String { try headline.access() }
  static func figure(_ results: ResultsDatabase) throws -> RunHistory.Figure {
    guard let (measure, threshold, shares) = try results.mainShare else {
      return (nil, nil, "share", .share, "")
    }
    return (
      shares.reduce(0) { $0 + ($1.share ?? 0) } / Double(shares.count), nil,
      "share of \(results.record.unit(of: measure)) within \(Format.minutes(Double(threshold))) min", .share,
      "\(measure) \(threshold)"
    )
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    let axis = try database.rowAxis()
    let hours = axis.count
    let hourCondition =
      axis.column.map { "access_row.\($0.rawValue) = access_share.\($0.rawValue) AND rank <= 1 AND " } ?? ""
    let hourPrefix = axis.column.map { "access_share.\($0.rawValue) || ', ' || " } ?? ""
    let item = "\(hourPrefix)threshold || ' s, ' || measure AS item"
    return [
      .chunks,
      SumCheck(
        "share within",
        """
        SELECT item, value AS found, expected FROM (SELECT \(item), value, (
            SELECT coalesce(sum(CASE WHEN access_share.measure = 'origins' THEN 1.0 ELSE place_weight.value END), 0)
            FROM access_row JOIN place ON place.fid = origin_fid
            LEFT JOIN place_weight ON place_fid = origin_fid AND place_weight.measure = access_share.measure
            WHERE \(hourCondition)rank = 1 AND milliseconds <= threshold * 1000
              AND place.status <> 'outside_coverage') AS expected
          FROM access_share) WHERE abs(value - expected) > 1e-9 * abs(expected)
        """),
      SumCheck(
        "total",
        """
        SELECT \(item), total AS found, coalesce(whole, 0) AS expected FROM access_share LEFT JOIN (
          SELECT 'origins' AS measure, count(*) AS whole FROM place WHERE role = 'origin' AND status <> 'outside_coverage'
          UNION ALL SELECT measure, sum(value) FROM place_weight JOIN place ON place.fid = place_fid
            WHERE status <> 'outside_coverage' GROUP BY measure) USING (measure)
        WHERE abs(found - expected) > 1e-9 * abs(expected)
        """),
      SumCheck(
        "share of the total",
        """
        SELECT \(item), share AS found, value / nullif(total, 0) AS expected FROM access_share
        WHERE found IS NOT expected AND abs(found - expected) <= 1e-9 IS NOT TRUE
        """),
      SumCheck(
        "origins with rows",
        """
        SELECT 'origins' AS item, (SELECT count(*) FROM access_row WHERE rank <= 1) AS found,
          (SELECT count(*) FROM place WHERE role = 'origin') * \(max(1, hours)) AS expected WHERE found <> expected
        """),
    ]
  }

  static let comparison = RowComparison(
    family: .access, dependsOnWholeInput: true,
    trips: TripQuery(
      table: "access",
      byEnds: """
        origin_id || ', ' || station_id AS item, CAST(origin_id AS TEXT) AS origin,
        CAST(station_id AS TEXT) AS destination, NULL AS zone, status, expected_travel_time AS value FROM new.access
        WHERE rank > 0
        """)
  ) { run, number in
    """
    SELECT CAST(place_id AS TEXT) AS id,
      row_number() OVER (PARTITION BY place_id ORDER BY \(number), access_row.fid) AS occurrence,
      CAST(place_id AS TEXT) AS item, CAST(place_id AS TEXT) AS origin, NULL AS destination, NULL AS zone,
      access_row.status AS status, milliseconds / 1000.0 AS value, access_row.fid AS position, \(number) AS number
      FROM \(run).access_row JOIN \(run).place ON place.fid = origin_fid WHERE rank <= 1
    """
  }
}
