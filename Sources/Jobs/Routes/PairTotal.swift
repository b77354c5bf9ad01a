import Tables

/// The view of pairs as a whole: what their legs are together.
enum PairTotal {
  private static let seconds = "CASE WHEN whole.failure IS NULL THEN whole.seconds END"

  /// The first leg of each pair, which has what all have in common, the end of the last, and their sums.
  private static func source(hasHours: Bool) -> String {
    """
    (SELECT min(fid) AS first_fid, max(fid) AS last_fid, count(*) AS legs, sum(distance) AS metres,
        sum(expected_travel_time) AS seconds, max(CASE WHEN status <> 'ok' THEN status END) AS failure
      FROM route WHERE alternative = 0 GROUP BY pair_id\(hasHours ? ", departure" : "")) AS whole
      JOIN route AS first_leg ON first_leg.fid = whole.first_fid
      JOIN (SELECT fid AS leg_fid, destination_id AS last_id FROM route) AS last_leg ON last_leg.leg_fid = whole.last_fid
    """
  }

  static func view(hasHours: Bool) -> View {
    let hour: [View.Column] =
      hasHours
      ? [
        .init(
          "departure", .integer, "its hour, of table `departure`; this and the next only in a job with hours",
          as: "first_leg.departure"),
        .init("departure_date", .moment, "ISO 8601", as: "first_leg.departure_date"),
      ] : []
    return View(
      "pair_total", "pair, and hour where the job has hours: the sums of its legs",
      [.init("pair_id", .id, "the pair's id in the input, else its row", as: "first_leg.pair_id")] + hour + [
        .init("legs", .integer, "how many it has: 1 without waypoints", as: "CAST(whole.legs AS INTEGER)"),
        .init("origin_id", .id, "`place_id` of the first leg's origin", as: "first_leg.origin_id"),
        .init("destination_id", .id, "`place_id` of the last leg's destination", as: "last_leg.last_id"),
        .lineBreak,
        .init(
          "status", .text, "`ok` where all legs are, else that of one which is not",
          as: "coalesce(whole.failure, 'ok')"),
        .lineBreak,
        .init(
          "distance", .real, "metres; NULL where a leg has no route",
          as: "CASE WHEN whole.failure IS NULL THEN whole.metres END"),
        .init(
          "expected_travel_time", .real, "seconds, likewise",
          as: seconds),
        .lineBreak,
        .init("weight", .real, "how much the pair counts in the input", as: "first_leg.weight"),
        .init("pair_group", .text, "the pair's `group` in the input", as: "first_leg.pair_group"),
      ],
      from: source(hasHours: hasHours),
      models: ["integer": "first_leg.leg", "real": "first_leg.distance", "text": "first_leg.status"])
  }
}
