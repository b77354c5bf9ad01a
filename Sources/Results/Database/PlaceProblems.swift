/// How many places of finished results lie off the map or far from a street, and what shares are of all and of those on
/// the map: sentences for the end of a run.
package struct PlaceProblems {
  /// None where all places are near a street.
  package let lines: [String]

  package init(_ database: ResultsDatabase) throws {
    let problems = try PlaceProblems.ofPlaces(database.database)
    lines = problems.lines + (problems.isOffMap ? try PlaceProblems.shares(of: database) : [])
  }

  private static func ofPlaces(_ database: SQLite) throws -> (lines: [String], isOffMap: Bool) {
    var isOffMap = false
    let lines = try database.rows(
      """
      SELECT role, count(*) AS count, total(weight) AS weight,
        sum(reason IS 'off_map') AS off_map, total(CASE WHEN reason = 'off_map' THEN weight END) AS off_map_weight,
        sum(coalesce(reason IN ('no_street', 'island'), 0)) AS streetless,
        total(CASE WHEN reason IN ('no_street', 'island') THEN weight END) AS streetless_weight,
        sum(reason IS 'far') AS far, total(CASE WHEN reason = 'far' THEN weight END) AS far_weight
      FROM place GROUP BY role ORDER BY min(fid)
      """
    ) { row -> String? in
      let (role, count): (String, Int) = (try row["role"], try row["count"])
      let whole: Double = try row["weight"]
      let kinds = [
        ("off_map", "off the map"), ("streetless", "without a street near enough"),
        ("far", "more than 100 m from a street"),
      ]
      let parts = try kinds.compactMap { column, words -> String? in
        let (found, weight): (Int, Double) = (try row[column], try row[column + "_weight"])
        if column == "off_map" && found > 0 { isOffMap = true }
        let share = whole > 0 ? ", \(percent(weight, of: whole)) of the weight" : ""
        return found > 0 ? "\(found) \(words)\(share)" : nil
      }
      return parts.isEmpty ? nil : "of \(count) \(count == 1 ? role : role + "s"): \(parts.joined(separator: "; "))"
    }.compactMap(\.self)
    return (lines, isOffMap)
  }

  /// Of all, and of those on the map.
  private static func shares(of results: ResultsDatabase) throws -> [String] {
    let database = results.database
    switch results.kind {
    case .routes, .etas:
      return try database.rows(
        """
        SELECT count(*) AS count, sum(status = 'ok') AS ok, sum(coalesce(reason, '') NOT LIKE '%off_map%') AS on_map
        FROM route WHERE alternative = 0
        """
      ) { row in
        let (count, ok, onMap): (Int, Int, Int) = (try row["count"], try row["ok"], try row["on_map"])
        return
          "\(percent(Double(ok), of: Double(count))) of all rows are ok; \(percent(Double(ok), of: Double(onMap))) of the "
          + "\(onMap) on the map"
      }
    case .access:
      guard try results.departures().isEmpty else { return [] }
      return try database.rows(
        """
        SELECT measure, threshold, value, total, CASE measure
          WHEN 'origins' THEN (SELECT count(*) FROM place WHERE role = 'origin' AND reason IS NOT 'off_map')
          ELSE (SELECT total(place_weight.value) FROM place_weight JOIN place ON place.fid = place_fid
            WHERE place_weight.measure = access_share.measure AND reason IS NOT 'off_map') END AS on_map
        FROM access_share ORDER BY fid
        """
      ) { row in
        let (measure, threshold): (String, Int) = (try row["measure"], try row["threshold"])
        let (value, total, onMap): (Double, Double, Double) = (try row["value"], try row["total"], try row["on_map"])
        return
          "\(measure) within \(Double(threshold) / 60) min: \(percent(value, of: total)) of all, \(percent(value, of: onMap)) of those on the map"
      }
    case .matrix, .isochrones, .traces: return []
    }
  }

  private static func percent(_ part: Double, of whole: Double) -> String {
    guard whole > 0 else { return "none" }
    return "\((part / whole * 1000).rounded() / 10) %"
  }
}
