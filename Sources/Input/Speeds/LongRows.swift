import OpeningHours
import StreetNetwork

/// Rows of a speed file with a header: a way or two nodes, days and hours, and km/h or slowness.
///
/// `kmh` takes precedence, since it is measured and independent of the profile's speeds. A speed rounded to 0 does not
/// mean a closed street: `slowness` is used instead.
struct LongRows: SpeedRows {
  let hasIgnoredColumns = false
  private let columns: LongColumns
  private let hours: WeekHours
  /// Hours already parsed, by the text of days and hours.
  private var known: [String: WeekHours] = [:]

  init(_ columns: LongColumns, _ hours: WeekHours) { (self.columns, self.hours) = (columns, hours) }

  mutating func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    try rows.check(columns.count)
    let (place, hours) = (try self.place(rows), try times(rows))
    return SpeedRow(place, try value(rows, hours), line: rows.line)
  }

  // MARK: Place

  private func place(_ rows: DelimitedRows) throws(RowProblem) -> SpeedPlace {
    var place = SpeedPlace()
    if let way = columns.way, !rows[way].isEmpty { place.way = try rows[way].id(in: columns.header[way]) }
    place.direction = try direction(rows)
    if place.way < 0 {
      guard place.direction == nil else { throw RowProblem("a negative way means backward, so forward must be empty") }
      (place.way, place.direction) = (-place.way, .backward)
    }
    if let from = columns.from, let to = columns.to, !rows[from].isEmpty || !rows[to].isEmpty {
      place.nodes = SpeedPlace.Nodes(
        from: try rows[from].id(in: columns.header[from]), to: try rows[to].id(in: columns.header[to]))
      // Nodes imply the direction, except for a ring.
      if place.nodes.map({ $0.from != $0.to }) == true { place.direction = nil }
    }
    guard place.way != 0 || place.nodes != nil else { throw RowProblem("the row names neither a way nor nodes") }
    return place
  }

  private func direction(_ rows: DelimitedRows) throws(RowProblem) -> SpeedPlace.Direction? {
    guard let forward = columns.forward, !rows[forward].isEmpty else { return nil }
    switch rows[forward].text.lowercased() {
    case "true", "1": return .forward
    case "false", "0": return .backward
    default: throw RowProblem("forward is \"\(rows[forward].text)\", expected true, false or nothing")
    }
  }

  // MARK: Times

  private mutating func times(_ rows: DelimitedRows) throws(RowProblem) -> WeekHours {
    guard columns.hasTimes else { return hours }
    func text(_ column: Int?) -> String { column.map { rows[$0].text } ?? "" }
    let (days, hour) = (text(columns.weekday), text(columns.hour))
    var (start, end) = (text(columns.start), text(columns.end))
    let key = "\(days),\(start),\(end),\(hour)"
    if let known = known[key] { return known }
    if !hour.isEmpty {
      guard let number = Int(hour), (0...23).contains(number) else {
        throw RowProblem("the hour is \"\(hour)\", expected 0 to 23")
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
    if let column = columns.slowness, !rows[column].isEmpty {
      let number = try rows[column].number(in: "slowness")
      guard number.isFinite, number > 0 else {
        throw RowProblem("slowness is \(rows[column].text), expected time over free flow, over 0")
      }
      slowness = number
    }
    if let column = columns.kmh, !rows[column].isEmpty {
      let kmh = try rows[column].speed(in: columns.header[column])
      if kmh > 0 || slowness == nil { return .kmh(kmh, hours) }
    }
    if let column = columns.mph, !rows[column].isEmpty {
      return .kmh(try rows[column].speed(in: columns.header[column]) * 1.609_344, hours)
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
    guard letters else { throw RowProblem("the day is \"\(days)\", expected e.g. Mo-Fr, Sa, or 1 to 7 from Monday") }
    guard start.isEmpty == end.isEmpty else { throw RowProblem("from or to is empty") }
    let hours = start.isEmpty ? "00:00-24:00" : "\(try WeekHours.clock(start))-\(try WeekHours.clock(end))"
    do throws(WeekHours.Problem) {
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
      throw RowProblem("got the time \"\(text)\", expected e.g. 07:30")
    }
    return "\(parts[0]):\(parts[1])"
  }
}

/// The columns of a speed file with a header, including Uber's names; others are ignored.
struct LongColumns {
  private(set) var way: Int?
  private(set) var from: Int?
  private(set) var to: Int?
  private(set) var forward: Int?
  private(set) var weekday: Int?
  private(set) var start: Int?
  private(set) var end: Int?
  private(set) var hour: Int?
  private(set) var kmh: Int?
  private(set) var mph: Int?
  private(set) var slowness: Int?
  let count: Int
  let header: [String]

  private static let ways = ["way_id", "osm_way_id"]
  private static let froms = ["from_node", "osm_start_node_id"]
  private static let tos = ["to_node", "osm_end_node_id"]
  private static let speeds = ["kmh", "speed_kph_mean", "slowness", "speed_mph_mean"]

  /// Returns whether these are column names, including one for a way or a node.
  static func isHeader(_ header: [String]) -> Bool { header.contains { (ways + froms).contains($0) } }

  /// *Throws*: `InputError`.
  init(_ header: [String], file: String) throws {
    func index(_ names: String...) -> Int? { header.firstIndex { names.contains($0) } }
    (self.header, count) = (header, header.count)
    way = header.firstIndex { LongColumns.ways.contains($0) }
    from = header.firstIndex { LongColumns.froms.contains($0) }
    to = header.firstIndex { LongColumns.tos.contains($0) }
    forward = index("forward")
    weekday = index("weekday")
    start = index("from")
    end = index("to")
    hour = index("hour", "hour_of_day")
    kmh = index("kmh", "speed_kph_mean")
    mph = index("speed_mph_mean")
    slowness = index("slowness")
    guard way != nil || from != nil && to != nil else {
      throw InputError(file: file, noColumnFor: "street", in: header, of: ["way_id", "from_node and to_node"])
    }
    guard (from == nil) == (to == nil) else {
      throw InputError(file: file, noColumnFor: "other node", in: header, of: ["from_node and to_node"])
    }
    guard kmh != nil || mph != nil || slowness != nil else {
      throw InputError(file: file, noColumnFor: "speed", in: header, of: LongColumns.speeds)
    }
    guard (start == nil) == (end == nil), start == nil || hour == nil else {
      throw InputError(file: file, noColumnFor: "hours", in: header, of: ["from and to", "hour"])
    }
  }

  /// Whether rows have times.
  var hasTimes: Bool { weekday != nil || start != nil || hour != nil }
}
