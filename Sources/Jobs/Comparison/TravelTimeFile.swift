import Foundation
import Geography
import Hierarchy
import Input
import Tables

/// A file of another program's travel times: a table with a row per trip or a column per destination, a NumPy array, or
/// the response of a routing server.
///
///     let times = try TravelTimeFile("osrm.csv", for: "reports/night/results.sqlite").read()
package struct TravelTimeFile {
  let path: String
  /// The unit given by the user; nil to use the file's unit.
  let unit: TimeUnit?
  /// The results to compare with: the source of the hours and of the ids for array positions.
  let results: ResultsDatabase

  /// - Parameter results: The path of the database to compare with.
  package init(_ path: String, for results: String, unit: TimeUnit? = nil) throws {
    (self.path, self.unit) = (path, unit)
    self.results = try ResultsDatabase(path: results)
  }

  /// *Throws*: `OdometerError`, `ResultsError`.
  package func read() throws -> TravelTimes {
    let file = [WatchedFile(path: path)]
    let times = Result { try timesOfFile() }
    try file.check(\.isSame)
    return try times.get()
  }

  private func timesOfFile() throws -> TravelTimes {
    let start = try start()
    if start.starts(with: Array("SQLite format 3".utf8)) {
      throw .input(path, "these are results of a job; odometer compare OLD NEW compares two of them")
    }
    if start.starts(with: NumPyArray.mark) { return try array(NumPyArray(path)) }
    if start.starts(with: Array("PK".utf8)) || start.starts(with: Array("PAR1".utf8)) {
      throw .input(path, "got an archive or a Parquet file, expected a CSV, a .npy array or JSON")
    }
    if FeatureRows.isJSON(start) { return try serverResponse() }
    return try table()
  }

  /// *Throws*: `OdometerError`.
  private func start() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try InputBlocks(path: path).read(into: &buffer)
    guard count > 0 else { throw .input(path, "the file is empty") }
    return Array(InputFile.withoutMark(Array(buffer[..<count])))
  }

  // MARK: Positions

  /// Returns the ids of an array's rows or columns, which are the ids of the results, in order.
  func ids(_ role: PlaceRole) throws -> [String] {
    guard results.kind.hasCells else {
      throw .input(
        path,
        "its times have no ids, only positions, but results of kind \(results.kind.rawValue) have no positions; "
          + "expected a CSV with from_id, to_id and travel_time")
    }
    return try results.places(role).map { "\($0.id)" }
  }

  /// Returns the times of an array, whose shape must match the results. *Throws*: `OdometerError`.
  func cells(
    shape: [Int], isSingle: Bool = false, at value: (_ row: Int, _ hour: Int, _ column: Int) throws -> Double?
  ) throws -> TravelTimes {
    let (origins, destinations) = (try ids(.origin), try ids(.destination))
    let hours = try results.rowAxis().count
    let expected = [origins.count] + (hours > 0 ? [hours] : []) + [destinations.count]
    guard shape == expected || (hours == 1 && shape == [origins.count, destinations.count]) else {
      func text(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: " x ") }
      throw .input(
        path,
        "got \(text(shape)) times, expected \(text(expected)): origins x \(hours > 0 ? "hours x " : "")destinations "
          + "of \(results.path), in their order")
    }
    var times = TravelTimes(path: path, isUnitGiven: unit != nil, isSingle: isSingle, hours: max(1, hours))
    let columns = destinations.map { times.destinations.index(of: $0) }
    let factor = (unit ?? .seconds).seconds
    for (row, id) in origins.enumerated() {
      let origin = times.origins.index(of: id)
      for hour in 0..<max(1, hours) {
        for (index, column) in columns.enumerated() {
          let seconds = try value(row, hour, index).map { $0 * factor }
          times.add(origin: origin, hour: hour, destination: column, seconds: seconds)
        }
      }
    }
    return times
  }

  /// Returns a description of the file's content.
  func note(_ content: String, _ unit: TimeUnit, _ suffix: String = "") -> String {
    "\(path): \(content), in \(self.unit ?? unit)\(suffix)"
  }

  private func array(_ array: NumPyArray) throws -> TravelTimes {
    let (rows, columns) = (array.shape.first ?? 0, array.shape.last ?? 0)
    let hours = array.shape.count == 3 ? array.shape[1] : 1
    return try cells(shape: array.shape, isSingle: array.isSingle) { row, hour, column in
      array.value(array.isByColumns ? row + rows * (hour + hours * column) : (row * hours + hour) * columns + column)
    }
    .finished(notes: [note("an array of \(array.shape.map(String.init).joined(separator: " x ")) times", .seconds)])
  }
}

