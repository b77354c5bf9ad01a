import Geography
import Tables

/// A row of table `route`. Lengths in centimetres and times in milliseconds; metres and seconds in the table.
package struct RouteRow: Sendable {
  package var pair = Identifier.number(0)
  package var alternative = 0
  /// Which of its pair's legs, from 1; nil where the pair has one.
  package var leg: Int?
  package var origin = Identifier.number(0)
  package var destination = Identifier.number(0)
  package var group: String?
  /// How much its pair counts: trips, say.
  package var weight: Double?
  /// What its pair avoids in addition to the job: "tolls".
  package var avoids: String?
  package var status = RowStatus.ok
  /// Why it has no route; nil where it has one.
  package var reason: String?
  package var transportType = ""
  /// Between the points that the distance is between: no more than that.
  package var straightLineCentimetres: Int64 = 0
  /// Nil unless the status is `ok`.
  package var found: Found?
  /// ISO 8601; nil where neither the job nor its row has a date.
  package var departure: String?
  package var arrival: String?
  /// ISO 8601: by when its pair is to arrive; nil if that is not fixed, and in jobs with hours.
  var arrivalTime: String?
  /// Its hour among those of the job, from 1, or its percentile; nil where the job names none.
  package var hour: Int?
  /// What opens the trip in Maps, where wanted.
  package var link: String?

  package struct Found: Sendable {
    package var centimetres: Int64 = 0
    package var milliseconds: Int64 = 0
    /// In free flow, and spent waiting for what is closed and for ferries; nil in a job without hours.
    var staticMilliseconds: Int64?
    package var waitingMilliseconds: Int64?
    /// Nil in a job that travels on streets alone.
    package var transit: TransitParts?
    /// The rest is nil for kind `etas`.
    package var route: Details?
    package init() {}
    package init(centimetres: Int64, milliseconds: Int64, route: Details? = nil) {
      (self.centimetres, self.milliseconds, self.route) = (centimetres, milliseconds, route)
    }
  }

  package struct Details: Sendable {
    package var name = ""
    package var stepCount = 0
    package var hasTolls = false
    package var hasHighways = false
    package var advisoryNotices: [String] = []
    /// Centimetres up and down; nil where the heights of the ground are not known.
    package var ascent: Int64?
    package var descent: Int64?
    /// Of the shape's points; nil where they are not known, or the database has no shape.
    package var heights: RouteHeights?
    /// Nil where the database has none.
    package var shape: GeometryBlob?
    package init() {}
    package init(
      name: String, stepCount: Int, hasTolls: Bool, hasHighways: Bool, advisoryNotices: [String], shape: Polyline
    ) {
      (self.name, self.stepCount, self.hasTolls, self.hasHighways) = (name, stepCount, hasTolls, hasHighways)
      self.advisoryNotices = advisoryNotices
      self.shape = GeometryBlob(line: shape.points)
    }
  }

  package init() {}
  package init(
    pair: Identifier, origin: Identifier, destination: Identifier, group: String?, status: RowStatus,
    transportType: String, straightLineCentimetres: Int64, found: Found?
  ) {
    (self.pair, self.origin, self.destination, self.group) = (pair, origin, destination, group)
    (self.status, self.transportType, self.found) = (status, transportType, found)
    // A way is as long as its pieces, each to the centimetre; a straight one may be some of them short.
    let length = found.flatMap { $0.hasLength ? $0.centimetres : nil }
    self.straightLineCentimetres = min(straightLineCentimetres, length ?? straightLineCentimetres)
  }
}

