import Geography
import OpeningHours
import StreetNetwork

extension SpeedJoin {
  /// Adds a speed file row by row, without loading all of it. *Throws*: `OdometerError`, including if more than 1 % of the
  /// rows are unreadable.
  mutating func read(_ input: SpeedInput) throws {
    let rows = try DelimitedRows(input.file)
    guard try rows.next() else { throw .input(input.file, "the file has no rows") }
    guard let format = input.format ?? SpeedFormat(firstRow: rows) else {
      throw .input(
        input.file, line: rows.line,
        "not a speed file: expected a header with way_id or from_node, or rows of from, to and speed")
    }
    let row = try format.reader(of: rows, input)
    begin(SpeedSource(file: input.file, format: format.rawValue))
    var isRowRead = format != .long
    while isRowRead ? true : try rows.next() {
      isRowRead = false
      var problem: RowProblem?
      do throws(RowProblem) {
        try rows.checkQuotes()
        if let row = try row() { append(row) }
      } catch {
        problem = error
      }
      note { source in
        source.rows += 1
        if let problem {
          source.note(malformed: rows, problem)
        } else if format == .osrm, rows.count > 3 {
          source.withUnused += 1
        }
      }
    }
    try sources[sources.count - 1].check()
  }
}

extension SpeedFormat {
  /// Returns a function that returns the speed of the current row of `rows`; nil if it has none.
  fileprivate func reader(
    of rows: DelimitedRows, _ input: SpeedInput
  ) throws -> () throws(RowProblem) -> SpeedRow? {
    let hours = input.hours ?? .all
    let hasTimes: Bool
    let reader: () throws(RowProblem) -> SpeedRow?
    switch self {
    case .osrm: (reader, hasTimes) = ({ () throws(RowProblem) in try SpeedRow(osrm: rows, hours) }, false)
    case .week: (reader, hasTimes) = ({ () throws(RowProblem) in try SpeedRow(week: rows) }, true)
    case .long:
      guard rows.count <= DelimitedRows.maximumFields else {
        throw .input(
          input.file, line: rows.line, "got \(rows.count) columns, expected at most \(DelimitedRows.maximumFields)")
      }
      var long = try rows.inHeader { try LongRows(rows.strings, file: input.file, hours) }
      hasTimes = long.hasTimes
      reader = { () throws(RowProblem) in try long.row(rows) }
    }
    guard !hasTimes || input.hours == nil else {
      throw .input(input.file, "its rows have their own times: days, from and to of the job do not apply")
    }
    return reader
  }
}

extension SpeedSource {
  fileprivate mutating func note(malformed rows: DelimitedRows, _ problem: RowProblem) {
    malformed += 1
    guard firstMalformed.count < SpeedSource.maximumNamed else { return }
    firstMalformed.append("\(rows.line): \(problem.reason)")
  }

  /// *Throws*: `OdometerError` if more than 1 % of the rows are unreadable.
  fileprivate func check() throws {
    guard rows > 0 else { throw .input(file, "the file has no rows") }
    guard malformed * 100 > rows else { return }
    throw .input(
      file,
      "\(malformed) of \(rows) rows cannot be read, more than 1 %; the first ones:\n"
        + firstMalformed.map { "\(file):\($0)" }.joined(separator: "\n"))
  }
}

extension RowField {
  /// Returns an OpenStreetMap id.
  func id(in column: String) throws(RowProblem) -> Int64 {
    guard let number = DecimalText.number(bytes), let id = Int64(exactly: number) else {
      throw RowProblem("\(column) is \"\(RowProblem.excerpt(text))\", expected an OpenStreetMap id")
    }
    return id
  }

  /// Returns a speed in km/h.
  func speed(in column: String) throws(RowProblem) -> Double {
    let speed = try number(in: column)
    guard speed.isFinite, speed >= 0 else {
      throw RowProblem("\(column) is \(RowProblem.excerpt(text)), expected a speed of 0 km/h or more")
    }
    return speed
  }
}

extension SpeedRow {
  /// A row in OSRM's format: a speed for a pair of nodes, and optional rates. Nil for a row with a rate but no speed.
  fileprivate init?(osrm rows: DelimitedRows, _ hours: WeekHours) throws(RowProblem) {
    guard rows.count >= 3 else { throw RowProblem("got \(rows.count) fields, expected from, to and speed") }
    let nodes = SpeedPlace.Nodes(from: try rows[0].id(in: "from"), to: try rows[1].id(in: "to"))
    if rows[2].isEmpty, rows.count > 3 { return nil }
    self.init(SpeedPlace(nodes: nodes), .kmh(try rows[2].speed(in: "speed"), hours), line: rows.line)
  }

