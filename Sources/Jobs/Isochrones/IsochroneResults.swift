import Tables

extension ResultsFolder {
  package var isochrones: String { file("isochrones.geojson.gz") }
  var reachedStreets: String { file("reached-streets.geojson.gz") }
}

/// Kind `isochrones`.
enum IsochroneResults: KindResults {
  static let tables =
    [
      IsochroneRow.table([.departure, .percentile]).description,
      TravelTimeGridRow.table([.departure, .percentile]).description,
    ] + TransitTask.tables
  static let files = ["isochrones.geojson.gz", "reached-streets.geojson.gz"]
  static let layer = GeoPackage.Layer(
    table: "isochrone", geometry: .multiPolygon, description: "Areas reached within each time")
  static let indices = "CREATE INDEX isochrone_by_place ON isochrone (place_id, threshold);"

  /// The areas of each threshold.
  static func measures(_ database: SQLite) throws -> [Measures] {
    var measures: [Int: Measures] = [:]
    for (threshold, area) in try database.rows(
      "SELECT threshold, area FROM isochrone WHERE area NOT NULL ORDER BY fid",
      decode: { (try $0["threshold"] as Int, try $0["area"] as Double) })
    {
      measures[threshold, default: Measures(scope: "threshold:\(threshold)")].add(area, to: .area)
    }
    return measures.sorted { $0.key < $1.key }.map(\.value)
  }

  static func statusCounts(_ database: ResultsDatabase) throws -> [StatusCount] {
    try database.statusCounts(of: "isochrone")
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    [
      .chunks,
      SumCheck(
        "areas of all places",
        """
        SELECT 'areas' AS item, (SELECT count(*) FROM isochrone) AS found, (SELECT count(*) FROM place WHERE role = 'origin')
          * (SELECT count(DISTINCT threshold) FROM isochrone) * \(max(1, try database.rowAxis().count)) AS expected
          WHERE found <> expected
        """),
    ]
  }

  static let comparison = RowComparison(
    family: .isochrones, comparesAreas: true,
    columns: """
      coalesce(new.id, old.id) || ', ' || coalesce(new.threshold, old.threshold) || ' s' AS item,
      CAST(coalesce(new.id, old.id) AS TEXT) AS origin, NULL AS destination, NULL AS zone
      """
  ) { run, number in
    """
    SELECT place_id AS id, threshold, threshold || '.' || row_number() OVER (
      PARTITION BY place_id, threshold ORDER BY fid) AS occurrence, status, area AS value, fid AS position,
      \(number) AS number FROM \(run).isochrone
    """
  }
}
