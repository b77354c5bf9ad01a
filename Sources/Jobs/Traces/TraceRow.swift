import Geography
import OpeningHours
import Tables

/// A row of table `trace`. Lengths in centimetres and times in milliseconds; metres and seconds in the table.
package struct TraceRow: Sendable, JournaledFields {
  package var id = Identifier.number(0)
  package var group: String?
  package var status = RowStatus.ok
  /// The reason for a status other than `ok`.
  package var statusReason: String?
  package var fixCount = 0
  package var keptCount = 0
  package var matchedCount = 0
  /// The numbers of unmatched fixes by reason.
  package var reasonCounts: [String: Int] = [:]
  package var partCount = 0
  /// Metres.
  package var sigma = 0.0
  /// The times of the first and the last kept fix; nil if fixes have no times.
  package var departure: Moment?
  package var arrival: Moment?
  package var stopCount = 0
  package var dwellMilliseconds: Int?
  /// For the kept fixes.
  package var ownCentimetres = 0
  package var offRoadCentimetres = 0
  package var box: BoundingBox?
  /// Nil if nothing was matched.
  package var matched: Matched?
  package var shape: GeometryBlob?

  package struct Matched: Sendable, JournaledFields {
    package var centimetres = 0
    package var milliseconds = 0
    package var movingMilliseconds: Int?
    /// The expected time of the streets with a known moving time.
    package var movingExpectedMilliseconds = 0
    /// The fastest trips between the ends of the parts; nil if one of them has none.
    package var fastest: Fastest?
    package var uTurnCount = 0
    /// Metres.
    package var rmsDistance: Double?
    /// Metres per second.
    package var maxSpeed: Double?
    package init() {}
    package init(
      centimetres: Int, milliseconds: Int, movingMilliseconds: Int?, movingExpectedMilliseconds: Int,
      fastest: Fastest?, uTurnCount: Int, rmsDistance: Double?, maxSpeed: Double?
    ) {
      (self.centimetres, self.milliseconds, self.fastest) = (centimetres, milliseconds, fastest)
      (self.movingMilliseconds, self.movingExpectedMilliseconds) = (movingMilliseconds, movingExpectedMilliseconds)
      self.uTurnCount = uTurnCount
      (self.rmsDistance, self.maxSpeed) = (rmsDistance, maxSpeed)
    }

    /// Nil if it did not move: speeds are distances / moving times.
    fileprivate var timeRatio: Double? {
      movingMilliseconds == 0 ? nil : TraceRow.ratio(movingMilliseconds, movingExpectedMilliseconds)
    }
    /// Meaningless for trips that end where they began.
    fileprivate var detour: Double? {
      fastest.flatMap { $0.centimetres >= 5_000 ? TraceRow.ratio(centimetres, $0.centimetres) : nil }
    }

    package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&centimetres, &milliseconds, &movingMilliseconds, &movingExpectedMilliseconds)
      try journal(&fastest, &uTurnCount, &rmsDistance, &maxSpeed)
    }
  }

  package init() {}
  package init(
    id: Identifier, group: String?, status: RowStatus, statusReason: String?, fixCount: Int, keptCount: Int,
    matchedCount: Int, reasonCounts: [String: Int], partCount: Int, sigma: Double, departure: Moment?, arrival: Moment?,
    stopCount: Int,
    dwellMilliseconds: Int?, ownCentimetres: Int, offRoadCentimetres: Int, box: BoundingBox?, matched: Matched?,
    shape: GeometryBlob?
  ) {
    (self.id, self.group, self.status, self.statusReason) = (id, group, status, statusReason)
    (self.fixCount, self.keptCount, self.matchedCount) = (fixCount, keptCount, matchedCount)
    self.reasonCounts = reasonCounts
    (self.partCount, self.sigma, self.departure, self.arrival) = (partCount, sigma, departure, arrival)
    (self.stopCount, self.dwellMilliseconds) = (stopCount, dwellMilliseconds)
    (self.ownCentimetres, self.offRoadCentimetres) = (ownCentimetres, offRoadCentimetres)
    (self.box, self.matched, self.shape) = (box, matched, shape)
  }

  package struct Fastest: Sendable, JournaledFields {
    package var centimetres = 0
    package var milliseconds = 0
    package init() {}

    package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&centimetres, &milliseconds)
    }
  }

  /// Nil for a division by zero.
  private static func ratio(_ dividend: Int?, _ divisor: Int?) -> Double? {
    guard let dividend, let divisor, divisor > 0 else { return nil }
    return Double(dividend) / Double(divisor)
  }

  private var observedMilliseconds: Int? {
    guard let departure, let arrival else { return nil }
    return arrival.milliseconds - departure.milliseconds
  }

  private func degrees(_ edge: KeyPath<BoundingBox, Int32>) -> Double? { box.map { Double($0[keyPath: edge]) / 1e7 } }

  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&id, &group, &status, &statusReason, &fixCount, &keptCount)
    try journal(&matchedCount, &reasonCounts, &partCount, &sigma, &departure, &arrival)
    try journal(&stopCount, &dwellMilliseconds, &ownCentimetres, &offRoadCentimetres, &box)
    try journal(&matched, &shape)
  }
}

