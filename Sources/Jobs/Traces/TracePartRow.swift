import Geography
import Tables

/// A row of table `trace_part`: a continuous part of a trace.
struct TracePartRow: Sendable, JournaledFields {
  var trace = Identifier.number(0)
  /// The number of the part, from 0.
  var part = 0
  var beginReason = ""
  var firstFix = 0
  var lastFix = 0
  var departure: Moment?
  var arrival: Moment?
  var centimetres = 0
  var milliseconds = 0
  var name: String?
  var shape = GeometryBlob(bytes: [])

  /// The time from the first to the last fix; nil if fixes have no times.
  var observedMilliseconds: Int? {
    guard let departure, let arrival else { return nil }
    return arrival.milliseconds - departure.milliseconds
  }

  static let table = Table<TracePartRow>(
    "trace_part", "unbroken matched part of a trace",
    [
      .rowNumber("fid"),
      .id("trace_id", "trace's id") { $0.trace },
      .integer("part", "number of the part, from 0") { $0.part },
      .text("begin_reason", "`start`, or cause of the break before it: `gap`, `unreachable`, `off_road`") {
        $0.beginReason
      },
      .lineBreak,
      .integer("first_fix", "`n` of its first fix") { $0.firstFix },
      .integer("last_fix", "`n` of its last fix") { $0.lastFix },
      .optionalMoment("departure_date", "ISO 8601; start") { $0.departure?.text },
      .optionalMoment("arrival_date", "ISO 8601; end") { $0.arrival?.text },
      .optionalMoment("expected_arrival_date", "ISO 8601; departure plus expected travel time") { row in
        row.departure.map { $0.adding(milliseconds: row.milliseconds).text }
      },
      .lineBreak,
      .real("distance", "metres along streets") { Units.metres($0.centimetres) },
      .real("expected_travel_time", "seconds at the profile's speeds") { Units.seconds($0.milliseconds) },
      .optionalReal("observed_time", "seconds from the first to the last fix, including stops") {
        $0.observedMilliseconds.map(Units.seconds)
      },
      .optionalText("name", "main streets") { $0.name },
      .lineBreak,
      .geometry("geom", .lineString) { $0.shape },
    ])

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&trace, &part, &beginReason, &firstFix, &lastFix, &departure)
    try journal(&arrival, &centimetres, &milliseconds, &name, &shape)
  }
}
