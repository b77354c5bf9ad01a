import Tables

/// A row of table `trace_street_row`: a street passed by a trace, as integers.
struct TraceStreetRow: Sendable, JournaledFields {
  /// The index of its trace in the chunk. The table stores the trace's `fid` instead.
  var trace = 0
  var part = 0
  /// The number of the street within the part, from 0.
  var n = 0
  var street = StreetDirection(number: 0)
  /// Centimetres from the street's start in the direction of travel.
  var from = 0
  var to = 0
  var isUTurn = false
  /// Milliseconds since 1970; nil if fixes have no times.
  var entered: Int?
  var left: Int?
  /// The time without stops.
  var observedMilliseconds: Int?
  var expectedMilliseconds = 0
  /// The hour and kind of day at which the trace entered the street, in local time.
  var period: SpeedPeriod?

  static let table = Table<TraceStreetRow>(
    "trace_street_row", "street that a trace passed, as integers",
    [
      .rowNumber("fid"),
      .reference("trace_fid", "") { $0.trace },
      .integer("part", "part of the trace, from 0") { $0.part },
      .integer("n", "number of the street, from 0, in the order of travel") { $0.n },
      .integer("street", "") { $0.street.number },
      .lineBreak,
      .integer("from_cm", "") { $0.from },
      .integer("to_cm", "") { $0.to },
      .integer("is_u_turn", "1 if entered by a U-turn") { $0.isUTurn ? 1 : 0 },
      .optionalInteger("entered_ms", "") { $0.entered },
      .optionalInteger("left_ms", "") { $0.left },
      .lineBreak,
      .optionalInteger("observed_ms", "") { $0.observedMilliseconds },
      .integer("expected_ms", "") { $0.expectedMilliseconds },
      .optionalInteger("period", "") { $0.period?.number },
    ])

  static let view = View(
    "trace_street", "street, or part of one, that a trace passed",
    View.Column.of(table, "fid", qualifier: "trace_street_row")
      + [.init("trace_id", .id, "`trace_id` of its trace")] + View.Column.of(table, "part", "n")
      + [
        .init("street_fid", .integer, "`fid` of the street in `street_used`", as: "street >> 1"),
        .init("is_reversed", .integer, "1 if against the direction of the street's shape", as: "street & 1"),
        .lineBreak,
        .init("from_offset", .real, "metres from the street's start in the direction of travel", as: "from_cm / 100.0"),
        .init("to_offset", .real, "metres from the street's start in the direction of travel", as: "to_cm / 100.0"),
      ] + View.Column.of(table, "is_u_turn")
      + [
        .lineBreak,
        .init(
          "enter_date", .text, "ISO 8601, with the UTC offset of the trace's departure",
          as: Moment.sql("entered_ms")),
        .init(
          "leave_date", .text, "ISO 8601, with the UTC offset of the trace's departure", as: Moment.sql("left_ms")),
        .lineBreak,
        .init(
          "observed_time", .real,
          "seconds without stops; time between fixes is divided in proportion to expected times",
          as: "observed_ms / 1000.0"),
        .init(
          "expected_travel_time", .real, "seconds at the profile's speeds, including the turn into the street",
          as: "expected_ms / 1000.0"),
      ],
    from: "trace_street_row LEFT JOIN trace ON trace.fid = trace_fid",
    models: ["integer": "trace.fix_count", "real": "trace.distance", "text": "trace.status"])

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&trace, &part, &n, &street, &from, &to)
    try journal(&isUTurn, &entered, &left, &observedMilliseconds, &expectedMilliseconds, &period)
  }
}
