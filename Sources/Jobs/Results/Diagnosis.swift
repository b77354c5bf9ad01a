import Tables

/// View `diagnosis`: counts of places with problems and of rows without a route, by reason.
enum Diagnosis {
  /// - Parameters:
  ///   - rows: The table of rows with columns `status` and `reason`; nil if the kind has none. Legs of a pair with the
  ///     same reason count once.
  ///   - axis: The column that distinguishes the rows of a pair.
  static func view(rows: String?, _ axis: RowAxis.Column? = nil) -> View {
    let rowCounts =
      rows.map {
        """

          UNION ALL
          SELECT '\($0)', status, reason, count(*), sum(weight), NULL, NULL FROM (
            SELECT status, reason, max(weight) AS weight FROM \($0) WHERE reason NOT NULL
              GROUP BY status, reason, pair_id\(RowAxis.Column.list(axis)))
            GROUP BY 2, 3
        """
      } ?? ""
    return View(
      "diagnosis", "reason for problems with places or routes",
      [
        .init("subject", .text, "`origin`, `destination`, `station`, `entrance`; or `route`", as: "role"),
        .init("status", .text, "as in `place` and `route`"),
        .init("reason", .text, "as in `place` and `route`"),
        .init("count", .integer, "number of places or routes", as: "count(*)"),
        .init("weight", .real, "sum of their weights", as: "sum(weight)"),
        .init("nearest_street", .real, "smallest snap distance in metres among them", as: "min(snap_distance)"),
        .init("farthest_street", .real, "largest snap distance in metres among them", as: "max(snap_distance)"),
      ], from: "place", where: "reason NOT NULL GROUP BY 1, 2, 3" + rowCounts,
      models: ["integer": "place.fid", "real": "place.weight"])
  }
}
