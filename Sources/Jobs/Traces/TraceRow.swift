import Geography
import OpeningHours
import Tables

/// A row of table `trace`. Lengths are in centimetres and times in milliseconds; the table has metres and seconds.
struct TraceRow: Sendable, JournaledFields {
  var id = Identifier.number(0)
  var group: String?
  var status = RowStatus.ok
  /// The reason for a status other than `ok`.
  var statusReason: String?
  var fixCount = 0
  var keptCount = 0
  var matchedCount = 0
  /// The numbers of unmatched fixes by reason.
  var reasonCounts: [String: Int] = [:]
  var partCount = 0
  /// Metres.
  var sigma = 0.0
  /// The times of the first and the last fix, kept or too close to a kept one; nil if fixes have no times.
  var departure: Moment?
  var arrival: Moment?
  var expectedArrival: Moment?
  var stopCount = 0
  var dwellMilliseconds: Int?
  /// The lengths and the bounding box of the matched fixes, or of the kept ones if none are matched.
  var ownCentimetres = 0
  var offRoadCentimetres = 0
  var box: BoundingBox?
  /// The values of the match; nil if nothing was matched.
  var matched: Matched?
  var shape: GeometryBlob?

  struct Matched: Sendable, JournaledFields {
    var centimetres = 0
    var milliseconds = 0
    var movingMilliseconds: Int?
    /// The sums over the fastest trips between the ends of each part; nil if there is no such trip for a part.
    var fastest: Fastest?
    var uTurnCount = 0
    /// Metres.
    var rmsDistance: Double?
    /// Metres per second.
    var maxSpeed: Double?

    /// The moving time / expected time; nil if the trace did not move, since speeds are distances / moving times.
    fileprivate var timeRatio: Double? {
      movingMilliseconds == 0 ? nil : TraceRow.ratio(movingMilliseconds, milliseconds)
    }
    /// The distance / fastest distance; nil for trips that end near their start.
    fileprivate var detour: Double? {
      fastest.flatMap { $0.centimetres >= 5_000 ? TraceRow.ratio(centimetres, $0.centimetres) : nil }
    }

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&centimetres, &milliseconds, &movingMilliseconds)
      try journal(&fastest, &uTurnCount, &rmsDistance, &maxSpeed)
    }
  }

  struct Fastest: Sendable, JournaledFields {
    var centimetres = 0
    var milliseconds = 0

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&centimetres, &milliseconds)
    }
  }

  /// Returns the ratio; nil for a division by zero.
  private static func ratio(_ dividend: Int?, _ divisor: Int?) -> Double? {
    guard let dividend, let divisor, divisor > 0 else { return nil }
    return Double(dividend) / Double(divisor)
  }

  private var observedMilliseconds: Int? {
    guard let departure, let arrival else { return nil }
    return arrival.milliseconds - departure.milliseconds
  }

  private func degrees(_ edge: KeyPath<BoundingBox, Int32>) -> Double? { box.map { Double($0[keyPath: edge]) / 1e7 } }

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&id, &group, &status, &statusReason, &fixCount, &keptCount)
    try journal(&matchedCount, &reasonCounts, &partCount, &sigma, &departure, &arrival)
    try journal(&stopCount, &dwellMilliseconds, &ownCentimetres, &offRoadCentimetres, &box)
    try journal(&expectedArrival, &matched, &shape)
  }
}

/// Unmatched fixes of traces.
package enum UnmatchedFixes {
  /// Reasons for unmatched fixes, by their names in tables: dropped by the cleaning rules, or kept.
  package static let reasons: [(name: String, note: String, isKept: Bool)] = [
    ("invalid", "dropped: invalid coordinates", false),
    ("order", "dropped: time out of order", false),
    ("age", "dropped: received too late", false), ("distance", "dropped: too close to the last kept fix", false),
    ("speed", "dropped: too fast", false), ("off_road", "kept, but unmatched: no street nearby", true),
    ("outlier", "kept, but unmatched: no route passes them", true),
    ("alone", "kept, but unmatched: isolated between two breaks", true),
  ]
}

extension TraceRow {
  static let table = Table<TraceRow>("trace", "trace", outcome + reasonColumns + [.lineBreak] + times + streetColumns)

