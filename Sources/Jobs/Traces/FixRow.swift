import Foundation
import Geography
import StreetNetwork
import Tables

/// A row of table `fix_row`: a fix, as integers.
struct FixRow: Sendable, JournaledFields {
  /// The index of its trace in the chunk. The table stores the trace's `fid` instead.
  var trace = 0
  /// The number of the fix, from 0.
  var n = 0
  /// Milliseconds since 1970; nil if it has no time.
  var milliseconds: Int?
  /// The position; nil for invalid coordinates.
  var point: FixedCoordinate?
  var accuracyCentimetres: Int?
  var isKept = false
  var reason: String?
  var place: Place?

  /// The position of a fix on the streets.
  struct Place: Sendable, JournaledFields {
    var part = 0
    var street = StreetDirection(number: 0)
    /// Centimetres from the street's start in the direction of travel, from the fix to the street, and along the part.
    var offset = 0
    var snapDistance = 0
    var along = 0
    var point = FixedCoordinate(longitude: 0, latitude: 0)

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&part, &street, &offset, &snapDistance, &along, &point)
    }
  }

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&trace, &n, &milliseconds, &point, &accuracyCentimetres, &isKept)
    try journal(&reason, &place)
  }
}

/// A directed street in rows: twice the street's `fid`, plus one if reversed.
struct StreetDirection: Hashable, Sendable {
  let number: Int
  init(fid: Int, isReversed: Bool) { number = fid << 1 | (isReversed ? 1 : 0) }
  init(number: Int) { self.number = number }
  var fid: Int { number >> 1 }
  var isReversed: Bool { number & 1 == 1 }
}

extension FixRow {
  static let table = Table<FixRow>(
    "fix_row", "fix, as integers",
    [
      .rowNumber("fid"),
      .reference("trace_fid", "") { $0.trace },
      .integer("n", "number of the fix, from 0, in the order of the input") { $0.n },
      .optionalInteger("milliseconds", "") { $0.milliseconds },
      .optionalInteger("latitude_e7", "") { $0.point.map { Int($0.latitude) } },
      .optionalInteger("longitude_e7", "") { $0.point.map { Int($0.longitude) } },
      .lineBreak,
      .optionalInteger("accuracy_cm", "") { $0.accuracyCentimetres },
      .integer("kept", "1 if the cleaning rules kept it") { $0.isKept ? 1 : 0 },
      .optionalText(
        "reason",
        "`order`, `age`, `distance` or `speed` if dropped; `off_road`, `outlier` or `alone` if kept, "
          + "but not matched"
      ) { $0.reason },
      .lineBreak,
      .optionalInteger("part", "part of the trace, from 0; this and the following columns are NULL if not matched") {
        $0.place?.part
      },
      .optionalInteger("street", "") { $0.place?.street.number },
      .optionalInteger("offset_cm", "") { $0.place?.offset },
      .optionalInteger("snap_cm", "") { $0.place?.snapDistance },
      .lineBreak,
      .optionalInteger("matched_latitude_e7", "") { $0.place.map { Int($0.point.latitude) } },
      .optionalInteger("matched_longitude_e7", "") { $0.place.map { Int($0.point.longitude) } },
      .optionalInteger("along_cm", "") { $0.place?.along },
    ])

  /// The view of fixes with the ids of their traces. The join order is fixed, so that scans follow the order of the
  /// input.
  static let view = View(
    "fix", "fix of a trace, with `fixes: \"table\"`",
    View.Column.of(table, "fid", qualifier: "fix_row")
      + [.init("trace_id", .id, "`trace_id` of its trace")] + View.Column.of(table, "n")
      + [
        .init(
          "date", .text, "ISO 8601, with the UTC offset of the trace's departure", as: Moment.sql("milliseconds")),
        .lineBreak,
        .init("latitude", .real, "degrees", as: "latitude_e7 / 1e7"),
        .init("longitude", .real, "degrees", as: "longitude_e7 / 1e7"),
        .init("accuracy", .real, "metres, as in the input", as: "accuracy_cm / 100.0"),
      ] + View.Column.of(table, "kept", "reason", "part")
      + [
        .lineBreak,
        .init("street_fid", .integer, "`fid` of the street in `street_used`", as: "street >> 1"),
        .init("is_reversed", .integer, "1 if against the direction of the street's shape", as: "street & 1"),
        .init("offset", .real, "metres from the street's start in the direction of travel", as: "offset_cm / 100.0"),
        .init("snap_distance", .real, "metres from the fix to the street", as: "snap_cm / 100.0"),
        .lineBreak,
        .init("matched_latitude", .real, "degrees; matched point on the street", as: "matched_latitude_e7 / 1e7"),
        .init("matched_longitude", .real, "degrees", as: "matched_longitude_e7 / 1e7"),
        .init("along", .real, "metres along the part, from its start", as: "along_cm / 100.0"),
      ],
    from: "fix_row LEFT JOIN trace ON trace.fid = trace_fid",
    models: ["integer": "trace.fix_count", "real": "trace.distance", "text": "trace.status"])
}

extension Moment {
  /// Returns a date in ISO 8601 as SQL, as `text` does, from milliseconds since 1970 and `seconds_from_gmt` of table
  /// `trace`.
  static func sql(_ milliseconds: String) -> String {
    // Traces without a departure, whose fixes were dropped, use UTC.
    let zone = "coalesce(seconds_from_gmt, 0)"
    return """
      strftime(CASE WHEN \(milliseconds) % 1000 = 0 THEN '%Y-%m-%dT%H:%M:%S' ELSE '%Y-%m-%dT%H:%M:%f' END,
            \(milliseconds) / 1000.0 + \(zone), 'unixepoch') || CASE WHEN \(zone) = 0 THEN 'Z'
            ELSE printf('%s%02d:%02d', CASE WHEN \(zone) < 0 THEN '-' ELSE '+' END,
              abs(\(zone)) / 3600, abs(\(zone)) / 60 % 60) END
      """
  }
}

extension StreetDirection: Journaled {
  package func write(to journal: inout JournalWriter) { journal.put(number) }
  package init(from journal: inout JournalReader) throws { self.init(number: try journal.take()) }
}

extension LocalClock {
  /// Returns the local time at an instant, in milliseconds since 1970.
  func moment(_ milliseconds: Int) -> Moment {
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    return Moment(milliseconds: milliseconds, secondsFromGMT: secondsFromGMT(at: seconds))
  }

  func moment(_ date: Date) -> Moment? { Moment.milliseconds(date).map { moment($0) } }
}

extension Moment {
  /// Returns milliseconds since 1970; nil without a date, and for a date outside the calendar.
  static func milliseconds(_ date: Date?) -> Int? { milliseconds(date?.timeIntervalSince1970) }

  static func milliseconds(_ seconds: Double?) -> Int? {
    guard let seconds, abs(seconds) < 1e11 else { return nil }
    return Int((seconds * 1000).rounded())
  }
}
