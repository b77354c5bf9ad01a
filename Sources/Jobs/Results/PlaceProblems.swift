import Tables

/// How many places of finished results lie off the map or far from a street, and what shares are of all and of those on
/// the map: sentences for the end of a run.
package struct PlaceProblems {
  /// None where all places are near a street.
  package let lines: [String]

  package init(_ database: ResultsDatabase) throws {
    let problems = try PlaceProblems.ofPlaces(database)
    lines = problems.lines + (problems.isOffMap ? try MapShares(of: database).lines : [])
  }

  private static func ofPlaces(_ results: ResultsDatabase) throws -> (lines: [String], isOffMap: Bool) {
    var isOffMap = false
    let lines = try results.database.rows(
      """
      SELECT role, count(*) AS count, total(weight) AS weight,
        sum(reason IS 'off_map') AS off_map, total(CASE WHEN reason = 'off_map' THEN weight END) AS off_map_weight,
        sum(reason IS 'no_street') AS streetless, total(CASE WHEN reason = 'no_street' THEN weight END) AS streetless_weight,
        sum(reason IS 'island') AS island, total(CASE WHEN reason = 'island' THEN weight END) AS island_weight,
        sum(reason IS 'far') AS far, total(CASE WHEN reason = 'far' THEN weight END) AS far_weight
      FROM place GROUP BY role ORDER BY min(fid)
      """
    ) { row -> String? in
      let (role, count): (String, Int) = (try row["role"], try row["count"])
      let whole: Double = try row["weight"]
      let owner: WeightOwner = role == PlaceRole.destination.rawValue ? .destination : .origin
      let column = results.record.figures.text(.weight(of: owner)) ?? "the weight"
      let kinds = [
        ("off_map", "off the map"), ("streetless", "without a street near enough"),
        ("island", "on an island"), ("far", "more than 100 m from a street"),
      ]
      let parts = try kinds.compactMap { kind, words -> String? in
        let (found, weight): (Int, Double) = (try row[kind], try row[kind + "_weight"])
        if kind == "off_map" && found > 0 { isOffMap = true }
        let share = whole > 0 ? ", \(MapShares.percent(weight, of: whole)) of \(column)" : ""
        return found > 0 ? "\(found) \(words)\(share)" : nil
      }
      return parts.isEmpty ? nil : "of \(count) \(count == 1 ? role : role + "s"): \(parts.joined(separator: "; "))"
    }.compactMap(\.self)
    return (lines, isOffMap)
  }
}