/// Responses of routing servers to matrix requests.
extension TravelTimeFile {
  /// Reads OSRM's and openrouteservice's `durations`, GraphHopper's `times`, or Valhalla's `sources_to_targets`.
  /// *Throws*: `OdometerError`.
  func serverResponse() throws -> TravelTimes {
    let bytes = try InputFile.bytes(of: path)
    guard var response = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      throw .input(path, "the JSON cannot be read: it is truncated, corrupt or not an object")
    }
    if let code = response["code"] as? String, code != "Ok" {
      throw .input(
        path,
        "the server answered \(RowProblem.excerpt(code)): "
          + RowProblem.excerpt(response["message"] as? String ?? "no times"))
    }
    // Valhalla's compact form has lists of durations and distances.
    if let compact = response["sources_to_targets"] as? [String: Any] { response = compact }
    let names = ["durations", "times", "sources_to_targets"]
    guard let name = names.first(where: { response[$0] is [Any] }), let rows = response[name] as? [Any] else {
      throw .input(
        path,
        "the JSON has none of \(names.joined(separator: ", ")); it has "
          + RowProblem.list(response.keys.sorted(), atMost: 8))
    }
    let times = try rows.enumerated().map { index, row in
      guard let row = row as? [Any] else { throw .input(path, "\(name) is not a list of lists") }
      return try row.enumerated().map { column, cell in
        if let cell = cell as? [String: Any] { try check(cell, isAt: index, column) }
        return try time(cell)
      }
    }
    let columns = times.first?.count ?? 0
    guard times.allSatisfy({ $0.count == columns }) else { throw .input(path, "the lists of \(name) differ in length") }
    return try cells(shape: [times.count, columns]) { row, _, column in times[row][column] }
      .finished(notes: [note("\(times.count) x \(columns) \(name)", .seconds)])
  }

  /// Checks that a cell from Valhalla is at the position that it states. *Throws*: `OdometerError`.
  private func check(_ cell: [String: Any], isAt row: Int, _ column: Int) throws {
    for (name, index) in [("from_index", row), ("to_index", column)] {
      guard let stated = cell[name] as? Int, stated != index else { continue }
      throw .input(
        path, "got \(name) \(stated) where \(index) was expected; cells must be in the order of their indices")
    }
  }

  /// Returns the time of a cell; nil for no route.
  private func time(_ cell: Any) throws -> Double? {
    switch cell {
    case is NSNull: return nil
    case let number as NSNumber:
      let time = number.doubleValue
      return time.isFinite && time >= 0 ? time : nil
    case let cell as [String: Any] where cell["time"] is NSNumber || cell["time"] is NSNull:
      return (cell["time"] as? NSNumber)?.doubleValue
    default:
      throw .input(path, "got \(RowProblem.excerpt("\(cell)")) among the times, expected a number or null")
    }
  }
}

/// Tables of travel times: a row per trip, or a row per origin with a column per destination.
extension TravelTimeFile {
  /// *Throws*: `OdometerError`, `ResultsError`.
  func table() throws -> TravelTimes {
    let rows = try DelimitedRows(path)
    // There may be any number of destination columns.
    let header = try rows.header(maximumColumns: .max)
    let axis = try results.rowAxis()
    guard let columns = try rows.inHeader({ try TravelTimeColumns(header, of: axis, file: path) }) else {
      return try wideTable(rows, header)
    }
    if let unit, columns.statesUnit, unit != columns.unit {
      throw .input(
        path,
        "the name of column \(RowProblem.excerpt(header[columns.times[0]])) states \(columns.unit), but --unit is \(unit); "
          + "remove --unit, or rename the column")
    }
    return try longTable(rows, header, columns, axis)
  }

  // MARK: A row per trip

