import Foundation
import Geography
import Input
import OpeningHours
import Settings
import StreetNetwork
import Tables

/// The keys about speeds: files of speeds, and a traffic table.
struct SpeedsTask: Sendable {
  var inputs: [SpeedInput] = []
  var traffic: String?

  fileprivate static let expected =
    "a path, a list of paths, or objects { file, format, days, from, to, duplicates, fill }"

  /// None.
  init() {}

  init(_ keys: inout KeyReader) throws {
    let setting = try keys.value(
      .init(
        "speeds", .any("file or list of files", expected: SpeedsTask.expected), otherwise: "none: free flow",
        "files of speeds by OpenStreetMap ids and hours, or objects with format, days, from, to, duplicates, fill",
        example: ["speeds.csv.gz"]))
    traffic = try keys.value(
      .init(
        "traffic", .path, otherwise: "none",
        "slowness by road class and hours, for streets without speeds: a file, or porto (Porto's taxis, weekday mornings)",
        example: "city.traffic.json5"))
    guard let setting else { return }
    do throws(RowProblem) {
      if case .list(let items) = setting {
        guard !items.isEmpty else { throw RowProblem("got an empty list, expected \(SpeedsTask.expected)") }
        for item in items { inputs.append(try SpeedInput(item)) }
      } else {
        inputs = [try SpeedInput(setting)]
      }
    } catch {
      throw keys.error("speeds", error.reason)
    }
  }

  var isEmpty: Bool { inputs.isEmpty && traffic == nil }
  var files: [String] { inputs.map(\.file) + [trafficFile].compactMap(\.self) }
  /// Nil for a stock table.
  private var trafficFile: String? { traffic.flatMap { TrafficTable.stockNames.contains($0) ? nil : $0 } }

  /// Its part of the job's identity; empty without speeds and traffic.
  func enter(in identity: inout Entries<IdentityKey>) {
    if !inputs.isEmpty {
      identity.set(.speeds, inputs.map(\.file))
      identity[.speedsSHA256] = digest.hexadecimal
    }
    if let trafficFile { return identity.setFile("traffic", trafficFile) }
    if let traffic {
      identity[.traffic] = traffic
      identity[.trafficSHA256] = (try? TrafficTable(named: traffic))?.digest.hexadecimal
    }
  }

  /// The digest of all files with their options.
  private var digest: [UInt8] {
    Digest.of(
      inputs.reduce(into: [UInt8]()) { bytes, input in
        bytes += (try? Digest.of(file: input.file)) ?? []
        bytes += Array("\(input.format?.rawValue ?? "") \(input.hours) \(input.use)".utf8)
      })
  }

  /// The speeds of a network's streets: opened if they exist, otherwise read and stored.
  ///
  /// - Parameter week: One of its days, for speed limits; nil for a typical week.
  /// - Throws: `InputError`, `SettingsError`, `SpeedError`, `CacheError`.
  func speeds(on network: StreetNetwork, week: LocalTime?) throws -> JobSpeeds {
    // A missing file is reported before anything is opened.
    for input in inputs { _ = try InputBlocks(path: input.file) }
    let watched = inputs.map { WatchedFile(path: $0.file) }
    let sources = SpeedSources(
      digest: digest, uses: inputs.map(\.use), traffic: try traffic.map { try TrafficTable(named: $0) }, week: week
    ) { join in
      let read = Result { try SpeedReading.read(inputs, into: &join) }
      try watched.check(\.isSame)
      try read.get()
    }
    let (speeds, facts) = try StreetSpeeds.known(of: network, sources)
    return JobSpeeds(speeds: speeds, facts: facts)
  }
}

extension SpeedInput {
  /// A path, or an object with options.
  fileprivate init(_ setting: Setting) throws(RowProblem) {
    switch setting {
    case .text(let path) where !path.isEmpty: self.init(file: path)
    case .object(let values, _): try self.init(values)
    default: throw RowProblem("got \(setting.json5), expected \(SpeedsTask.expected)")
    }
  }

  private init(_ values: [String: Setting]) throws(RowProblem) {
    let known = ["file", "format", "days", "from", "to", "duplicates", "fill"]
    var texts: [String: String] = [:]
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard known.contains(key) else {
        throw RowProblem("unknown key \(key), expected one of \(known.joined(separator: ", "))")
      }
      guard case .text(let text) = value else { throw RowProblem("\(key) is \(value.json5), expected a text") }
      texts[key] = text
    }
    guard let file = texts["file"], !file.isEmpty else { throw RowProblem("an object has no file") }
    self.init(file: file)
    if let name = texts["format"] {
      guard let format = SpeedFormat(rawValue: name) else {
        let names = SpeedFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw RowProblem("format is \"\(name)\", expected one of \(names)")
      }
      self.format = format
    }
    if let duplicates = texts["duplicates"] {
      guard duplicates == "mean" else { throw RowProblem("duplicates is \"\(duplicates)\", expected \"mean\"") }
      use.allowsDuplicates = true
    }
    if let fill = texts["fill"] {
      guard fill == "ratio" else { throw RowProblem("fill is \"\(fill)\", expected \"ratio\"") }
      use.fillsByRatio = true
    }
    hasHours = ["days", "from", "to"].contains { texts[$0] != nil }
    if hasHours {
      hours = try WeekHours(days: texts["days"] ?? "", from: texts["from"] ?? "", to: texts["to"] ?? "")
    }
  }
}

