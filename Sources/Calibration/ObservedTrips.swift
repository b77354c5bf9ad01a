import Geography
import Input
import StreetNetwork
import Tables

/// An observed trip: its ends, departure and duration.
struct ObservedTrip: Sendable {
  var line: Int
  var origin: FixedCoordinate
  var destination: FixedCoordinate
  /// Seconds since 1970.
  var departure: Double
  /// In seconds.
  var duration: Double
  /// In metres, along the trace; nil if the file has neither a length nor a trace.
  var length: Double?
}

/// The trips in a CSV file: valid and rejected rows.
package struct ObservedTrips {
  private(set) var trips: [ObservedTrip] = []
  private(set) var rejected: [RejectedRow] = []
  /// Whether durations come from the number of positions in a polyline.
  private(set) var countsPositions = false
  private let clock: TraceClock
  private let check: CoordinateCheck
  private let transportType: TransportType
  /// Seconds between the positions of a polyline; nil if they do not determine the duration.
  private let interval: Double?

  /// Reads the file at `path`, whose links must not name a transport type other than `transportType`. *Throws*:
  /// `OdometerError`.
  package init(path: String, _ format: TraceFormat, _ transportType: TransportType) throws {
    clock = TraceClock(format.clock)
    check = CoordinateCheck(area: format.area)
    interval = format.interval
    self.transportType = transportType
    let rows = try DelimitedRows(path)
    let header = try rows.header()
    let columns = try rows.inHeader { try ObservedTripColumns(header, file: path) }
    if case .polyline = columns.ends { countsPositions = columns.duration == nil }
    while try rows.next() {
      do throws(RowProblem) {
        try rows.check(header.count)
        trips.append(try trip(rows, columns))
      } catch {
        rejected.append(RejectedRow(file: path, line: rows.line, text: rows.text, reason: error.reason))
      }
    }
    if trips.isEmpty { throw OdometerError(file: path, allRejected: rejected, .line) }
  }

  private func trip(_ rows: DelimitedRows, _ columns: ObservedTripColumns) throws(RowProblem) -> ObservedTrip {
    let departure = rows[columns.departure.index]
    guard !departure.isEmpty else { throw RowProblem("\(columns.departure.name) is empty") }
    let begin = try clock.seconds(departure.bytes, in: columns.departure.name)
    let trace: Trace
    switch columns.ends {
    case .polyline(let index): trace = try self.trace(rows[index])
    case .pair(let pair):
      let values: PairValues = try pair.values(of: rows, for: transportType.rawValue, nil)
      let (first, last) = (
        try check.point(values.origin, of: "the origin"), try check.point(values.destination, of: "the destination")
      )
      trace = (first, last, nil, nil)
    }
    var duration = trace.positions.flatMap { positions in interval.map { Double(positions - 1) * $0 } }
    if let column = columns.duration { duration = try measure(rows, column) }
    guard let duration else { throw RowProblem("the trip has no duration") }
    return ObservedTrip(
      line: rows.line, origin: trace.first, destination: trace.last, departure: begin, duration: duration,
      length: try columns.distance.map { column throws(RowProblem) in try measure(rows, column) } ?? trace.length)
  }

  /// The ends of a trip, the number of its positions, and their length in metres.
  private typealias Trace = (first: FixedCoordinate, last: FixedCoordinate, positions: Int?, length: Double?)

  private func trace(_ field: RowField) throws(RowProblem) -> Trace {
    var positions = PositionParser(field)
    var (first, last): (Coordinate?, Coordinate?) = (nil, nil)
    var (count, length) = (0, 0.0)
    while let position = try positions.next() {
      let point = try check.fix(at: position)
      length += last?.distance(to: point) ?? 0
      (first, last) = (first ?? point, point)
      count += 1
    }
    guard let first, let last, count > 1 else {
      throw RowProblem("got a polyline of \(count) positions, expected two or more")
    }
    return (FixedCoordinate(first), FixedCoordinate(last), count, length)
  }

  private func measure(
    _ rows: DelimitedRows, _ column: (name: String, index: Int)
  ) throws(RowProblem) -> Double {
    let number = try rows[column.index].number(in: column.name)
    guard number.isFinite, number >= 0 else {
      throw RowProblem("\(column.name) \"\(RowProblem.excerpt(rows[column.index].text))\" is not a non-negative number")
    }
    return number
  }
}

/// The columns of a table of trips, found by name.
struct ObservedTripColumns {
  let ends: Ends
  let departure: (name: String, index: Int)
  let duration: (name: String, index: Int)?
  let distance: (name: String, index: Int)?

  /// The columns of a trip's ends.
  enum Ends {
    case pair(PairColumns)
    /// A column of lists of positions: the first and the last are used.
    case polyline(Int)
  }

  private static let departures = ["departure_time", "departure_date"] + PointColumns.Column.time.names

  /// *Throws*: `OdometerError` if there is no column for the ends or the departure, or if trips without a trace have no
  /// duration.
  init(_ header: [String], file: String) throws {
    let names = header.map { $0.lowercased() }
    func column(_ expected: [String]) -> (name: String, index: Int)? {
      names.column(of: expected).map { (header[$0], $0) }
    }
    let polyline = PolylineTraces.column(in: names)
    let departure = column(ObservedTripColumns.departures)
    duration = column(["duration"])
    var missing: [OdometerError.MissingColumn] = []
    if departure == nil { missing.append(("departure", ObservedTripColumns.departures)) }
    if duration == nil, polyline == nil { missing.append(("duration", ["duration"])) }
    ends = try polyline.map { .polyline($0) } ?? .pair(PairColumns(header, file: file, lacking: missing))
    guard let departure, missing.isEmpty else { throw OdometerError(file: file, noColumnsFor: missing, in: header) }
    self.departure = departure
    distance = column(["distance"])
  }
}
