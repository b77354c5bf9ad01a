import Geography
import Tables

/// A row of table `route`. Lengths are in centimetres and times in milliseconds; the table has metres and seconds.
struct RouteRow: Sendable, JournaledFields {
  var pair = Identifier.number(0)
  var alternative = 0
  /// The number of the pair's leg, from 1; nil if the pair has only one.
  var leg: Int?
  var origin = Identifier.number(0)
  var destination = Identifier.number(0)
  var group: String?
  /// The pair's weight, such as a number of trips.
  var weight: Double?
  /// The pair's avoidances in addition to the job's, such as "tolls".
  var avoids: String?
  var status = RowStatus.ok
  /// The cause of a missing route; nil if there is a route.
  var reason: String?
  var transportType = ""
  /// The length of the straight line between the ends of the route; never more than the route's length.
  var straightLineCentimetres: Int64 = 0
  /// The result; nil unless the status is `ok`.
  var found: Found?
  /// ISO 8601; nil if neither the job nor the pair has a date.
  var departure: String?
  var arrival: String?
  /// The pair's latest arrival in ISO 8601; nil if the pair has none, or the job has hours.
  var arrivalTime: String?
  /// The number of its hour, from 1, or its percentile; nil in jobs without hours and percentiles.
  var hour: Int?
  /// The Maps link of the trip, if requested.
  var link: String?

  struct Found: Sendable, JournaledFields {
    var centimetres: Int64 = 0
    var milliseconds: Int64 = 0
    /// The free-flow time and the waiting time; nil in a job without hours.
    var staticMilliseconds: Int64?
    var waitingMilliseconds: Int64?
    /// The parts of a transit trip; nil in a job without transit.
    var transit: TransitParts?
    /// The details of the route; nil for kind `etas`.
    var route: Details?

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&centimetres, &milliseconds, &staticMilliseconds, &waitingMilliseconds, &transit, &route)
    }
  }

  struct Details: Sendable, JournaledFields {
    var name = ""
    var stepCount = 0
    var hasTolls = false
    var hasHighways = false
    var advisoryNotices: [String] = []
    /// Centimetres of ascent and descent; nil without a DEM.
    var ascent: Int64?
    var descent: Int64?
    /// Elevations of the shape's points; nil without a DEM, or if the database has no shape.
    var heights: RouteHeights?
    /// The line of the route; nil if the database does not store it, or if the route has no length.
    var shape: GeometryBlob?

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&name, &stepCount, &hasTolls, &hasHighways, &advisoryNotices)
      try journal(&ascent, &descent, &heights, &shape)
    }
  }

  init() {}
  init(
    pair: Identifier, origin: Identifier, destination: Identifier, group: String?, status: RowStatus,
    transportType: String, straightLineCentimetres: Int64, found: Found?
  ) {
    (self.pair, self.origin, self.destination, self.group) = (pair, origin, destination, group)
    (self.status, self.transportType, self.found) = (status, transportType, found)
    // A route's length is the sum of its pieces, each rounded to the centimetre, so it may be slightly shorter than the
    // straight line.
    let length = found.flatMap { $0.hasLength ? $0.centimetres : nil }
    self.straightLineCentimetres = min(straightLineCentimetres, length ?? straightLineCentimetres)
  }

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&pair, &alternative, &leg, &origin, &destination, &group)
    try journal(&weight, &avoids, &status, &reason, &transportType, &straightLineCentimetres)
    try journal(&found, &departure, &arrival, &arrivalTime, &hour, &link)
  }
}

extension RouteRow {
  /// - Parameters:
  ///   - axis: The columns that distinguish the rows of a pair.
  ///   - hasTimes: Whether trips have times, of the job or of their rows.
  ///   - hasHeights: Whether the network has elevations.
  ///   - hasRides: Whether trips are by public transport.
  static func table(_ axis: [RowAxis.Column], hasTimes: Bool, hasHeights: Bool, hasRides: Bool) -> Table<RouteRow> {
    let ids: [Column<RouteRow>] = [
      .rowNumber("fid"),
      .id("pair_id", "pair's id in the input, else its row number") { $0.pair },
    ]
    let times: [Column<RouteRow>] = [
      .optionalReal(
        "static_travel_time",
        "free-flow time of the fastest trip in seconds; this and the next only for trips with times"
      ) { $0.found?.staticMilliseconds.map { Units.seconds($0) } },
      .optionalReal("waiting_time", "seconds spent waiting at closed streets, for ferries and at stops") {
        $0.found?.waitingMilliseconds.map { Units.seconds($0) }
      },
    ]
    let rides: [Column<RouteRow>] = [
      .optionalInteger(
        "rides", "number of rides, 0 for trips entirely on foot; this and the next four only in transit jobs"
      ) { $0.found?.transit?.rides },
      .optionalReal("access_time", "seconds on foot to the first stop, or of the whole trip if entirely on foot") {
        ($0.found?.transit?.access).map { Units.seconds($0) }
      },
      .optionalReal("riding_time", "seconds in vehicles") { ($0.found?.transit?.riding).map { Units.seconds($0) } },
      .optionalReal("transfer_time", "seconds on foot between vehicles") {
        ($0.found?.transit?.transfer).map { Units.seconds($0) }
      },
      .optionalReal("egress_time", "seconds on foot from the last stop") {
        ($0.found?.transit?.egress).map { Units.seconds($0) }
      },
    ]
    let climbs: [Column<RouteRow>] = [
      .optionalReal("ascent", "metres of ascent; this and the next two only in jobs of kind `routes` with `elevation`")
      {
        $0.found?.route?.ascent.map { Units.metres($0) }
      },
      .optionalReal("descent", "metres of descent") { $0.found?.route?.descent.map { Units.metres($0) } },
      .optionalText("heights", "elevation in metres of each point of `geom`, as a JSON array") {
        $0.found?.route?.heights?.text
      }.omittable,
    ]
    return Table(
      "route",
      "pair and alternate route, and per departure or percentile if the job has several; "
        + "also in kind `access` with `routes: true`",
      ids + Column.axis(axis) { $0.hour } + ends + (hasTimes ? times : []) + (hasRides ? rides : [])
        + (hasHeights ? climbs : []) + rest)
  }

