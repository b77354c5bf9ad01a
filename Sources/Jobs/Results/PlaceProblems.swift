import Geography
import Tables

/// Sentences for the end of a run: counts of places off the map or far from a street, and shares of ok rows among all
/// rows and among those with places on the map.
package enum PlaceProblems {
  /// Returns one line per role, and the shares; empty if all places are near a street.
  package static func lines(of results: ResultsDatabase, _ survey: PlaceSurvey) throws -> [String] {
    let isOffMap = survey.roles.contains { $0.problems[.offMap] != nil }
    return survey.roles.compactMap { line(of: $0, results) } + (isOffMap ? try shares(of: results) : [])
  }

  /// Returns the line of a role; nil if all its places are near a street.
  private static func line(of places: PlaceCounts, _ results: ResultsDatabase) -> String? {
    let owner: WeightOwner = places.role == .destination ? .destination : .origin
    let column = results.record.figures.text(.weight(of: owner)) ?? "the weight"
    let kinds: [(PlaceReason, words: String)] = [
      (.offMap, "outside the map"), (.noStreet, "without a street within the snap limit"),
      (.island, "on an island"), (.far, "more than 100 m from a street"),
    ]
    let parts = kinds.compactMap { reason, words in
      places.problems[reason].map { found in
        let share = places.weight > 0 ? ", \(percent(found.weight, of: places.weight)) of \(column)" : ""
        return "\(found.count) \(words)\(share)"
      }
    }
    let all = places.count.counted(places.role.rawValue)
    return parts.isEmpty ? nil : "of \(all): \(parts.joined(separator: "; "))"
  }

  /// Returns the shares of ok rows among all rows and among those with places on the map. With hours, an input row counts
  /// once per hour, as the sentence says.
  private static func shares(of results: ResultsDatabase) throws -> [String] {
    let axis = try results.rowAxis()
    let hours = axis.count
    let atHours = hours > 1 ? " at each of \(hours) \(axis.unit)" : ""
    return switch results.kind {
    case .routes, .etas: try pairShares(results, axis.column, atHours)
    case .matrix: try rowShares("cells\(atHours)", results)
    case .isochrones:
      try rowShares(
        "areas\(atHours)", results,
        onMap: results.database.value(
          "SELECT count(*) FROM isochrone WHERE place_id NOT IN (SELECT place_id FROM place WHERE reason = 'off_map')"))
    case .access:
      try rowShares("origins\(atHours)", results) + measureShares(results, axis)
    case .traces: []
    }
  }

  /// Returns the shares of pairs; a pair of several legs is ok if all of them are.
  private static func pairShares(
    _ results: ResultsDatabase, _ axis: RowAxis.Column?, _ atHours: String
  ) throws -> [String] {
    try results.database.rows(
      """
      SELECT count(*) AS count, coalesce(sum(ok), 0) AS ok, coalesce(sum(on_map), 0) AS on_map, total(weight) AS weight,
        total(CASE WHEN ok THEN weight END) AS ok_weight
      FROM (SELECT min(status = 'ok') AS ok, min(coalesce(reason, '') NOT LIKE '%off_map%') AS on_map, max(weight) AS weight
        FROM route WHERE alternative = 0 GROUP BY pair_id\(RowAxis.Column.list(axis)))
      """
    ) { row in
      let (count, ok, onMap): (Int, Int, Int) = (try row["count"], try row["ok"], try row["on_map"])
      let (weight, okWeight): (Double, Double) = (try row["weight"], try row["ok_weight"])
      guard onMap > 0 || count == 0 else { return "no row is on the map" }
      return "\(percent(Double(ok), of: Double(count))) of all rows\(atHours) are ok"
        + (weight > 0
          ? ", with \(percent(okWeight, of: weight)) of \(results.record.figures.text(.weight(of: .pair)) ?? "their weight")"
          : "")
        + (onMap < count ? "; \(percent(Double(ok), of: Double(onMap))) of the \(onMap) on the map" : "")
    }
  }

  /// Returns the shares of rows, for kinds with the same number of rows per place or pair of places.
  private static func rowShares(
    _ unit: String, _ results: ResultsDatabase, onMap onMapCount: Int? = nil
  ) throws -> [String] {
    let counts = try results.statusCounts()
    let (count, ok) = (counts.total, counts.ok)
    let roles: [(count: Int, onMap: Int)] = try results.database.rows(
      """
      SELECT count(*) AS count, sum(reason IS NOT 'off_map') AS on_map FROM place
      WHERE role = 'origin' OR role = 'destination' GROUP BY role
      """
    ) { (try $0["count"], try $0["on_map"]) }
    let onMap = onMapCount ?? roles.reduce(count) { $1.count == 0 ? $0 : $0 / $1.count * $1.onMap }
    guard onMap > 0 || count == 0 else { return ["none of the \(count) \(unit) has places on the map"] }
    return [
      "\(percent(Double(ok), of: Double(count))) of all \(count) \(unit) are ok"
        + (onMap < count ? "; \(percent(Double(ok), of: Double(onMap))) of the \(onMap) with places on the map" : "")
    ]
  }

  /// The total of a measure over the origins on the map and in the coverage, as SQL.
  private static let weightOnMap = """
    CASE measure
      WHEN 'origins' THEN (SELECT count(*) FROM place WHERE role = 'origin' AND reason IS NOT 'off_map'
        AND status <> 'outside_coverage')
      ELSE (SELECT total(place_weight.value) FROM place_weight JOIN place ON place.fid = place_fid
        WHERE place_weight.measure = access_share.measure AND reason IS NOT 'off_map'
          AND status <> 'outside_coverage') END
    """

  /// Returns the shares within each threshold: the mean of several hours; of several percentiles, at the middle one.
  private static func measureShares(_ results: ResultsDatabase, _ axis: RowAxis) throws -> [String] {
    let middle = axis.middle.map { axis.condition($0, in: "access_share") }
    let isMean = axis.count > 1 && middle == nil
    let words = try isMean ? ", mean of \(axis.count) \(axis.unit)" : results.percentileWords
    return try results.database.rows(
      """
      SELECT measure, threshold, avg(value) AS mean, min(value) AS least, max(value) AS most, max(total) AS total,
        \(weightOnMap) AS on_map
      FROM access_share WHERE \(middle ?? "1") GROUP BY measure, threshold ORDER BY min(fid)
      """
    ) { row in
      let (total, onMap): (Double, Double) = (try row["total"], try row["on_map"])
      let (mean, lowest, highest): (Double, Double, Double) = (try row["mean"], try row["least"], try row["most"])
      let range = isMean ? " (\(percent(lowest, of: total)) to \(percent(highest, of: total)))" : ""
      let (measure, threshold): (String, Int) = (try row["measure"], try row["threshold"])
      let minutes = threshold % 60 == 0 ? "\(threshold / 60)" : "\(Double(threshold) / 60)"
      return "\(measure) within \(minutes) min\(words): \(percent(mean, of: total)) of all\(range)"
        + ofThoseOnTheMap(mean, onMap, total)
    }
  }

  /// Returns the share of those on the map, if it differs from the share of all.
  private static func ofThoseOnTheMap(_ part: Double, _ onMap: Double, _ all: Double) -> String {
    let share = percent(part, of: onMap)
    return share == percent(part, of: all) ? "" : ", \(share) of those on the map"
  }

  /// Returns a percentage to a tenth, but never 100 % or 0 % unless exact; "none" if the whole is 0.
  private static func percent(_ part: Double, of whole: Double) -> String {
    guard whole > 0 else { return "none" }
    let share = part / whole * 100
    let rounded = (share * 10).rounded() / 10
    if rounded == 100 && part < whole { return "over 99.9 %" }
    if rounded == 0 && part > 0 { return "under 0.1 %" }
    return "\(rounded) %"
  }
}

