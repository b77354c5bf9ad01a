/// The view of pairs as a whole: what their legs are together.
enum PairTotal {
  static func view(hasHours: Bool) -> View {
    let table = RouteRow.table(hasHours: hasHours)
    let hour = hasHours ? View.Column.of(table, "departure") : []
    let last = hasHours ? " AND last.departure IS route.departure" : ""
    let isWhole = "sum(status <> 'ok') = 0"
    return View(
      "pair_total", "pair, and hour where the job has hours: the sums of its legs",
      View.Column.of(table, "pair_id") + hour + [
        .init("legs", .integer, "how many it has: 1 without waypoints", as: "count(*)"),
        .init(
          "origin_id", .id, "`place_id` of the first leg's origin", as: "max(CASE WHEN leg = 1 THEN origin_id END)"),
        .lineBreak,
        .init(
          "destination_id", .id, "`place_id` of the last leg's destination",
          as: "(SELECT last.destination_id FROM route AS last WHERE last.pair_id = route.pair_id\(last) "
            + "ORDER BY last.leg DESC LIMIT 1)"),
        .lineBreak,
        .init(
          "status", .text, "`ok` where all legs are, else that of one which is not",
          as: "coalesce(max(CASE WHEN status <> 'ok' THEN status END), 'ok')"),
        .lineBreak,
        .init(
          "distance", .real, "metres; NULL where a leg has no route",
          as: "CASE WHEN \(isWhole) THEN sum(distance) END"),
        .init(
          "expected_travel_time", .real, "seconds, likewise",
          as: "CASE WHEN \(isWhole) THEN sum(expected_travel_time) END"),
        .lineBreak,
        .init("weight", .real, "how much the pair counts in the input", as: "max(weight)"),
        .init("pair_group", .text, "the pair's `group` in the input", as: "max(pair_group)"),
      ],
      from: "route", where: "alternative = 0 GROUP BY pair_id\(hasHours ? ", departure" : "")")
  }
}
