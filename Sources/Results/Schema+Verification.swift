extension Schema {
  // What verification asks of finished results: rows to compute again, and sums to add up again.

  static let verification = """
    DROP TABLE IF EXISTS verification;
    CREATE TABLE verification (item TEXT NOT NULL, measure TEXT NOT NULL, found REAL, expected REAL);
    """
  static let insertDifference = "INSERT INTO verification VALUES (?,?,?,?)"

  /// The number of rows, and those of a table's numbers that are wanted, by kind of row.
  static let lastRoute = "SELECT coalesce(max(fid), 0) FROM route"
  /// A trip, and the places it may be between: an id may stand for several points.
  static let tripToVerify = """
    SELECT route.pair_id, origin.latitude, origin.longitude, destination.latitude, destination.longitude,
      departure_date, route.status, expected_travel_time, distance, crow_fly_distance
    FROM route JOIN place AS origin ON origin.place_id = origin_id AND origin.role = 'origin'
    JOIN place AS destination ON destination.place_id = destination_id AND destination.role = 'destination'
    WHERE route.fid = ? AND alternative = 0
    """
  static let pointsOfRole = """
    SELECT place_id, latitude, longitude, status, fid FROM place WHERE role = ? ORDER BY fid
    """
  static let matrixRow = "SELECT travel_times, distances FROM matrix_row WHERE rowid = ?"
  static let accessRows = """
    SELECT station_fid, entrance_fid, milliseconds, centimetres, status FROM access_row WHERE origin_fid = ? ORDER BY rank
    """
  static let lastArea = "SELECT coalesce(max(fid), 0) FROM isochrone"
  static let areaToVerify = """
    SELECT isochrone.place_id, latitude, longitude, threshold, isochrone.status, street_length FROM isochrone
    JOIN place ON place.fid = (isochrone.fid - 1) / (SELECT count(DISTINCT threshold) FROM isochrone) + 1
    WHERE isochrone.fid = ?
    """

  /// Sums by kind of job: each question answers with an item, what stands there, and what it should be, of all that
  /// differ.
  static func sums(_ kind: String, hasCells: Bool) -> [(measure: String, question: String)] {
    let chunks = (
      "rows of chunks",
      "SELECT 'chunks', sum(rows), (SELECT value FROM job WHERE key = 'rows') AS due FROM chunk HAVING sum(rows) <> due + 0"
    )
    let routes = "FROM route WHERE alternative = 0 AND status = 'ok'"
    let cells = "SELECT cell.value AS %@ FROM matrix_row, json_each(matrix_row.%@) AS cell WHERE cell.value NOT NULL"
    func statistic(_ measure: String, _ values: String) -> [(String, String)] {
      ["count", "min", "max", "mean"].map { column in
        let function = column == "mean" ? "avg" : column
        return (
          "\(column) of \(measure)",
          """
          SELECT 'statistic', \(column), due FROM statistic,
            (SELECT \(function)(\(measure)) AS due FROM (\(values))) WHERE scope = 'job' AND measure = '\(measure)'
            AND abs(\(column) - due) > 1e-9 * abs(due)
          """
        )
      }
    }
    func route(_ measure: String) -> [(String, String)] { statistic(measure, "SELECT \(measure) \(routes)") }
    let steps = [
      ("distance of steps", "round(distance * 100)", "centimetres"),
      ("travel time of steps", "round(expected_travel_time * 1000)", "milliseconds"),
      ("number of steps", "step_count", "1"),
    ].map { name, whole, part in
      (
        name,
        """
        SELECT 'pair ' || pair_id, whole, coalesce(parts, 0) FROM
          (SELECT pair_id, alternative, sum(\(whole)) AS whole FROM route WHERE status = 'ok' GROUP BY 1, 2)
          LEFT JOIN (SELECT pair_id, alternative, sum(\(part)) AS parts FROM step_row GROUP BY 1, 2)
          USING (pair_id, alternative) WHERE whole <> coalesce(parts, 0)
        """
      )
    }
    switch kind {
    case "routes": return [chunks] + route("distance") + route("expected_travel_time") + steps
    case "etas": return [chunks] + route("distance") + route("expected_travel_time")
    case "matrix":
      guard hasCells else { return [chunks] }
      let times = cells.replacing("%@", with: "expected_travel_time", maxReplacements: 1)
        .replacing("%@", with: "travel_times")
      let reachable = """
        SELECT 'origin ' || origin_id, reachable, (SELECT count(value) FROM json_each(travel_times)) AS due
        FROM origin_summary JOIN matrix_row USING (origin_id) WHERE reachable <> due
        """
      return [chunks] + statistic("expected_travel_time", times) + [("reachable", reachable)]
    case "access":
      let share = """
        SELECT threshold || ' s, ' || measure, value, due FROM (SELECT threshold, measure, value, (
            SELECT coalesce(sum(CASE WHEN access_share.measure = 'origins' THEN 1.0 ELSE place_weight.value END), 0)
            FROM access_row JOIN place ON place.fid = origin_fid
            LEFT JOIN place_weight ON place_fid = origin_fid AND place_weight.measure = access_share.measure
            WHERE rank = 1 AND milliseconds <= threshold * 1000 AND place.status <> 'outside_coverage') AS due
          FROM access_share) WHERE abs(value - due) > 1e-9 * abs(due)
        """
      let origins = """
        SELECT 'origins', (SELECT count(*) FROM access_row WHERE rank <= 1) AS found,
          (SELECT count(*) FROM place WHERE role = 'origin') AS due WHERE found <> due
        """
      return [chunks, ("share within", share), ("origins answered", origins)]
    default:
      let areas = """
        SELECT 'areas', (SELECT count(*) FROM isochrone) AS found, (SELECT count(*) FROM place WHERE role = 'origin')
          * (SELECT count(DISTINCT threshold) FROM isochrone) AS due WHERE found <> due
        """
      return [chunks, ("areas of all places", areas)]
    }
  }
}
