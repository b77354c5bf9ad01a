import Geography
import Tables

extension ResultsFolder {
  package var routes: String { file("routes.geojson.gz") }
}

/// The results of kind `routes`, and the parts shared with `etas`.
enum RouteResults: PairResults {
  static let tables = trips + [RideRow.table([.departure, .percentile]).description] + TransitTask.tables
  /// The tables of both kinds.
  fileprivate static let trips = [
    RouteRow.table([.departure, .percentile], hasTimes: true, hasHeights: true, hasRides: true).description,
    StepRow.view([.departure, .percentile], hasHeights: true).description,
    View.od(of: "route", where: "alternative = 0", date: .departure).description,
    View.pairTotal([.departure, .percentile]).description, FlowRow.table.description,
  ]
  static func files(in folder: ResultsFolder) -> [String] { [folder.routes] }
  static let routeLayer = GeoPackage.Layer(table: "route", geometry: .lineString, description: "Routes")
  static func stepLayer(extent: BoundingBox) -> GeoPackage.Layer {
    GeoPackage.Layer(
      table: "step", geometry: .point, description: "Starts of route steps", isIndexed: false, extent: extent)
  }

  static func creation(_ types: SQLTypes, _ content: RouteWriter.Content) -> String {
    content.table.creation(types) + PhraseRow.table.creation(types)
      + StepRow.table(content.axis.columns, hasHeights: content.hasHeights).creation(types)
      + StepRow.view(content.axis.columns, hasHeights: content.hasHeights).creation
      + View.pairTotal(content.axis.columns).creation
      + (content.hasRideRows ? RideRow.table(content.axis.columns).creation(types) : "")
      + (content.hasFlows ? FlowRow.table.creation(types) + FlowSums.table.creation(types) : "")
  }

  /// Returns the number of best routes with long waits.
  static func longWaits(_ database: SQLite, where condition: String = "1") throws -> Int {
    try database.value(
      "SELECT count(*) FROM route WHERE alternative = 0 AND waiting_time > \(LongWait.seconds) AND \(condition)")
  }

  static func od(_ axis: RowAxis) -> View {
    let condition = "alternative = 0"
    // Rows have a departure even in jobs with arrivals.
    if case .departures = axis { return View.od(of: "route", where: condition, date: .departure) }
    return View.od(axis, of: "route", where: condition, by: "pair_id, origin_id, destination_id")
  }

  /// Returns the SQL of the indices to create once all rows are written.
  static func indices(_ content: RouteWriter.Content) -> String {
    """
    CREATE INDEX route_by_pair ON route (pair_id\(RowAxis.Column.list(content.axis.column)), leg, alternative);
    CREATE INDEX step_by_pair ON step_row (pair_id);
    \(content.hasRideRows ? "CREATE INDEX ride_by_pair ON ride (pair_id);" : "")
    """
  }