  private func longTable(
    _ rows: DelimitedRows, _ header: [String], _ columns: TravelTimeColumns, _ axis: RowAxis
  ) throws -> TravelTimes {
    let departures = axis.asDepartures
    // Results without percentiles are compared with medians.
    let percentiles = axis.column == .percentile ? axis.numbers : [50]
    let isByPercentile = axis.column == .percentile && columns.percentile != nil
    let hasHours = columns.times.count > 1 || isByPercentile || columns.hour != nil && !departures.isEmpty
    var times = TravelTimes(
      path: path, isUnitGiven: unit != nil, areByPair: columns.destination == nil,
      hours: hasHours ? departures.count : 1)
    let factor = (unit ?? columns.unit).seconds
    var (count, others, areWhole) = (0, 0, true)
    while try rows.next() {
      func inputError(_ problem: String) -> OdometerError {
        OdometerError(file: path, line: rows.line, problem: problem)
      }
      do { try rows.check(header.count) } catch { throw inputError(error.reason) }
      let (origin, destination) = (rows[columns.origin].text, columns.destination.map { rows[$0].text } ?? "")
      guard !origin.isEmpty, columns.destination == nil || !destination.isEmpty else {
        // In view `od` of an access job, origins that reach no station have a row.
        if !origin.isEmpty, results.kind == .access, columns.times.allSatisfy({ rows[$0].isEmpty }) { continue }
        let column = origin.isEmpty ? columns.origin : columns.destination ?? 0
        throw inputError("\(RowProblem.excerpt(header[column])) is empty")
      }
      var first = 0
      if let column = columns.percentile {
        let text = rows[column].text
        guard let percentile = Double(decimal: text).flatMap(Int.init(exactly:)) else {
          throw inputError("percentile: got \"\(RowProblem.excerpt(text))\", expected 0 to 100")
        }
        guard let index = percentiles.firstIndex(of: percentile) else {
          others += 1
          continue
        }
        first = index
      }
      if hasHours, !isByPercentile, let column = columns.hour {
        first = try hour(rows[column].text, departures, rows.line)
      }
      for (index, column) in columns.times.enumerated() {
        let field = rows[column]
        let time = DecimalText.number(field.bytes) ?? TravelTimeFile.number(field.text, rows.hasDecimalCommas)
        guard let time else {
          throw inputError(
            "\(RowProblem.excerpt(header[column])): got \"\(RowProblem.excerpt(field.text))\", expected a number or nothing"
          )
        }
        if time.isFinite, time != time.rounded() { areWhole = false }
        count += 1
        times.add(
          origin: times.origins.index(of: origin), hour: first + index,
          destination: times.destinations.index(of: destination),
          seconds: time.isFinite && time >= 0 ? time * factor : nil)
      }
    }
    guard count > 0 || others == 0 else {
      throw .input(path, "got only other percentiles, expected \(RowProblem.list(percentiles.map(String.init)))")
    }
    guard count > 0 else { throw .input(path, "the file has no rows below its header") }
    let unread = header.indices.filter { !columns.indices.contains($0) }.map { header[$0] }
    let suffix =
      (others > 0 ? "; not compared: \(others.counted("time")) of other percentiles" : "")
      + (unread.isEmpty ? "" : "; not compared: \(RowProblem.list(unread, atMost: 8))")
    let names = ([columns.origin, columns.destination] + columns.times).compactMap { $0.map { header[$0] } }
    let rounded =
      areWhole && factor >= 60
      ? [
        "\(path): its times are whole \((unit ?? columns.unit).rawValue); --threshold \(Int(factor))s matches their precision"
      ] : []
    return times.finished(
      notes: [note("\(count.counted("time")) by \(RowProblem.list(names))", columns.unit, suffix)] + rounded)
  }