  /// A row with a week's speeds in steps of five minutes for a pair of nodes, starting on Sunday.
  fileprivate init(week rows: DelimitedRows) throws(RowProblem) {
    guard rows.count == SpeedFormat.weekColumns else {
      throw RowProblem("got \(rows.count) fields, expected from, to and 2016 speeds")
    }
    let nodes = SpeedPlace.Nodes(from: try rows[0].id(in: "from"), to: try rows[1].id(in: "to"))
    var week = [Float](repeating: .nan, count: 2016)
    for slot in 0..<2016 where !rows[slot + 2].isEmpty {
      // Odometer's week begins on Monday; a day has 288 slots.
      week[(slot + 2016 - 288) % 2016] = Float(try rows[slot + 2].speed(in: "s\(slot)"))
    }
    self.init(SpeedPlace(nodes: nodes), .week(week), line: rows.line)
  }
}

/// Rows of a speed file with a header: a way or two nodes, days and hours, and km/h or slowness.
///
/// `kmh` takes precedence, since it is measured and independent of the profile's speeds. A speed rounded to 0 does not
/// mean a closed street: `slowness` is used instead.
///
/// Columns include Uber's names; others are ignored.
struct LongRows {
  private let way: Int?
  private let from: Int?
  private let to: Int?
  private let forward: Int?
  private let weekday: Int?
  private let start: Int?
  private let end: Int?
  private let hour: Int?
  private let kmh: Int?
  private let mph: Int?
  private let slowness: Int?
  private let header: [String]
  private let hours: WeekHours
  /// Hours already parsed, by the text of days and hours.
  private var known: [String: WeekHours] = [:]

  private static let ways = ["way_id", "osm_way_id"]
  private static let froms = ["from_node", "osm_start_node_id"]
  private static let tos = ["to_node", "osm_end_node_id"]
  private static let speeds = ["kmh", "speed_kph_mean", "slowness", "speed_mph_mean"]

  /// Returns whether these are column names, including one for a way or a node.
  static func isHeader(_ header: [String]) -> Bool { header.contains { (ways + froms).contains($0) } }

  /// *Throws*: `OdometerError`.
  init(_ header: [String], file: String, _ hours: WeekHours) throws {
    func index(_ names: String...) -> Int? { header.firstIndex { names.contains($0) } }
    (self.header, self.hours) = (header, hours)
    way = header.firstIndex { LongRows.ways.contains($0) }
    from = header.firstIndex { LongRows.froms.contains($0) }
    to = header.firstIndex { LongRows.tos.contains($0) }
    forward = index("forward")
    weekday = index("weekday")
    start = index("from")
    end = index("to")
    hour = index("hour", "hour_of_day")
    kmh = index("kmh", "speed_kph_mean")
    mph = index("speed_mph_mean")
    slowness = index("slowness")
    guard way != nil || from != nil && to != nil else {
      throw OdometerError(file: file, noColumnFor: "street", in: header, of: ["way_id", "from_node and to_node"])
    }
    guard (from == nil) == (to == nil) else {
      throw OdometerError(file: file, noColumnFor: "other node", in: header, of: ["from_node and to_node"])
    }
    guard kmh != nil || mph != nil || slowness != nil else {
      throw OdometerError(file: file, noColumnFor: "speed", in: header, of: LongRows.speeds)
    }
    guard (start == nil) == (end == nil), start == nil || hour == nil else {
      throw OdometerError(file: file, noColumnFor: "hours", in: header, of: ["from and to", "hour"])
    }
  }

  var hasTimes: Bool { weekday != nil || start != nil || hour != nil }

