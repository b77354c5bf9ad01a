import Foundation
import Geography
import Hierarchy
import Input
import Routing
import Tables

// Converts matches to rows of their tables.

extension TraceRow {
  init(_ trace: RecordedTrace, _ match: Match, _ clock: LocalClock) {
    self.init()
    (id, group, status, statusReason) = (trace.id, trace.group, RowStatus(match.status), match.statusReason)
    var kept: [FixedCoordinate] = []
    // In metres and square metres.
    var (ownLength, squareSum) = (0.0, 0.0)
    var (begin, end): (Date?, Date?)
    var last: (point: FixedCoordinate, part: Int?)?
    for (fix, matched) in zip(trace.fixes, match.fixes) {
      if let reason = matched.reason { reasonCounts[reason.rawValue, default: 0] += 1 }
      // A trip that ends with a stop ends when the stop ends.
      if let time = fix.timestamp, matched.isKept || matched.reason == .distance {
        (begin, end) = (begin ?? time, time)
      }
      guard matched.isKept else { continue }
      keptCount += 1
      if fix.coordinate.isValid {
        let point = FixedCoordinate(fix.coordinate)
        kept.append(point)
        // A receiver without a signal may report a fix anywhere.
        if matched.reason == nil || match.parts.isEmpty {
          if let last, last.part == matched.place?.part { ownLength += last.point.distance(to: point) }
          last = (point, matched.place?.part)
        }
      }
      guard matched.reason == nil, let place = matched.place else { continue }
      matchedCount += 1
      squareSum += place.snapDistance * place.snapDistance
    }
    // Equal times carry no information.
    if begin == end, keptCount > 1 { (begin, end) = (nil, nil) }
    (departure, arrival) = (begin.flatMap { clock.moment($0) }, end.flatMap { clock.moment($0) })
    let dwell = match.stops.reduce(0) { $0 + $1.duration }
    if departure != nil { dwellMilliseconds = Int((dwell * 1000).rounded()) }
    (fixCount, partCount, stopCount) = (trace.fixes.count, match.parts.count, match.stops.count)
    sigma = TraceRow.rounded(match.sigma, 100)
    box = match.pathBounds
    ownCentimetres = Int((ownLength * 100).rounded())
    offRoadCentimetres = Int((match.offRoadLength * 100).rounded())
    if !match.parts.isEmpty {
      matched = Matched(match, rmsDistance: matchedCount > 0 ? (squareSum / Double(matchedCount)).squareRoot() : nil)
      expectedArrival = departure.map { clock.moment($0.milliseconds + matched!.milliseconds) }
    }
    if kept.count > 1 { shape = GeometryBlob(line: kept[...]) }
  }

  /// Rounds a value to a multiple of `1 / scale`.
  fileprivate static func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
}

extension TraceRow.Matched {
  /// - Parameter rmsDistance: The root mean square of the distances from fixes to streets, in metres.
  fileprivate init(_ match: Match, rmsDistance: Double?) {
    let pieces = match.parts.flatMap(\.pieces)
    let weight = pieces.reduce(into: (centimetres: 0, milliseconds: 0)) {
      $0.centimetres += Int($1.weight.centimetres)
      $0.milliseconds += Int($1.weight.milliseconds)
    }
    // Only the sum is rounded, so that moving and dwell times add up to the observed time.
    let moving = pieces.reduce(0) { $0 + ($1.observedTime ?? .nan) }
    let fastest = match.parts.compactMap(\.fastest)
    self.init(
      centimetres: weight.centimetres, milliseconds: weight.milliseconds,
      movingMilliseconds: Moment.milliseconds(moving),
      fastest: fastest.count < match.parts.count
        ? nil
        : fastest.reduce(into: TraceRow.Fastest()) {
          $0.centimetres += Int($1.centimetres)
          $0.milliseconds += Int($1.milliseconds)
        }, uTurnCount: match.uTurnCount, rmsDistance: rmsDistance.map { TraceRow.rounded($0, 100) },
      maxSpeed: match.parts.compactMap(\.maximumSpeed).max().map { TraceRow.rounded($0, 100) })
  }
}

extension RowStatus {
  init(_ status: Match.Status) {
    self =
      switch status {
      case .ok: .ok
      case .doubtful: .doubtful
      case .notMatched: .notMatched
      case .tooShort: .tooShort
      }
  }
}

