import Geography
import Tables

/// The tables about streets and routes, which SQL fills from the tables of both runs.
extension ComparisonTables {
  static let streets = Table<Void>(
    "change_of_flow", "street and direction whose trips differ between two runs with table `flow`",
    [
      .rowNumber("fid"),
      .required("street_key", .integer, "key of the street, as in table `flow`"),
      .required("forward", .integer, "1 along the street's shape, 0 against it"),
      .required("name", .text, "name or reference, else the street's type"),
      .required("class", .text, "road class: `motorway` to `path`, or `other`"),
      .lineBreak,
      .required("old_trips", .integer, "best routes along it in the old run; 0 if there are none"),
      .required("new_trips", .integer, "best routes along it in the new run"),
      .optional("old_weight", .real, "sum of the pairs' weights in the old run; NULL if none has one"),
      .optional("new_weight", .real, "sum of the pairs' weights in the new run"),
      .required("difference", .real, "new − old weight; trips if neither run has weights"),
      .optional("geom", .geometry(.lineString), "WGS 84"),
    ])

  /// The SQL statements that fill `change_of_flow`; streets are matched by their key.
  fileprivate static let streetInsertion = """
    CREATE TEMP TABLE old_flow AS \(flowSums("old"));
    CREATE INDEX temp.old_flow_by_street ON old_flow (street_key, forward);
    INSERT INTO change_of_flow (street_key, forward, name, class, old_trips, new_trips, old_weight, new_weight, difference, geom)
      SELECT key, forward, name, class, old_trips, new_trips, old_weight, new_weight,
        iif(old_weight IS NULL AND new_weight IS NULL, new_trips - old_trips, ifnull(new_weight, 0) - ifnull(old_weight, 0))
          AS difference, geom
      FROM (
        SELECT coalesce(became.street_key, was.street_key) AS key, coalesce(became.forward, was.forward) AS forward,
          coalesce(became.name, was.name) AS name, coalesce(became.class, was.class) AS class,
          ifnull(was.trips, 0) AS old_trips, ifnull(became.trips, 0) AS new_trips, was.weight AS old_weight,
          became.weight AS new_weight, coalesce(became.geom, was.geom) AS geom
        FROM (\(flowSums("new"))) AS became FULL JOIN temp.old_flow AS was
          ON was.street_key = became.street_key AND was.forward = became.forward)
      WHERE abs(difference) > 1e-6 OR old_trips <> new_trips ORDER BY key, forward DESC
    """

  private static func flowSums(_ run: String) -> String {
    "SELECT street_key, forward, name, class, sum(trips) AS trips, sum(weight) AS weight, geom FROM \(run).flow "
      + "GROUP BY street_key, forward"
  }

  /// The maximum number of rows of `routes`, which keeps the page readable.
  static let maximumRoutes = 300

  static let routes = Table<Void>(
    "change_of_route", "row of `change` among the largest changes whose routes are known",
    [
      .rowNumber("change_id", "as in `change`"),
      .optional("old_name", .text, "name of the old route"),
      .optional("new_name", .text, "name of the new route"),
      .optional("old_geom", .geometry(.lineString), "WGS 84"),
      .optional("new_geom", .geometry(.lineString), "WGS 84"),
    ])

  /// The SQL statement that fills `change_of_route`, for pairs with one row in each run; other rows cannot be
  /// distinguished.
  fileprivate static let routeInsertion = """
    INSERT INTO change_of_route
      SELECT greatest.change_id, was.name, became.name, was.geom, became.geom
      FROM (SELECT change_id, item FROM change \(ComparisonTables.greatestFirst) LIMIT \(maximumRoutes)) AS greatest
      LEFT JOIN old.route AS was
        ON was.pair_id = greatest.item AND CAST(was.pair_id AS TEXT) = greatest.item AND was.alternative = 0
      LEFT JOIN new.route AS became
        ON became.pair_id = greatest.item AND CAST(became.pair_id AS TEXT) = greatest.item AND became.alternative = 0
      GROUP BY greatest.change_id HAVING count(*) = 1 AND (was.geom NOT NULL OR became.geom NOT NULL)
    """
}