  /// Returns the phrases in the order of their ids.
  static func phrases(_ database: SQLite) throws -> [PhraseRow] {
    try database.rows("\(PhraseRow.table.query) ORDER BY phrase_id") { row in
      PhraseRow(
        instructions: try row["instructions"], notice: try row["notice"], transportType: try row["transport_type"],
        maneuver: try row["maneuver"], street: try row["street"])
    }
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    let parts = [
      ("distance of steps", "round(distance * 100)", "centimetres"),
      ("travel time of steps", "round(expected_travel_time * 1000)", "milliseconds"),
      ("number of steps", "step_count", "1"),
    ]
    let isTransit = database.record.identity[.transportType] == Job.transitName
    return ETAResults.sums
      + (isTransit ? [ETAResults.parts, ridingTimes(try database.rowAxis().column), rideDistances] : [])
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

  /// Returns a check that the times of rides add up to the riding time, which includes waits of riders who stay seated.
  private static func ridingTimes(_ axis: RowAxis.Column?) -> SumCheck {
    let key = "pair_id" + RowAxis.Column.list(axis)
    // Rows with their own times have no hour.
    let hourCondition = axis.map { " AND trip.\($0.rawValue) IS ridden.\($0.rawValue)" } ?? ""
    let second = { (column: String) in "CAST(strftime('%s', \(column)) AS INTEGER)" }
    return SumCheck(
      "riding_time",
      """
      SELECT 'pair ' || trip.pair_id AS item, riding_time AS found, coalesce(parts, 0) AS expected FROM
        (SELECT \(key), riding_time FROM route WHERE status = 'ok') AS trip
        LEFT JOIN (SELECT \(key), sum(arrival - start) AS parts FROM
            (SELECT \(key), \(second("arrival_date")) AS arrival,
              CASE WHEN stays_seated
                THEN lag(\(second("arrival_date"))) OVER (PARTITION BY \(key) ORDER BY fid)
                ELSE \(second("departure_date")) END AS start FROM ride)
          GROUP BY \(key)) AS ridden
        ON trip.pair_id = ridden.pair_id\(hourCondition) WHERE round(riding_time) <> coalesce(parts, 0)
      """)
  }

  /// The check that rides are as long as their steps.
  private static let rideDistances = SumCheck(
    "distance of rides",
    """
    SELECT 'pair ' || pair_id AS item, ridden / 100.0 AS found, stepped / 100.0 AS expected FROM
      (SELECT pair_id, sum(centimetres) AS stepped FROM step_row JOIN phrase USING (phrase_id)
        WHERE transport_type = '\(Job.transitName)' GROUP BY 1)
      LEFT JOIN (SELECT pair_id, sum(round(distance * 100)) AS ridden FROM ride GROUP BY 1) USING (pair_id)
    WHERE ridden IS NOT stepped
    """)

  static let comparison = RowComparison(
    family: .routes,
    trips: TripQuery(
      table: "route",
      byEnds: """
        pair_id || iif(leg > 1, ', leg ' || leg, '') AS item, CAST(origin_id AS TEXT) AS origin,
        CAST(destination_id AS TEXT) AS destination, pair_group AS zone, status, expected_travel_time AS value
        FROM new.route WHERE alternative = 0 ORDER BY fid
        """,
      byPairs: """
        CAST(pair_id AS TEXT) AS item, CAST(pair_id AS TEXT) AS origin, NULL AS destination, pair_group AS zone, status,
        expected_travel_time AS value FROM new.pair_total ORDER BY pair_id, 1
        """)
  ) { run, number in
    """
    SELECT CAST(pair_id AS TEXT) AS id, row_number() OVER (PARTITION BY pair_id ORDER BY \(number), fid) AS occurrence,
      pair_id || iif(leg > 1, ', leg ' || leg, '') AS item, CAST(origin_id AS TEXT) AS origin,
      CAST(destination_id AS TEXT) AS destination, pair_group AS zone, status, expected_travel_time AS value,
      fid AS position, \(number) AS number FROM \(run).route WHERE alternative = 0
    """
  }
}

/// The results of kind `etas`: routes without steps and shapes.
enum ETAResults: PairResults {
  static let tables = RouteResults.trips + TransitTask.tables
  static func files(in folder: ResultsFolder) -> [String] { [] }
  static let comparison = RouteResults.comparison

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    sums + (database.record.identity[.transportType] == Job.transitName ? [parts] : [])
  }

  /// The check that the parts of a transit trip's time add up to the millisecond.
  fileprivate static let parts = SumCheck(
    "parts of the travel time",
    """
    SELECT 'pair ' || pair_id AS item, expected_travel_time AS found, parts / 1000.0 AS expected FROM
      (SELECT pair_id, expected_travel_time, round(access_time * 1000) + round(waiting_time * 1000)
        + round(riding_time * 1000) + round(transfer_time * 1000) + round(egress_time * 1000) AS parts
      FROM route WHERE status = 'ok')
    WHERE round(found * 1000) <> parts
    """)

  static let sums: [SumCheck] =
    [SumCheck.chunks]
    + ["distance", "expected_travel_time"].flatMap { measure in
      SumCheck.statistic(measure, of: "SELECT \(measure) FROM route WHERE alternative = 0 AND status = 'ok'")
    }
}

