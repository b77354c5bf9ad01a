import Tables

extension FigureKey {
  /// The names of the weights.
  package static let measures = FigureKey("measures")
}

extension ResultsFolder {
  package var access: String { file("access.geojson.gz") }
}

/// Kind `access`.
enum AccessResults: KindResults {
  static let tables =
    [
      AccessRow.view(date: .departure).description,
      ODView.view(to: "station_id", of: "access", date: .departure).description,
      MeasuredValue.table(hasHours: true).description,
      AccessCurveRow.table(hasHours: true).description, StationServiceRow.table(hasHours: true).description,
      LineServiceRow.table(hasHours: true).description, StationLineRow.table.description,
      PlaceWeightRow.table.description,
    ] + TransitTask.tables
  static let files = ["access.geojson.gz"] + RouteResults.files
  static let layer = GeoPackage.Layer(
    table: "access", geometry: .point, description: "Origins, and each of their nearest stations", isIndexed: false)

  /// - Parameter date: The column of the hours' dates; nil in a job without hours.
  static func creation(_ types: SQLTypes, date: DepartureRow.DateColumn?) -> String {
    let hasHours = date != nil
    let tables = [
      PlaceWeightRow.table.creation(types), AccessRow.table(hasHours: hasHours).creation(types),
      AccessRow.view(date: date).creation, MeasuredValue.table(hasHours: hasHours).creation(types),
      AccessCurveRow.table(hasHours: hasHours).creation(types),
      StationServiceRow.table(hasHours: hasHours).creation(types),
      LineServiceRow.table(hasHours: hasHours).creation(types), StationLineRow.table.creation(types),
      hasHours ? ServiceSums.table.creation(types) : "", Diagnosis.view(rows: nil).creation,
      ODView.view(to: "station_id", of: "access", date: date).creation,
    ]
    return tables.joined()
  }

  /// Created after all rows are written.
  static func indices(hasHours: Bool) -> String {
    "CREATE INDEX station_service_by_station ON station_service (station_id);"
      + (hasHours ? "\nCREATE INDEX access_row_by_departure ON access_row (departure) WHERE rank <= 1;" : "")
  }

  static func statusCounts(_ database: ResultsDatabase) throws -> [StatusCount] {
    try database.statusCounts(of: "access_row", where: "rank <= 1")
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    let hours = try database.departures().count
    let ofHour = hours > 0 ? "access_row.departure = access_share.departure AND rank <= 1 AND " : ""
    let name = hours > 0 ? "access_share.departure || ', ' || " : ""
    return [
      .chunks,
      SumCheck(
        "share within",
        """
        SELECT item, value AS found, expected FROM (SELECT \(name)threshold || ' s, ' || measure AS item, value, (
            SELECT coalesce(sum(CASE WHEN access_share.measure = 'origins' THEN 1.0 ELSE place_weight.value END), 0)
            FROM access_row JOIN place ON place.fid = origin_fid
            LEFT JOIN place_weight ON place_fid = origin_fid AND place_weight.measure = access_share.measure
            WHERE \(ofHour)rank = 1 AND milliseconds <= threshold * 1000 AND place.status <> 'outside_coverage') AS expected
          FROM access_share) WHERE abs(value - expected) > 1e-9 * abs(expected)
        """),
      SumCheck(
        "origins answered",
        """
        SELECT 'origins' AS item, (SELECT count(*) FROM access_row WHERE rank <= 1) AS found,
          (SELECT count(*) FROM place WHERE role = 'origin') * \(max(1, hours)) AS expected WHERE found <> expected
        """),
    ]
  }

  static let comparison = RowComparison(
    family: .access, dependsOnWholeInput: true,
    columns: """
      CAST(coalesce(new.id, old.id) AS TEXT) AS item, CAST(coalesce(new.id, old.id) AS TEXT) AS origin,
      NULL AS destination, NULL AS zone
      """,
    trips: TripQuery(
      byEnds: """
        origin_id || ', ' || station_id AS item, CAST(origin_id AS TEXT) AS origin,
        CAST(station_id AS TEXT) AS destination, NULL AS zone, status, expected_travel_time AS value FROM new.access
        WHERE rank > 0
        """)
  ) { run in
    """
    SELECT place_id AS id, row_number() OVER (PARTITION BY place_id ORDER BY access_row.fid) AS occurrence,
      access_row.status AS status, milliseconds / 1000.0 AS value, access_row.fid AS position
      FROM \(run).access_row JOIN \(run).place ON place.fid = origin_fid WHERE rank <= 1
    """
  }
}