extension RouteRow {
  /// - Parameters:
  ///   - axis: The columns that tell the rows of a pair apart.
  ///   - hasTimes: Whether trips have times, of the job or of their rows.
  ///   - hasHeights: Whether the network knows how high streets lie.
  ///   - hasRides: Whether trips are by public transport.
  static func table(_ axis: [RowAxis.Column], hasTimes: Bool, hasHeights: Bool, hasRides: Bool) -> Table<RouteRow> {
    let ids: [Column<RouteRow>] = [
      .rowNumber("fid"),
      .id("pair_id", "the pair's id in the input, else its row") { $0.pair },
    ]
    let times: [Column<RouteRow>] = [
      .optionalReal(
        "static_travel_time", "seconds of the fastest trip in free flow; this and the next only where trips have times"
      ) {
        $0.found?.staticMilliseconds.map { Units.seconds($0) }
      },
      .optionalReal(
        "waiting_time", "seconds of the travel time spent waiting: for what is closed, for ferries, and at stops"
      ) {
        $0.found?.waitingMilliseconds.map { Units.seconds($0) }
      },
    ]
    let rides: [Column<RouteRow>] = [
      .optionalInteger(
        "rides", "vehicles taken, 0 on foot all the way; this and the next four only in a job by transit"
      ) { $0.found?.transit?.rides },
      .optionalReal("access_time", "seconds on foot to the first stop, or all the way") {
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
      .optionalReal(
        "ascent", "metres that it leads up; this and the next only in a job with `elevation`, kind `routes`"
      ) {
        $0.found?.route?.ascent.map { Units.metres($0) }
      },
      .optionalReal("descent", "metres that it leads down") { $0.found?.route?.descent.map { Units.metres($0) } },
      .optionalText("heights", "metres above the sea of each point of `geom`, as a list in JSON") {
        $0.found?.route?.heights?.text
      }.omittable,
    ]
    return Table(
      "route", "pair, hour where the job has hours, and alternate route",
      ids + Column.axis(axis) { $0.hour } + ends + (hasTimes ? times : []) + (hasRides ? rides : [])
        + (hasHeights ? climbs : []) + rest)
  }

  private static let ends: [Column<RouteRow>] = [
    .integer("leg", "which leg of its pair, from 1: to the first waypoint, to the next, to the destination") {
      $0.leg ?? 1
    },
    .integer("alternative", "0 for the best route, 1 and 2 for alternates") { $0.alternative },
    .id("origin_id", "`place_id` of the origin") { $0.origin },
    .lineBreak,
    .id("destination_id", "`place_id` of the destination") { $0.destination },
    .text("status", "`ok`, `directions_not_found`, `placemark_not_found` or `outside_coverage`") {
      $0.status.rawValue
    },
    .optionalText(
      "reason",
      "why there is no route: `origin: off_map` and the like, by `place.reason`, also of `destination`; `origin: island of 3 junctions`; "
        + "`origin: cannot be left`, `destination: cannot be entered`; `closed` where there is one at other times; `too_long` where there is a way, but one of more than 597 "
        + "hours; `no_time` where the leg it follows has no route; `beyond_limit` where no trip by transit is within the limit"
    ) { $0.reason },
    .optionalReal("distance", "metres; NULL of trips with rides") { row in
      row.found.flatMap { $0.hasLength ? Units.metres($0.centimetres) : nil }
    },
    .optionalReal("expected_travel_time", "seconds") { $0.found.map { Units.seconds($0.milliseconds) } },
  ]

  private static let rest: [Column<RouteRow>] = [
    .text("transport_type", "`automobile`, `cycling`, `walking` or `transit`") { $0.transportType },
    .lineBreak,
    .optionalText("name", "the streets it uses most: \"via …\"; kind `routes`, as all but the last of what follows") {
      $0.found?.route?.name
    },
    .optionalInteger("step_count", "how many steps it has") { $0.found?.route?.stepCount },
    .optionalReal("crow_fly_distance", "metres in a straight line, between the points that `distance` is between") {
      Units.metres($0.straightLineCentimetres)
    },
    .optionalInteger("has_tolls", "1 if it uses a toll road") { $0.found?.route.map { $0.hasTolls ? 1 : 0 } },
    .optionalInteger("has_highways", "1 if it uses a motorway") { $0.found?.route.map { $0.hasHighways ? 1 : 0 } },
    .lineBreak,
    .optionalText("advisory_notices", "what a traveller should know: tolls, private or unpaved roads") {
      $0.found?.route.flatMap { $0.advisoryNotices.isEmpty ? nil : $0.advisoryNotices.joined(separator: " ") }
    },
    .optionalMoment("departure_date", "ISO 8601, where the job or the row has a date") { $0.departure },
    .optionalMoment("expected_arrival_date", "ISO 8601, likewise") { $0.arrival },
    .optionalMoment(
      "arrival_time", "ISO 8601; latest arrival by the pair's `arrival_time` in the input or the job's `arrivalDate`"
    ) {
      $0.arrivalTime
    },
    .optionalText("pair_group", "the pair's `group` in the input") { $0.group },
    .optionalReal("weight", "how much the pair counts: its `weight`, `volume` or the like in the input") { $0.weight },
    .optionalText("avoids", "`tolls`, `highways` or both, by the pair's link or column `avoid`") { $0.avoids },
    .optionalText("link", "opens the trip in Maps, with `--links`") { $0.link },
    .lineBreak,
    Column.geometry("geom", .lineString) { $0.found?.route?.shape }.omittable,
  ]
}

/// Units of the tables from those of the engine.
enum Units {
  static func metres(_ centimetres: some BinaryInteger) -> Double { Double(centimetres) / 100 }
  static func seconds(_ milliseconds: some BinaryInteger) -> Double { Double(milliseconds) / 1000 }
}

extension RouteRow: JournaledFields {
  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&pair, &alternative, &leg, &origin, &destination, &group)
    try journal(&weight, &avoids, &status, &reason, &transportType, &straightLineCentimetres)
    try journal(&found, &departure, &arrival, &arrivalTime, &hour, &link)
  }
}

extension RouteRow.Found: JournaledFields {
  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&centimetres, &milliseconds, &staticMilliseconds, &waitingMilliseconds, &transit, &route)
  }
}

extension RouteRow.Details: JournaledFields {
  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&name, &stepCount, &hasTolls, &hasHighways, &advisoryNotices)
    try journal(&ascent, &descent, &heights, &shape)
  }
}
