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

  /// Returns the shares of ok rows among all rows and among those with places on the map. With hours, an input row
  /// counts once per hour, as the sentence says.
  private static func shares(of results: ResultsDatabase) throws -> [String] {
    let axis = try results.rowAxis()
    let hours = axis.count
    return try results.kind.results.shares(results, axis, hours > 1 ? " at each of \(hours) \(axis.unit)" : "")
  }

  /// Returns the shares of rows, for kinds with the same number of rows per place or pair of places.
  static func rowShares(
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

  /// Returns a percentage to a tenth, but never 100 % or 0 % unless exact; "none" if the whole is 0.
  static func percent(_ part: Double, of whole: Double) -> String {
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