  /// Returns the index of an hour. *Throws*: `OdometerError`.
  private func hour(_ text: String, _ departures: [DepartureRow], _ line: Int) throws -> Int {
    if let number = Int(text), (1...departures.count).contains(number) { return number - 1 }
    // Rows with their own times have an empty departure column, and the job has only one departure.
    if text.isEmpty, departures.count == 1 { return 0 }
    // A T or a space may precede the time of day, and the seconds and the time zone are optional.
    let plain = text.replacing("T", with: " ")
    if let index = departures.firstIndex(where: { hour in
      let label = hour.text.replacing("T", with: " ")
      return label == plain || (plain.count >= 16 && label.hasPrefix(plain))
    }) {
      return index
    }
    throw .input(
      path, line: line,
      "got the hour \"\(RowProblem.excerpt(text))\", expected one of table departure: 1 to \(departures.count), "
        + "or a time such as \(departures[0].text)")
  }

  /// Parses a number: NaN for empty text, infinity for no route, nil for other text.
  private static func number(_ field: String, _ hasDecimalCommas: Bool) -> Double? {
    if ["inf", "infinity", "-inf", "+inf"].contains(field.lowercased()) { return .infinity }
    var column = NumberColumn("", decimalCommas: hasDecimalCommas)
    let number = column.number(field, row: 0)
    return number == .infinity ? nil : number
  }

  // MARK: A column per destination

  private func wideTable(_ rows: DelimitedRows, _ header: [String]) throws -> TravelTimes {
    // If no column is named after a destination, the column of times is probably misspelled.
    let ids = try results.places().filter { $0.role != .origin }.map { "\($0.id)" }
    guard header.dropFirst().contains(where: Set(ids).contains) else {
      let ids = "or the ids of destinations, such as \(RowProblem.list(ids.prefix(3)))"
      throw OdometerError(
        file: path, line: rows.line, noColumnFor: "travel time", in: header, of: TravelTimeColumns.examples + [ids])
    }
    let hours = try results.rowAxis().count
    guard hours <= 1, results.kind.hasCells || hours == 0 else {
      throw .input(path, "a table with a column per destination has no hours, but \(results.path) has \(hours)")
    }
    var times = TravelTimes(path: path, isUnitGiven: unit != nil)
    let destinations = header.dropFirst().map { times.destinations.index(of: $0) }
    guard Set(destinations).count == destinations.count else {
      throw .input(path, line: rows.line, "a destination occurs twice in the header")
    }
    let (factor, hasDecimalCommas) = ((unit ?? .seconds).seconds, rows.hasDecimalCommas)
    var origins: Set<String> = []
    while try rows.next() {
      func inputError(_ problem: String) -> OdometerError {
        OdometerError(file: path, line: rows.line, problem: problem)
      }
      do { try rows.check(header.count) } catch { throw inputError(error.reason) }
      let fields = rows.strings
      guard !fields[0].isEmpty, origins.insert(fields[0]).inserted else {
        throw inputError(
          fields[0].isEmpty ? "the origin is empty" : "the origin \(RowProblem.excerpt(fields[0])) occurs twice")
      }
      let origin = times.origins.index(of: fields[0])
      for (column, field) in zip(destinations, fields.dropFirst()) {
        guard let time = Double(decimal: field) ?? TravelTimeFile.number(field, hasDecimalCommas) else {
          throw inputError(
            "\(RowProblem.excerpt(header[column + 1])): got \"\(RowProblem.excerpt(field))\", expected a time; "
              + TravelTimeFile.expected)
        }
        times.add(origin: origin, destination: column, seconds: time.isFinite && time >= 0 ? time * factor : nil)
      }
    }
    guard !origins.isEmpty else { throw .input(path, "the file has no rows below its header") }
    return times.finished(
      notes: [note("a table of \(origins.count) origins and \(destinations.count) destinations", .seconds)])
  }

  /// The expected layouts of a table, for messages.
  private static let expected =
    "a table has columns from_id, to_id and travel_time (docs/operations.md, \"Compare\"), or an origin in the first "
    + "column and a column per destination"
}

/// The columns of another program's table.
struct TravelTimeColumns {
  /// The column of the origin or, without a destination, of the pair's id.
  var origin: Int
  var destination: Int?
  /// A single one, or one per percentile of the results.
  var times: [Int]
  /// The unit in the time column's name, else the default for that name.
  var unit: TimeUnit
  /// Whether the time column's name ends in its unit.
  var statesUnit: Bool
  /// The column of the hour's number or date.
  var hour: Int?
  /// The column of the percentile.
  var percentile: Int?