/// A street as drawn on a comparison's page, with trips or sums of weights along its line and against it.
package struct ChangedFlow: Sendable {
  package var name: String
  package var old: (forward: Double, backward: Double)
  package var new: (forward: Double, backward: Double)
  package var points: [FixedCoordinate]

  package var difference: Double { new.forward + new.backward - old.forward - old.backward }
}

/// The routes of a changed row, as drawn on a comparison's page.
package typealias ChangedRoute = (
  old: (name: String?, points: [FixedCoordinate]), new: (name: String?, points: [FixedCoordinate])
)

extension Comparison {
  /// Writes the streets whose trips changed, and the routes of the largest changes, if both runs have them.
  func writeStreets(to database: SQLite) throws {
    guard hasOld, facts.kind.hasPairs else { return }
    func both(have columns: [String], of table: String) throws -> Bool {
      let list = columns.map { "'\($0)'" }.joined(separator: ", ")
      return try ["old", "new"].allSatisfy { run in
        try database.value(
          "SELECT count(*) FROM pragma_table_info('\(table)', '\(run)') WHERE name IN (\(list))") == columns.count
      }
    }
    if try both(have: ["street_key", "trips"], of: "flow") { try database.execute(ComparisonTables.streetInsertion) }
    if try both(have: ["name", "geom"], of: "route") { try database.execute(ComparisonTables.routeInsertion) }
  }
}

extension ComparisonDatabase {
  /// Returns the streets whose trips changed most, in both directions together; empty unless both runs
  /// have table `flow`.
  package func flows(atMost limit: Int) throws -> [ChangedFlow] {
    guard try database.hasTable(ComparisonTables.streets.name) else { return [] }
    var flows: [ChangedFlow] = []
    var last: Int?
    for (key, name, values, isFirstForward, shape) in try database.rows(
      """
      SELECT street_key, name, forward, geom, iif(old_weight IS NULL AND new_weight IS NULL, old_trips, ifnull(old_weight, 0)) AS was,
        iif(old_weight IS NULL AND new_weight IS NULL, new_trips, ifnull(new_weight, 0)) AS became FROM change_of_flow
      ORDER BY fid
      """,
      decode: { row in
        (
          try row["street_key"] as Int, try row["name"] as String,
          (was: try row["was"] as Double, became: try row["became"] as Double), (try row["forward"] as Int) == 1,
          try row["geom"] as GeometryBlob
        )
      })
    {
      // The rows of a street are adjacent; the line of the first row determines which direction is forward.
      if last == key, !isFirstForward {
        flows[flows.count - 1].old.backward = values.was
        flows[flows.count - 1].new.backward = values.became
      } else {
        flows.append(
          ChangedFlow(name: name, old: (values.was, 0), new: (values.became, 0), points: shape.lines.first ?? []))
      }
      last = key
    }
    let order = flows.indices.sorted { (abs(flows[$1].difference), $0) < (abs(flows[$0].difference), $1) }
    return order.prefix(limit).map { flows[$0] }
  }

  /// Returns the number of streets whose trips changed.
  package func flowCount() throws -> Int {
    guard try database.hasTable(ComparisonTables.streets.name) else { return 0 }
    return try database.value("SELECT count(DISTINCT street_key) FROM change_of_flow")
  }

  /// Returns whether flows are sums of weights.
  package func flowsHaveWeights() throws -> Bool {
    guard try database.hasTable(ComparisonTables.streets.name) else { return false }
    return try database.value("SELECT count(coalesce(old_weight, new_weight)) > 0 FROM change_of_flow") as Int == 1
  }

  /// Returns the routes of changed rows, by `change_id`.
  package func routes() throws -> [Int: ChangedRoute] {
    guard try database.hasTable(ComparisonTables.routes.name) else { return [:] }
    func points(_ shape: GeometryBlob?) -> [FixedCoordinate] { shape?.lines.first ?? [] }
    let routes: [(Int, ChangedRoute)] = try database.rows("SELECT * FROM change_of_route") { row in
      (
        try row["change_id"],
        (
          (try row["old_name"], points(try row["old_geom"])), (try row["new_name"], points(try row["new_geom"]))
        )
      )
    }
    return Dictionary(uniqueKeysWithValues: routes)
  }
}
