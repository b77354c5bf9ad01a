import Geography
import Tables

extension ResultsFolder {
  package var routes: String { file("routes.geojson.gz") }
}

/// Kind `routes`, and what it shares with `etas`.
enum RouteResults: KindResults {
  static let tables = [
    RouteRow.table(hasHours: true, hasTimes: true, hasHeights: true).description,
    StepRow.view(hasHours: true, hasHeights: true).description,
    od(hasHours: true).description,
    PairTotal.view(hasHours: true).description,
  ]
  static let files = ["routes.geojson.gz"]
  static let routeLayer = GeoPackage.Layer(table: "route", geometry: .lineString, description: "Routes")
  static func stepLayer(extent: BoundingBox) -> GeoPackage.Layer {
    GeoPackage.Layer(
      table: "step", geometry: .point, description: "Where each step of a route begins", isIndexed: false,
      extent: extent)
  }

  static func creation(_ types: SQLTypes, _ content: RouteWriter.Content) -> String {
    content.table.creation(types) + PhraseRow.table.creation(types)
      + StepRow.table(hasHours: content.hasHours, hasHeights: content.hasHeights).creation(types)
      + StepRow.view(hasHours: content.hasHours, hasHeights: content.hasHeights).creation
      + PairTotal.view(hasHours: content.hasHours).creation
  }

  /// How many of the best routes wait for long.
  static func longWaits(_ database: SQLite) throws -> Int {
    try database.value("SELECT count(*) FROM route WHERE alternative = 0 AND waiting_time > \(LongWait.seconds)")
  }

  static func od(hasHours: Bool) -> View {
    ODView.view(of: "route", where: "alternative = 0", date: hasHours ? .departure : nil)
  }

  /// Made when all rows are there.
  static func indices(hasHours: Bool) -> String {
    """
    CREATE INDEX route_by_pair ON route (pair_id, \(hasHours ? "departure, " : "")leg, alternative);
    CREATE INDEX step_by_pair ON step_row (pair_id);
    """
  }

  /// The phrases in the order of their ids.
  static func phrases(_ database: SQLite) throws -> [PhraseRow] {
    try database.rows(
      "SELECT instructions, notice, transport_type, maneuver, street FROM phrase ORDER BY phrase_id"
    ) { row in
      PhraseRow(
        instructions: try row["instructions"], notice: try row["notice"], transportType: try row["transport_type"],
        maneuver: try row["maneuver"], street: try row["street"])
    }
  }

  /// The measures of all routes, and of each group. Of the best routes: alternates would count a pair several times.
  static func measures(_ database: SQLite, _ steps: StepTotals) throws -> [Measures] {
    var job = Measures(scope: "job")
    job.reserveCapacity(try database.value("SELECT coalesce(max(fid), 0) FROM route"), for: [.speed, .detour])
    var measures = ["job": job]
    let routes = try database.prepare(
      """
      SELECT pair_group, distance, expected_travel_time, crow_fly_distance, step_count FROM route
      WHERE alternative = 0 AND status = 'ok' ORDER BY fid
      """)
    let columns = try ["pair_group", "distance", "expected_travel_time", "crow_fly_distance", "step_count"].map(
      routes.index)
    while try routes.next() {
      let (distance, time, straight): (Double, Double, Double) = (
        try routes.value(at: columns[1]), try routes.value(at: columns[2]), try routes.value(at: columns[3])
      )
      var measured: [(Statistic.Measure, Double)] = [(.distance, distance), (.expectedTravelTime, time)]
      if time > 0 { measured.append((.speed, distance / time)) }
      if straight > 0 { measured.append((.detour, distance / straight)) }
      if let count: Int = try routes.value(at: columns[4]) { measured.append((.stepCount, Double(count))) }
      let group: String? = try routes.value(at: columns[0])
      for scope in Measures.scopes(of: group) {
        for (measure, value) in measured { measures[scope, default: Measures(scope: scope)].add(value, to: measure) }
      }
    }
    return measures.values.sorted { $0.scope < $1.scope }.map(steps.joining)
  }

  static func statusCounts(_ database: ResultsDatabase) throws -> [StatusCount] {
    try database.statusCounts(
      "SELECT status, count(*) AS count FROM route WHERE alternative = 0 GROUP BY status ORDER BY status")
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    let parts = [
      ("distance of steps", "round(distance * 100)", "centimetres"),
      ("travel time of steps", "round(expected_travel_time * 1000)", "milliseconds"),
      ("number of steps", "step_count", "1"),
    ]
    return ETAResults.sums
      + parts.map { name, whole, part in
        SumCheck(
          name,
          """
          SELECT 'pair ' || pair_id AS item, whole AS found, coalesce(parts, 0) AS expected FROM
            (SELECT pair_id, alternative, sum(\(whole)) AS whole FROM route WHERE status = 'ok' GROUP BY 1, 2)
            LEFT JOIN (SELECT pair_id, alternative, sum(\(part)) AS parts FROM step_row GROUP BY 1, 2)
            USING (pair_id, alternative) WHERE whole <> coalesce(parts, 0)
          """)
      }
  }

  static let comparison = RowComparison(
    family: .routes,
    columns: """
      CAST(coalesce(new.id, old.id) AS TEXT) AS item, CAST(coalesce(new.origin_id, old.origin_id) AS TEXT) AS origin,
      CAST(coalesce(new.destination_id, old.destination_id) AS TEXT) AS destination,
      coalesce(new.pair_group, old.pair_group) AS zone
      """,
    trips: TripQuery(
      byEnds: """
        CAST(pair_id AS TEXT) AS item, CAST(origin_id AS TEXT) AS origin, CAST(destination_id AS TEXT) AS destination,
        pair_group AS zone, status, expected_travel_time AS value FROM new.route WHERE alternative = 0 ORDER BY fid
        """,
      byPairs: """
        CAST(pair_id AS TEXT) AS item, CAST(pair_id AS TEXT) AS origin, NULL AS destination, pair_group AS zone, status,
        expected_travel_time AS value FROM new.pair_total ORDER BY pair_id, 1
        """)
  ) { run in
    """
    SELECT pair_id AS id, row_number() OVER (PARTITION BY pair_id ORDER BY fid) AS occurrence, origin_id,
      destination_id, pair_group, status, expected_travel_time AS value, fid AS position
      FROM \(run).route WHERE alternative = 0
    """
  }
}

/// Kind `etas`: routes without steps and shapes.
enum ETAResults: KindResults {
  static let tables = RouteResults.tables
  static let files: [String] = []
  static let comparison = RouteResults.comparison

  static func statusCounts(_ database: ResultsDatabase) throws -> [StatusCount] {
    try RouteResults.statusCounts(database)
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] { sums }

  static let sums: [SumCheck] =
    [SumCheck.chunks]
    + ["distance", "expected_travel_time"].flatMap { measure in
      SumCheck.statistic(measure, of: "SELECT \(measure) FROM route WHERE alternative = 0 AND status = 'ok'")
    }
}