  private static let outcome: [Column<TraceRow>] = [
    .rowNumber("fid"),
    .id("trace_id", "trace's id in the input") { $0.id },
    .text("status", "`ok`, `doubtful`, `not_matched` or `too_short`") { $0.status.rawValue },
    .optionalText("status_reason", "reason for a status other than `ok`") { $0.statusReason },
    .lineBreak,
    .integer("fix_count", "fixes in the input") { $0.fixCount },
    .integer("kept_count", "fixes kept by the cleaning rules") { $0.keptCount },
    .integer("matched_count", "kept fixes matched to a street") { $0.matchedCount },
    .integer("part_count", "rows of `trace_part`") { $0.partCount },
    .lineBreak,
  ]

  private static var reasonColumns: [Column<TraceRow>] {
    UnmatchedFixes.reasons.map { reason in
      .integer("\(reason.name)_count", "fixes \(reason.note)") { $0.reasonCounts[reason.name] ?? 0 }
    }
  }

  private static let times: [Column<TraceRow>] = [
    .real("sigma", "metres; standard deviation of the fixes, given or estimated") { $0.sigma },
    .optionalMoment("departure_date", "ISO 8601; first valid fix, in `timeZone`") { $0.departure?.text },
    .optionalMoment("arrival_date", "ISO 8601; last valid fix, kept or too close to a kept one") { $0.arrival?.text },
    .optionalMoment("expected_arrival_date", "ISO 8601; departure plus expected travel time") {
      $0.expectedArrival?.text
    },
    .lineBreak,
    .optionalText("weekday", "weekday of departure: `Mo` to `Su`") { $0.departure.map { Weekday.names[$0.weekday] } },
    .optionalInteger("hour", "hour of departure: 0 to 23") { $0.departure?.hour },
    .optionalInteger("seconds_from_gmt", "offset of `timeZone` from UTC, in seconds") { $0.departure?.secondsFromGMT },
    .lineBreak,
    .optionalReal("observed_time", "seconds from departure to arrival") { $0.observedMilliseconds.map(Units.seconds) },
    .optionalReal(
      "moving_time", "seconds along matched streets, without stops; NULL if the first or last fix of a part has no time"
    ) { $0.matched?.movingMilliseconds.map(Units.seconds) },
    .optionalReal("dwell_time", "seconds of all stops") { $0.dwellMilliseconds.map(Units.seconds) },
    .integer("stop_count", "rows of `stop`") { $0.stopCount },
    .lineBreak,
  ]

  private static let streetColumns: [Column<TraceRow>] = [
    .real("own_length", "straight-line metres between matched fixes of each part; between kept ones if none is matched")
    { Units.metres($0.ownCentimetres) },
    .optionalReal("distance", "metres along streets") { $0.matched.map { Units.metres($0.centimetres) } },
    .real("off_road_length", "straight-line metres off the streets") { Units.metres($0.offRoadCentimetres) },
    .optionalReal("expected_travel_time", "seconds for the matched streets, by the profile") {
      $0.matched.map { Units.seconds($0.milliseconds) }
    },
    .lineBreak,
    .optionalReal(
      "time_ratio", "moving time / expected travel time; NULL if either is 0"
    ) { $0.matched?.timeRatio },
    .optionalReal("fastest_distance", "metres of the fastest trips between the ends of each part") {
      $0.matched?.fastest.map { Units.metres($0.centimetres) }
    },
    .optionalReal("fastest_travel_time", "seconds of the fastest trips") {
      $0.matched?.fastest.map { Units.seconds($0.milliseconds) }
    },
    .optionalReal("detour", "distance / fastest distance; NULL if the latter is under 50 m") { $0.matched?.detour },
    .lineBreak,
    .optionalInteger("u_turn_count", "number of U-turns on a street") { $0.matched?.uTurnCount },
    .optionalReal("rms_distance", "root mean square distance of kept fixes from the streets, in metres") {
      $0.matched?.rmsDistance
    },
    .optionalReal("max_speed", "metres per second along the streets; maximum of the means over three consecutive steps")
    {
      $0.matched?.maxSpeed
    },
    .optionalReal("length_ratio", "distance / own length") { row in
      TraceRow.ratio(row.matched?.centimetres, row.ownCentimetres)
    },
    .lineBreak,
    .optionalReal("min_lon", "degrees; bounding box of the matched fixes, or of the kept ones if none is") {
      $0.degrees(\.minLongitude)
    },
    .optionalReal("min_lat", "degrees") { $0.degrees(\.minLatitude) },
    .optionalReal("max_lon", "degrees") { $0.degrees(\.maxLongitude) },
    .optionalReal("max_lat", "degrees") { $0.degrees(\.maxLatitude) },
    .optionalText("trace_group", "trace's `group` in the input") { $0.group },
    .lineBreak,
    .geometry("geom", .lineString) { $0.shape },
  ]
}