extension View {
  /// Returns the SQL that joins the first leg of each pair with the end of its last leg and the sums over all legs. The
  /// first leg provides the columns that are the same for all legs.
  private static func wholePairs(_ axis: RowAxis.Column?) -> String {
    """
    (SELECT min(fid) AS first_fid, max(fid) AS last_fid, count(*) AS legs, sum(distance) AS metres,
        sum(expected_travel_time) AS seconds, max(CASE WHEN status <> 'ok' THEN status END) AS failure
      FROM route WHERE alternative = 0 GROUP BY pair_id\(RowAxis.Column.list(axis))) AS whole
      JOIN route AS first_leg ON first_leg.fid = whole.first_fid
      JOIN (SELECT fid AS leg_fid, destination_id AS last_id FROM route) AS last_leg ON last_leg.leg_fid = whole.last_fid
    """
  }

  /// Returns the view of whole pairs: the sums of their legs.
  ///
  /// - Parameter axis: The columns that distinguish the rows of a pair. A job has at most one; the documentation of the
  ///   view describes all.
  static func pairTotal(_ axis: [RowAxis.Column]) -> View {
    let hour: [View.Column] =
      axis.contains(.departure)
      ? [
        .init(
          "departure", .integer, "number in table `departure`; like the date, only in jobs with that table",
          as: "first_leg.departure"),
        .init("departure_date", .moment, "ISO 8601", as: "first_leg.departure_date"),
      ] : []
    let percentile: [View.Column] =
      axis.contains(.percentile)
      ? [.init("percentile", .integer, "replaces `departure` in jobs with percentiles", as: "first_leg.percentile")]
      : []
    return View(
      "pair_total",
      "pair, and per departure or percentile if the job has several: the sums of its legs; "
        + "also in kind `access` with `routes: true`",
      [.init("pair_id", .id, "pair's id in the input, else its row number", as: "first_leg.pair_id")] + hour
        + percentile + [
          .init("legs", .integer, "number of legs: 1 without waypoints", as: "CAST(whole.legs AS INTEGER)"),
          .init("origin_id", .id, "`place_id` of the first leg's origin", as: "first_leg.origin_id"),
          .init("destination_id", .id, "`place_id` of the last leg's destination", as: "last_leg.last_id"),
          .lineBreak,
          .init(
            "status", .text, "`ok` if all legs are ok, else the status of a failed leg",
            as: "coalesce(whole.failure, 'ok')"),
          .lineBreak,
          .init(
            "distance", .real, "metres; NULL if a leg has no route",
            as: "CASE WHEN whole.failure IS NULL THEN whole.metres END"),
          .init(
            "expected_travel_time", .real, "seconds; NULL without a route",
            as: "CASE WHEN whole.failure IS NULL THEN whole.seconds END"),
          .lineBreak,
          .init("weight", .real, "pair's weight in the input", as: "first_leg.weight"),
          .init("pair_group", .text, "pair's `group` in the input", as: "first_leg.pair_group"),
        ],
      from: wholePairs(axis.first),
      models: ["integer": "first_leg.leg", "real": "first_leg.distance", "text": "first_leg.status"])
  }
}

extension ResultsDatabase {
  /// Shadows table `route` with a copy without lines and elevations, which make up almost all of the table's size: SQLite
  /// reads whole rows, and a page queries the table a dozen times. `main.route` is the original.
  ///
  /// The copy is temporary and takes about 150 bytes per row, on disk if it exceeds a few megabytes; if there is no
  /// space, the table itself is read.
  package func narrowRoutes() throws {
    guard kind.hasSteps, record.identity.flag(.shapes) == true,
      try database.value("SELECT count(*) FROM temp.sqlite_schema WHERE name = 'route'") == 0
    else { return }
    let columns = try database.rows("SELECT name, type FROM pragma_table_info('route')") {
      (name: try $0["name"] as String, type: try $0["type"] as String)
    }.filter { !["geom", "heights"].contains($0.name) }
    let declarations = columns.map { "\($0.name) \($0.name == "fid" ? "INTEGER PRIMARY KEY" : $0.type)" }
    let names = columns.map(\.name).joined(separator: ", ")
    do {
      try database.execute(
        """
        CREATE TEMP TABLE route (\(declarations.joined(separator: ", ")));
        INSERT INTO temp.route SELECT \(names) FROM main.route ORDER BY fid;
        """)
    } catch {
      try database.execute("DROP TABLE IF EXISTS temp.route")
    }
  }

  /// Whether the routes have elevations.
  var hasHeights: Bool {
    get throws {
      try database.value("SELECT count(*) FROM pragma_table_info('route', 'main') WHERE name = 'heights'") > 0
    }
  }
}