  /// Names of time columns without a unit, in order of precedence.
  private static let timeNames = [
    "expectedtraveltime", "traveltime", "duration", "totalduration", "totaltime", "durations", "traveltimes", "time",
  ]
  private static let pairNames = ["pairid", "id", "pair", "tripid", "routeid"]
  static let examples = ["travel_time", "duration", "duration_s", "travel_time_min", "travel_time_p50 (minutes)"]

  /// Nil if the header may have a column per destination: if it lacks the times and an end, or if it has at least four
  /// columns but neither ends nor pairs. *Throws*: `OdometerError`.
  init?(_ header: [String], of axis: RowAxis, file: String) throws {
    let names = header.map(EndNames.plain)
    func first(_ candidates: [String]) -> Int? { candidates.lazy.compactMap { names.firstIndex(of: $0) }.first }
    let (origin, destination) = (
      first(EndNames.origin.references(in: names)), first(EndNames.destination.references(in: names))
    )
    let time = try TravelTimeColumns.time(names, header, axis, file: file)
    let pair = origin == nil && destination == nil ? first(TravelTimeColumns.pairNames) : nil
    let hasOneTime = (time?.columns.count ?? 1) == 1
    hour = hasOneTime ? first(["departure", "departuredate", "departuretime"]) : nil
    percentile = hasOneTime ? first(["percentile"]) : nil
    statesUnit = time?.isStated ?? false
    switch (origin ?? pair, destination, time) {
    case (let origin?, let destination?, let time?):
      (self.origin, self.destination, times, unit) = (origin, destination, time.columns, time.unit)
    case (let origin?, nil, let time?) where pair != nil:
      (self.origin, self.destination, times, unit) = (origin, nil, time.columns, time.unit)
    case (_, _, nil) where origin != nil && destination != nil:
      throw OdometerError(file: file, noColumnFor: "travel time", in: header, of: TravelTimeColumns.examples)
    case (_, _, _?) where header.count < 4 || origin != nil || destination != nil:
      let isOrigin = origin == nil
      throw OdometerError(
        file: file, noColumnFor: isOrigin ? "origin" : "destination", in: header,
        of: isOrigin ? ["from_id", "origin_id", "pair_id"] : ["to_id", "destination_id"])
    default: return nil
    }
  }

  /// Returns the columns of times and their unit: the percentiles of the results, else the first of `timeNames`, with or
  /// without a unit, else r5r's median or its only percentile, else a column named after a unit. *Throws*:
  /// `OdometerError` if several match equally well, or only other percentiles.
  private static func time(
    _ names: [String], _ header: [String], _ axis: RowAxis, file: String
  ) throws -> (columns: [Int], unit: TimeUnit, isStated: Bool)? {
    // r5r writes travel_time_p05.
    let percentiles = names.indices.compactMap { index in
      names[index].wholeMatch(of: /traveltimep(\d+)/).flatMap { Int($0.1) }.map { (column: index, number: $0) }
    }
    let expected = axis.column == .percentile ? axis.numbers : []
    let found = expected.compactMap { number in percentiles.first { $0.number == number }?.column }
    if !found.isEmpty, found.count == expected.count { return (found, .minutes, false) }
    for name in timeNames {
      if let column = names.firstIndex(of: name) {
        // In r5r's itineraries, `total_duration` is in minutes.
        return ([column], name == "totalduration" ? .minutes : .seconds, false)
      }
      for unit in TimeUnit.allCases {
        let column = unit.endings.lazy.compactMap { names.firstIndex(of: name + $0) }.first
        guard let column else { continue }
        // The s of `travel_times` may be no unit.
        let isPlural = names[column] == name + "s" && header[column].dropLast().last?.isLetter == true
        return ([column], unit, !isPlural)
      }
    }
    let median = expected.isEmpty ? names.firstIndex(of: "traveltimep50") : nil
    if let median { return ([median], .minutes, false) }
    guard percentiles.count <= (expected.isEmpty ? 1 : 0) else {
      let own = RowProblem.list(expected.map { "travel_time_p\($0)" })
      let wanted = expected.isEmpty ? "travel_time_p50 or only one percentile" : own
      throw .input(file, "got \(RowProblem.list(percentiles.map { header[$0.column] })), expected \(wanted)")
    }
    if let percentile = percentiles.first { return ([percentile.column], .minutes, false) }
    let bare = TimeUnit.allCases.lazy.compactMap { unit in
      unit.endings.filter { $0.count > 2 }.lazy.compactMap { names.firstIndex(of: $0) }.first.map { ($0, unit) }
    }
    return bare.first.map { ([$0.0], $0.1, true) }
  }

