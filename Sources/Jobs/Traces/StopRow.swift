import Geography
import Tables

/// A row of table `stop`: a stop of a trace.
struct StopRow: Sendable, JournaledFields {
  var trace = Identifier.number(0)
  /// The number of the stop, from 0.
  var n = 0
  var arrival = Moment()
  var departure = Moment()
  var point = FixedCoordinate(longitude: 0, latitude: 0)
  var street: StreetDirection?
  /// Centimetres from the street's start in its direction.
  var offset: Int?

  static let table = Table<StopRow>(
    "stop", "place where a trace stopped",
    [
      .rowNumber("fid"),
      .id("trace_id", "trace's id") { $0.trace },
      .integer("n", "number of the stop, from 0") { $0.n },
      .moment("arrival_date", "ISO 8601") { $0.arrival.text },
      .moment("departure_date", "ISO 8601") { $0.departure.text },
      .lineBreak,
      .real("seconds", "duration") { Units.seconds($0.departure.milliseconds - $0.arrival.milliseconds) },
      .real("latitude", "degrees; median of the fixes") { $0.point.coordinate.latitude },
      .real("longitude", "degrees") { $0.point.coordinate.longitude },
      .lineBreak,
      .optionalInteger("street_fid", "`fid` of the street in `street_used`; NULL if not matched") { $0.street?.fid },
      .optionalInteger("is_reversed", "1 against the direction of the street's shape") {
        $0.street.map { $0.isReversed ? 1 : 0 }
      },
      .optionalReal("offset", "metres from the street's start in the direction of travel") {
        $0.offset.map(Units.metres)
      },
      .point("geom") { $0.point },
    ])

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&trace, &n, &arrival, &departure, &point, &street)
    try journal.visit(&offset)
  }
}