  private static let ends: [Column<RouteRow>] = [
    .integer("leg", "number of the leg within its pair, from 1") { $0.leg ?? 1 },
    .integer("alternative", "0 for the best route, 1 and 2 for alternates") { $0.alternative },
    .id("origin_id", "`place_id` of the origin") { $0.origin },
    .lineBreak,
    .id("destination_id", "`place_id` of the destination") { $0.destination },
    .text("status", "`ok`, `directions_not_found`, `placemark_not_found` or `outside_coverage`") { $0.status.rawValue },
    .optionalText(
      "reason",
      "cause of a missing route: `origin:` or `destination:` with a `place.reason`, e.g. `origin: off_map`; "
        + "`origin: island of 3 junctions`; `origin: cannot be left`, `destination: cannot be entered`; "
        + "`closed` if there is a route at other times; `too_long` if the route takes more than 596 hours; "
        + "`no_time` if an earlier leg (with arrivals, a later one) has no route; "
        + "`beyond_limit` if no transit trip is within the limit"
    ) { $0.reason },
    .optionalReal("distance", "metres, including rides along vehicle routes; NULL for trips with rides in kind `etas`")
    { row in row.found.flatMap { $0.hasLength ? Units.metres($0.centimetres) : nil } },
    .optionalReal("expected_travel_time", "seconds") { $0.found.map { Units.seconds($0.milliseconds) } },
  ]

  private static let rest: [Column<RouteRow>] = [
    .text("transport_type", "`automobile`, `cycling`, `walking` or `transit`") { $0.transportType },
    .lineBreak,
    .optionalText("name", "main streets: \"via …\"; this and the following columns only in kind `routes`") {
      $0.found?.route?.name
    },
    .optionalInteger("step_count", "number of steps") { $0.found?.route?.stepCount },
    .optionalReal("crow_fly_distance", "straight-line distance in metres between the route's ends") {
      Units.metres($0.straightLineCentimetres)
    },
    .optionalInteger("has_tolls", "1 if the route uses a toll road") { $0.found?.route.map { $0.hasTolls ? 1 : 0 } },
    .optionalInteger("has_highways", "1 if the route uses a motorway") {
      $0.found?.route.map { $0.hasHighways ? 1 : 0 }
    },
    .lineBreak,
    .optionalText("advisory_notices", "notices about tolls, private or unpaved roads") {
      $0.found?.route.flatMap { $0.advisoryNotices.isEmpty ? nil : $0.advisoryNotices.joined(separator: " ") }
    },
    .optionalMoment("departure_date", "ISO 8601, if the job or the row has a date") { $0.departure },
    .optionalMoment("expected_arrival_date", "ISO 8601, if the job or the row has a date") { $0.arrival },
    .optionalMoment(
      "arrival_time", "ISO 8601; requested latest arrival: the pair's `arrival_time` or the job's `arrivalDate`"
    ) { $0.arrivalTime },
    .optionalText("pair_group", "pair's `group` in the input") { $0.group },
    .optionalReal("weight", "pair's weight: `weight`, `volume` or a similar column of the input") { $0.weight },
    .optionalText("avoids", "`tolls`, `highways` or both, from the pair's link or column `avoid`") { $0.avoids },
    .optionalText("link", "Maps link of the trip, with `--links`") { $0.link },
    .lineBreak,
    Column.geometry("geom", .lineString) { $0.found?.route?.shape }.omittable,
  ]
}

/// Conversion from the engine's units to the units of tables.
enum Units {
  static func metres(_ centimetres: some BinaryInteger) -> Double { Double(centimetres) / 100 }
  static func seconds(_ milliseconds: some BinaryInteger) -> Double { Double(milliseconds) / 1000 }
}
