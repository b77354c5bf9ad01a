import Geography
import Tables
import Transit
import TransitNetwork

/// A row of table `ride`: the part of a trip in one vehicle.
struct RideRow: Sendable, JournaledFields {
  var pair = Identifier.number(0)
  /// The number of the leg, as in `RouteRow`.
  var leg: Int?
  var hour: Int?
  /// The number of the ride, from 1.
  var number = 1
  var line = ""
  /// Nil if the feed has no valid type.
  var routeType: Int?
  /// 0xRRGGBB; nil if the feed has no colour.
  var color: Int?
  var textColor: Int?
  var headsign = ""
  var feed = 1
  var tripID = ""
  var fromStopID = ""
  var fromStop = ""
  var toStopID = ""
  var toStop = ""
  /// ISO 8601.
  var departure = ""
  var arrival = ""
  var stops = 1
  var staysSeated = false
  var centimetres: Int64 = 0
  /// The shape of the ride; nil if the database has none.
  var shape: GeometryBlob?

  /// - Parameter axes: The columns that distinguish the rows of a pair.
  static func table(_ axes: [RowAxis.Column]) -> Table<RideRow> {
    let ids: [Column<RideRow>] = [.rowNumber("fid"), .id("pair_id", "pair's id") { $0.pair }]
    return Table("ride", "vehicle ride of a trip by transit", ids + Column.axis(axes) { $0.hour } + rest)
  }

  private static let rest: [Column<RideRow>] =
    [
      .integer("leg", "as in `route`") { $0.leg ?? 1 },
      .integer("ride", "number of the ride, from 1") { $0.number },
      .lineBreak,
      .text("line", "`route_short_name`, else `route_long_name`, else `route_id`") { $0.line },
      .optionalInteger("route_type", "`route_type` in the feed; NULL if missing or invalid") { $0.routeType },
      .optionalText("route_color", "colour of the line, such as `#0067B1`; NULL if the feed has none") {
        $0.color.map(color)
      },
      .optionalText("route_text_color", "text colour on `route_color`") { $0.textColor.map(color) },
      .text("headsign", "`stop_headsign`, else `trip_headsign`; empty if the feed has none") { $0.headsign },
      .integer("feed", "number of the feed in table `feed`") { $0.feed },
      .text("trip_id", "trip id in the feed; the next four columns are also from the feed") { $0.tripID },
      .lineBreak,
      .text("from_stop_id", "boarding stop") { $0.fromStopID },
      .text("from_stop", "name of the boarding stop") { $0.fromStop },
      .text("to_stop_id", "alighting stop, or the stop at which riders stay on board") { $0.toStopID },
      .text("to_stop", "name of that stop") { $0.toStop },
      .lineBreak,
      .moment("departure_date", "ISO 8601; departure of the vehicle") { $0.departure },
      .moment("arrival_date", "ISO 8601; arrival of the vehicle") { $0.arrival },
      .integer("stops", "number of stops after boarding, including the alighting stop") { $0.stops },
      .integer("stays_seated", "1 if riders stay in the vehicle of the previous row; this does not count as a ride") {
        $0.staysSeated ? 1 : 0
      },
      .real("distance", "metres along `geom`") { Units.metres($0.centimetres) },
      Column.geometry("geom", .lineString) { $0.shape },
    ]

  private static func color(_ number: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  static let layer = GeoPackage.Layer(table: "ride", geometry: .lineString, description: "Rides of trips by transit")

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&pair, &leg, &hour, &number, &line, &routeType)
    try journal(&color, &textColor, &headsign, &feed, &tripID)
    try journal(&fromStopID, &fromStop, &toStopID, &toStop)
    try journal(&departure, &arrival, &stops, &staysSeated, &centimetres, &shape)
  }
}

extension RideRow {
  /// Creates a row for a trip; the caller sets the pair.
  ///
  /// - Parameter number: The number of the ride, from 1.
  init(
    _ ride: TransitRoutes.Ride, number: Int, of timetable: Timetable, at instant: TransitInstant, hasShapes: Bool
  ) {
    let (vehicle, words) = (ride.vehicle, ride.words)
    let trip = timetable.trips[timetable.trip(of: vehicle.boarding)]
    let line = timetable.lines[Int(trip.line)]
    self.init()
    (self.number, self.line, routeType) = (number, words.line, RideRow.optional(line.type))
    (color, textColor) = (RideRow.optional(line.color), RideRow.optional(line.textColor))
    (headsign, feed, tripID) = (words.headsign, Int(line.feed) + 1, timetable.text(trip.id))
    (fromStopID, fromStop) = (timetable.text(timetable.stops[ride.from].id), words.stop)
    (toStopID, toStop) = (timetable.text(timetable.stops[ride.to].id), words.lastStop)
    departure = instant.text(ofSecondsFromMidnight: vehicle.departure)
    arrival = instant.text(ofSecondsFromMidnight: vehicle.arrival)
    (stops, staysSeated) = (words.stops, words.staysSeated)
    centimetres = Int64(words.centimetres)
    if hasShapes { shape = GeometryBlob(line: words.points[...]) }
  }

  private static func optional(_ value: UInt32) -> Int? { value == Timetable.none ? nil : Int(value) }
}