  /// The columns to read.
  var indices: [Int] { [origin] + times + [destination, hour, percentile].compactMap(\.self) }
}

/// Another program's travel times, by the ids of origins and destinations, or of pairs.
package struct TravelTimes: Sendable {
  /// The path of the file.
  package let path: String
  /// Notes about the file, without full stops.
  package fileprivate(set) var notes: [String] = []
  /// Whether the user set the unit.
  let isUnitGiven: Bool
  /// Whether the times are 32-bit floats.
  fileprivate(set) var isSingle = false
  /// Whether `origins` are the ids of pairs; then the only destination is "".
  fileprivate(set) var areByPair = false
  fileprivate(set) var origins = Interner<String>()
  fileprivate(set) var destinations = Interner<String>()
  /// The number of hours per origin: 1 in a table without hours.
  fileprivate(set) var hours = 1
  /// The row of each time; empty once all times are read.
  fileprivate var rows: [UInt32] = []
  /// The start index of each row's times, by origin and then hour, followed by the end index of the last row.
  fileprivate var starts = [0]
  /// The destination of each time, ascending within a row.
  fileprivate var columns: [UInt32] = []
  /// Milliseconds, negative for no route.
  fileprivate var times: [Int32] = []

  /// Adds a time in seconds; nil or a time over the maximum (596 hours) means no route.
  fileprivate mutating func add(origin: Int, hour: Int = 0, destination: Int, seconds: Double?) {
    rows.append(UInt32(origin * hours + hour))
    columns.append(UInt32(destination))
    let milliseconds = seconds.map { ($0 * 1000).rounded() } ?? -1
    times.append(milliseconds >= 0 && milliseconds <= Double(Int32.max) ? Int32(milliseconds) : -1)
  }

  /// Returns the times sorted by row and column. If a cell has several times, the first one is kept, and a note
  /// reports the number of others.
  fileprivate func finished(notes: [String]) -> TravelTimes {
    var sorted = self
    (sorted.rows, sorted.columns, sorted.times, sorted.notes) = ([], [], [], notes)
    let rowCount = origins.count * hours
    let byRow = Grouped<UInt32>(rowCount) { add in
      for (index, row) in rows.enumerated() { add(row, UInt32(index)) }
    }
    sorted.columns.reserveCapacity(rows.count)
    sorted.times.reserveCapacity(rows.count)
    for row in 0..<rowCount {
      let cells = byRow[UInt32(row)].sorted { (columns[Int($0)], $0) < (columns[Int($1)], $1) }
      for cell in cells where sorted.count == sorted.starts[row] || sorted.columns.last != columns[Int(cell)] {
        sorted.columns.append(columns[Int(cell)])
        sorted.times.append(times[Int(cell)])
      }
      sorted.starts.append(sorted.count)
    }
    let repeated = rows.count - sorted.count
    if repeated > 0 {
      sorted.notes.append(
        "\(path): \(repeated) of \(rows.count) rows repeat the ids of an earlier one: the first of each is used")
    }
    return sorted
  }

  var count: Int { times.count }

  /// Returns the indices of a row's times.
  func indices(ofRow row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }

  /// Returns the index of a cell's time; nil if the file has none.
  func index(ofRow row: Int, column: Int) -> Int? {
    let indices = indices(ofRow: row)
    // Most rows have all columns.
    if indices.count == destinations.count { return indices.lowerBound + column }
    let index = indices.partitionPoint { Int(columns[$0]) >= column }
    return index < indices.upperBound && Int(columns[index]) == column ? index : nil
  }

  /// Returns the index of a time's destination.
  func column(of index: Int) -> Int { Int(columns[index]) }

  /// Returns a time in milliseconds; negative for no route.
  func time(_ index: Int) -> Int64 { Int64(times[index]) }
}