  mutating func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    try rows.check(header.count)
    let (place, hours) = (try self.place(rows), try times(rows))
    return SpeedRow(place, try value(rows, hours), line: rows.line)
  }

  // MARK: Place

  private func place(_ rows: DelimitedRows) throws(RowProblem) -> SpeedPlace {
    var place = SpeedPlace()
    if let way, !rows[way].isEmpty { place.way = try rows[way].id(in: header[way]) }
    place.direction = try direction(rows)
    if place.way < 0 {
      guard place.direction == nil else { throw RowProblem("a negative way means backward, so forward must be empty") }
      (place.way, place.direction) = (-place.way, .backward)
    }
    if let from, let to, !rows[from].isEmpty || !rows[to].isEmpty {
      place.nodes = SpeedPlace.Nodes(
        from: try rows[from].id(in: header[from]), to: try rows[to].id(in: header[to]))
      // Nodes imply the direction, except for a ring.
      if place.nodes.map({ $0.from != $0.to }) == true { place.direction = nil }
    }
    guard place.way != 0 || place.nodes != nil else { throw RowProblem("the row names neither a way nor nodes") }
    return place
  }

  private func direction(_ rows: DelimitedRows) throws(RowProblem) -> Direction? {
    guard let forward, !rows[forward].isEmpty else { return nil }
    switch rows[forward].text.lowercased() {
    case "true", "1": return .forward
    case "false", "0": return .backward
    default:
      throw RowProblem("forward is \"\(RowProblem.excerpt(rows[forward].text))\", expected true, false or nothing")
    }
  }

  // MARK: Times

  private mutating func times(_ rows: DelimitedRows) throws(RowProblem) -> WeekHours {
    guard hasTimes else { return hours }
    func text(_ column: Int?) -> String { column.map { rows[$0].text } ?? "" }
    let (days, hour) = (text(weekday), text(self.hour))
    var (start, end) = (text(self.start), text(self.end))
    let key = "\(days),\(start),\(end),\(hour)"
    if let known = known[key] { return known }
    if !hour.isEmpty {
      guard let number = Int(hour), (0...23).contains(number) else {
        throw RowProblem("the hour is \"\(RowProblem.excerpt(hour))\", expected 0 to 23")
      }
      (start, end) = ("\(number):00", "\(number + 1):00")
    }
    let hours = try WeekHours(days: days, from: start, to: end)
    known[key] = hours
    return hours
  }

  // MARK: Speed

  private func value(_ rows: DelimitedRows, _ hours: WeekHours) throws(RowProblem) -> SpeedValue {
    var slowness: Double?
    if let column = self.slowness, !rows[column].isEmpty {
      let number = try rows[column].number(in: "slowness")
      guard number.isFinite, number > 0 else {
        throw RowProblem(
          "slowness is \(RowProblem.excerpt(rows[column].text)), expected travel time / free-flow time, more than 0")
      }
      slowness = number
    }
    if let column = kmh, !rows[column].isEmpty {
      let kmh = try rows[column].speed(in: header[column])
      if kmh > 0 || slowness == nil { return .kmh(kmh, hours) }
    }
    if let column = mph, !rows[column].isEmpty {
      return .kmh(try rows[column].speed(in: header[column]) * 1.609_344, hours)
    }
    guard let slowness else { throw RowProblem("the row has no speed") }
    return .slowness(slowness, hours)
  }
}

extension WeekHours {
  /// Creates slots for days (`Mo-Fr`, `Sa`, `1`…`7`; empty for all) from one time of day to another (empty for the
  /// whole day).
  init(days: String, from start: String, to end: String) throws(RowProblem) {
    let day = Int(days).flatMap { (1...7).contains($0) ? Weekday.names[$0 - 1] : nil } ?? days
    let letters = day.allSatisfy { $0.isASCII && $0.isLetter || $0 == "-" || $0 == "," }
    guard letters else {
      throw RowProblem(
        "the day is \"\(RowProblem.excerpt(days))\", expected e.g. Mo-Fr, Sa, or 1 to 7 from Monday")
    }
    guard start.isEmpty == end.isEmpty else { throw RowProblem("from or to is empty") }
    let hours = start.isEmpty ? "00:00-24:00" : "\(try WeekHours.clock(start))-\(try WeekHours.clock(end))"
    do throws(OdometerError) {
      try self.init("\(day.isEmpty ? "Mo-Su" : day) \(hours)")
    } catch {
      throw RowProblem(error.description)
    }
  }

  /// Parses a time of day: `07:30`, `7:30`, `07:30:00`, `24:00`.
  private static func clock(_ text: String) throws(RowProblem) -> String {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isClock =
      (2...3).contains(parts.count) && parts.allSatisfy { (1...2).contains($0.count) && $0.allSatisfy(\.isNumber) }
      && (parts.count == 2 || parts[2] == "00")
    guard isClock, let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60, hour * 60 + minute <= 1440 else {
      throw RowProblem("got the time \"\(RowProblem.excerpt(text))\", expected e.g. 07:30")
    }
    return "\(parts[0]):\(parts[1])"
  }
}