/// Reads files of speeds into a join, row by row, without loading a file completely.
enum SpeedReading {
  /// *Throws*: `InputError`, also if more than 1 % of the rows are unreadable.
  static func read(_ inputs: [SpeedInput], into join: inout SpeedJoin) throws {
    for input in inputs { try read(input, into: &join) }
  }

  private static func read(_ input: SpeedInput, into join: inout SpeedJoin) throws {
    let rows = try DelimitedRows(input.file)
    guard try rows.next() else { throw InputError(file: input.file, problem: "the file has no rows") }
    guard let format = input.format ?? SpeedFormat(firstRow: rows) else {
      throw InputError(
        file: input.file, line: rows.line,
        problem: "not a file of speeds: expected a header with way_id or from_node, or rows of from, to and speed")
    }
    let reader = try self.reader(format, input, rows)
    join.begin(SpeedSource(file: input.file, format: format.rawValue))
    var isAtRow = format != .long
    while isAtRow ? true : try rows.next() {
      isAtRow = false
      var problem: RowProblem?
      do throws(RowProblem) {
        try rows.checkQuotes()
        if let row = try reader.row(rows) { join.append(row) }
      } catch {
        problem = error
      }
      join.note { source in
        source.rows += 1
        if let problem { source.note(malformed: rows, problem) } else if reader.hasUnused { source.withUnused += 1 }
      }
    }
    try join.sources[join.sources.count - 1].check()
  }

  private static func reader(
    _ format: SpeedFormat, _ input: SpeedInput, _ rows: DelimitedRows
  ) throws -> any SpeedRows {
    let hasTimes: Bool
    let reader: any SpeedRows
    switch format {
    case .osrm: (reader, hasTimes) = (OSRMRows(input.hours), false)
    case .week: (reader, hasTimes) = (WeekRows(), true)
    case .long:
      guard rows.count <= DelimitedRows.mostFields else {
        throw InputError(file: input.file, line: 1, problem: "got \(rows.count) columns")
      }
      let columns = try LongColumns(rows.texts, file: input.file)
      (reader, hasTimes) = (LongRows(columns, input.hours), columns.hasTimes)
    }
    guard !hasTimes || !input.hasHours else {
      throw InputError(
        file: input.file, problem: "its rows have their own times: days, from and to of the job do not apply"
      )
    }
    return reader
  }
}

extension SpeedSource {
  fileprivate mutating func note(malformed rows: DelimitedRows, _ problem: RowProblem) {
    malformed += 1
    guard firstMalformed.count < SpeedSource.mostNamed else { return }
    firstMalformed.append("\(rows.line): \(problem.reason)")
  }

  /// *Throws*: `InputError` if more than 1 % of the rows are unreadable.
  fileprivate func check() throws {
    guard rows > 0 else { throw InputError(file: file, problem: "the file has no rows") }
    guard malformed * 100 > rows else { return }
    throw InputError(
      file: file,
      problem: "\(malformed) of \(rows) rows cannot be read, more than 1 %; the first ones:\n"
        + firstMalformed.map { "\(file):\($0)" }.joined(separator: "\n"))
  }
}

/// Rows of a file of speeds with a header: a way or two nodes, days and hours, and km/h or slowness.
///
/// `kmh` takes precedence, since it is measured, independent of the profile's speeds. A speed rounded to 0 is not a
/// closed street: then `slowness` is used.
final class LongRows: SpeedRows {
  let hasUnused = false
  private let columns: LongColumns
  private let hours: WeekHours
  /// By the text of their day and hours.
  private var known: [String: WeekHours] = [:]

  init(_ columns: LongColumns, _ hours: WeekHours) { (self.columns, self.hours) = (columns, hours) }

  func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    try rows.check(columns.count)
    return SpeedRow(try place(rows), try value(rows, try times(rows)), line: rows.line)
  }

  // MARK: Where

  private func place(_ rows: DelimitedRows) throws(RowProblem) -> SpeedPlace {
    var place = SpeedPlace()
    if let way = columns.way, !rows[way].isEmpty { place.way = try rows[way].id(in: columns.header[way]) }
    place.direction = try direction(rows)
    if place.way < 0 {
      guard place.direction == nil else { throw RowProblem("a negative way is backward, forward must be empty") }
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

  // MARK: When

  private func times(_ rows: DelimitedRows) throws(RowProblem) -> WeekHours {
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

  // MARK: How fast

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
  /// Slots for days (`Mo-Fr`, `Sa`, `1`…`7`; empty for all) from one time of day to another (empty for the whole day).
  init(days: String, from start: String, to end: String) throws(RowProblem) {
    let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    let day = Int(days).flatMap { (1...7).contains($0) ? names[$0 - 1] : nil } ?? days
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

  /// `07:30`, `7:30`, `07:30:00`, `24:00`.
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