extension TracePartRow {
  init(_ trace: Identifier, _ number: Int, _ part: MatchedPart, _ clock: LocalClock) {
    let points = part.polyline.points
    let departure = part.startDate.flatMap { clock.moment($0) }
    let milliseconds = part.pieces.reduce(0) { $0 + Int($1.weight.milliseconds) }
    self.init(
      trace: trace, part: number, beginReason: part.beginReason.rawValue, firstFix: part.firstFix,
      lastFix: part.lastFix, departure: departure, arrival: part.endDate.flatMap { clock.moment($0) },
      expectedArrival: departure.map { clock.moment($0.milliseconds + milliseconds) },
      centimetres: part.pieces.reduce(0) { $0 + Int($1.weight.centimetres) }, milliseconds: milliseconds,
      name: part.name.isEmpty ? nil : part.name, shape: GeometryBlob(line: points))
  }
}

extension TraceStreetRow {
  init(_ trace: Int, _ part: Int, _ n: Int, _ piece: MatchedPiece, entered: Int?, _ period: SpeedPeriod?) {
    self.init(
      trace: trace, part: part, n: n, street: StreetDirection(piece.street), from: piece.from, to: piece.to,
      isUTurn: piece.isUTurn, entered: entered, left: Moment.milliseconds(piece.left),
      observedMilliseconds: Moment.milliseconds(piece.observedTime),
      expectedMilliseconds: Int(piece.weight.milliseconds), period: period)
  }
}

extension StopRow {
  init(_ trace: Identifier, _ n: Int, _ stop: TraceStop, arrival: Moment, departure: Moment) {
    self.init(
      trace: trace, n: n, arrival: arrival, departure: departure, point: FixedCoordinate(stop.coordinate),
      street: stop.place.map { StreetDirection($0.street) }, offset: stop.place.map { Int(($0.offset * 100).rounded()) }
    )
  }
}

extension FixRow {
  init(_ trace: Int, _ n: Int, _ fix: Fix, _ matched: MatchedFix) {
    self.init(
      trace: trace, n: n, milliseconds: Moment.milliseconds(fix.timestamp),
      point: fix.coordinate.isValid ? FixedCoordinate(fix.coordinate) : nil,
      accuracyCentimetres: fix.horizontalAccuracy.flatMap { Int(exactly: ($0 * 100).rounded()) },
      isKept: matched.isKept, reason: matched.reason?.rawValue, place: matched.place.map { Place($0) })
  }
}

extension FixRow.Place {
  fileprivate init(_ place: MatchedPlace) {
    func centimetres(_ metres: Double) -> Int { Int((metres * 100).rounded()) }
    self.init(
      part: place.part, street: StreetDirection(place.street), offset: centimetres(place.offset),
      snapDistance: centimetres(place.snapDistance), along: centimetres(place.along),
      point: FixedCoordinate(place.coordinate))
  }
}

/// A row of table `stop`: a stop of a trace.
struct StopRow: Sendable, JournaledFields {
  var trace = Identifier.number(0)
  /// The number of the stop, from 0.
  var n = 0
  var arrival = Moment()
  var departure = Moment()
  var point = FixedCoordinate(longitude: 0, latitude: 0)
  var street: StreetDirection?
  /// Centimetres from the street's start in the direction of travel.
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
      .optionalInteger("is_reversed", "1 if against the direction of the street's shape") {
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
  var expectedArrival: Moment?
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
      .optionalMoment("expected_arrival_date", "ISO 8601; departure plus expected travel time") {
        $0.expectedArrival?.text
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
    try journal(&arrival, &expectedArrival, &centimetres, &milliseconds, &name, &shape)
  }
}

extension TextBuffer {
  /// Appends a part of a trace as a GeoJSON Feature on one line.
  mutating func append(_ row: TracePartRow, shape: Polyline) {
    append("{\"type\":\"Feature\",\"properties\":{")
    member("trace_id", row.trace)
    member("part", row.part)
    member("begin_reason", row.beginReason)
    member("first_fix", row.firstFix)
    member("last_fix", row.lastFix)
    let dates = [
      ("departure_date", row.departure), ("arrival_date", row.arrival), ("expected_arrival_date", row.expectedArrival),
    ]
    for (name, date) in dates {
      guard let date else { continue }
      key(name)
      append("\"")
      append(date)
      append("\"")
    }
    member("distance", decimal: Int64(row.centimetres), places: 2)
    member("expected_travel_time", decimal: Int64(row.milliseconds), places: 3)
    member("observed_time", decimal: row.observedMilliseconds.map { Int64($0) }, places: 3)
    member("name", row.name)
    endFeature(along: shape)
  }
}