extension View {
  /// Returns view `diagnosis`: counts of places with problems and of rows without a route, by reason.
  ///
  /// - Parameters:
  ///   - rows: The table of rows with columns `status` and `reason`; nil if the kind has none. Legs of a pair, and
  ///     thresholds of a place, with the same reason count once.
  ///   - id: The column of the pair or place of a row.
  ///   - weight: The weight of a pair, as SQL.
  ///   - axis: The column that distinguishes the rows of a pair or place.
  static func diagnosis(
    rows: String?, id: String = "pair_id", weight: String = "max(weight)", _ axis: RowAxis.Column? = nil
  ) -> View {
    let rowCounts =
      rows.map {
        """

          UNION ALL
          SELECT '\($0)', status, reason, count(*), sum(weight), NULL, NULL FROM (
            SELECT status, reason, \(weight) AS weight FROM \($0) WHERE reason NOT NULL
              GROUP BY status, reason, \(id)\(RowAxis.Column.list(axis)))
            GROUP BY 2, 3
        """
      } ?? ""
    return View(
      "diagnosis", "reason for problems with places or routes",
      [
        .init("subject", .text, "`origin`, `destination`, `station`, `entrance`; or `route`, `isochrone`", as: "role"),
        .init("status", .text, "as in `place`, `route` and `isochrone`"),
        .init("reason", .text, "as in `place`, `route` and `isochrone`"),
        .init("count", .integer, "number of places, routes, or places of isochrones", as: "count(*)"),
        .init("weight", .real, "sum of the places' weights", as: "sum(weight)"),
        .init("nearest_street", .real, "smallest snap distance in metres among them", as: "min(snap_distance)"),
        .init("farthest_street", .real, "largest snap distance in metres among them", as: "max(snap_distance)"),
      ], from: "place", where: "reason NOT NULL GROUP BY 1, 2, 3" + rowCounts,
      models: ["integer": "place.fid", "real": "place.weight"])
  }
}