extension TraceRow {
  /// Reasons for unmatched fixes, by their names in tables: dropped by the cleaning rules, or kept.
  package static let reasons: [(name: String, note: String, isKept: Bool)] = [
    ("invalid", "dropped: invalid coordinates", false),
    ("order", "dropped: earlier than a previous fix", false),
    ("age", "dropped: received too late", false), ("distance", "dropped: too close to the last kept fix", false),
    ("speed", "dropped: too fast", false), ("off_road", "kept, but unmatched: no street nearby", true),
    ("outlier", "kept, but unmatched: no route passes them", true),
    ("alone", "kept, but unmatched: isolated between two breaks", true),
  ]

  static let table = Table<TraceRow>("trace", "trace", outcome + reasonColumns + [.lineBreak] + times + ways)

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
    reasons.map { reason in
      .integer("\(reason.name)_count", "fixes \(reason.note)") { $0.reasonCounts[reason.name] ?? 0 }
    }
  }

  private static let times: [Column<TraceRow>] = [
    .real("sigma", "metres; standard deviation of the fixes, given or estimated") { $0.sigma },
    .optionalMoment("departure_date", "ISO 8601; first kept fix, in `timeZone`") {
      $0.departure?.text
    },
    .optionalMoment("arrival_date", "ISO 8601; last kept fix") { $0.arrival?.text },
    .optionalMoment("expected_arrival_date", "ISO 8601; departure plus expected travel time") { row in
      row.departure.flatMap { departure in
        row.matched.map { departure.adding(milliseconds: $0.milliseconds).text }
      }
    },
    .lineBreak,
    .optionalText("weekday", "weekday of departure: `Mo` to `Su`") { $0.departure.map { Weekday.names[$0.weekday] } },
    .optionalInteger("hour", "hour of departure: 0 to 23") { $0.departure?.hour },
    .optionalInteger("seconds_from_gmt", "offset of `timeZone` from UTC, in seconds") {
      $0.departure?.secondsFromGMT
    },
    .lineBreak,
    .optionalReal("observed_time", "seconds from departure to arrival") {
      $0.observedMilliseconds.map(Units.seconds)
    },
    .optionalReal("moving_time", "seconds along matched streets, without stops") {
      $0.matched?.movingMilliseconds.map(Units.seconds)
    },
    .optionalReal("dwell_time", "seconds of all stops") { $0.dwellMilliseconds.map(Units.seconds) },
    .integer("stop_count", "rows of `stop`") { $0.stopCount },
    .lineBreak,
  ]

  private static let ways: [Column<TraceRow>] = [
    .real("own_length", "straight-line metres between kept fixes") { Units.metres($0.ownCentimetres) },
    .optionalReal("distance", "metres along streets") { $0.matched.map { Units.metres($0.centimetres) } },
    .real("off_road_length", "straight-line metres off the streets") {
      Units.metres($0.offRoadCentimetres)
    },
    .optionalReal("expected_travel_time", "seconds for the matched streets, by the profile") {
      $0.matched.map { Units.seconds($0.milliseconds) }
    },
    .lineBreak,
    .optionalReal(
      "time_ratio", "moving time / expected travel time; NULL if the latter is 0"
    ) { $0.matched?.timeRatio },
    .optionalReal("fastest_distance", "metres of the fastest trips between the ends of each part") {
      $0.matched?.fastest.map { Units.metres($0.centimetres) }
    },
    .optionalReal("fastest_travel_time", "seconds of the fastest trips") {
      $0.matched?.fastest.map { Units.seconds($0.milliseconds) }
    },
    .optionalReal("detour", "distance / fastest distance; NULL under 50 m") { $0.matched?.detour },
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
    .optionalReal("min_lon", "degrees; bounding box of the kept fixes") { $0.degrees(\.minLongitude) },
    .optionalReal("min_lat", "degrees") { $0.degrees(\.minLatitude) },
    .optionalReal("max_lon", "degrees") { $0.degrees(\.maxLongitude) },
    .optionalReal("max_lat", "degrees") { $0.degrees(\.maxLatitude) },
    .optionalText("trace_group", "trace's `group` in the input") { $0.group },
    .lineBreak,
    .geometry("geom", .lineString) { $0.shape },
  ]
}
