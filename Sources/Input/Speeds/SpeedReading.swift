import StreetNetwork

/// A reader that adds speed files to a join row by row, without loading a whole file.
enum SpeedReading {
  /// Reads the files. *Throws*: `InputError`, including if more than 1 % of the rows are unreadable.
  static func read(_ inputs: [SpeedInput], into join: inout SpeedJoin) throws {
    for input in inputs { try read(input, into: &join) }
  }

  private static func read(_ input: SpeedInput, into join: inout SpeedJoin) throws {
    let rows = try DelimitedRows(input.file)
    guard try rows.next() else { throw InputError(file: input.file, problem: "the file has no rows") }
    guard let format = input.format ?? SpeedFormat(firstRow: rows) else {
      throw InputError(
        file: input.file, line: rows.line,
        problem: "not a speed file: expected a header with way_id or from_node, or rows of from, to and speed")
    }
    var reader = try self.reader(format, input, rows)
    join.begin(SpeedSource(file: input.file, format: format.rawValue))
    var isRowRead = format != .long
    while isRowRead ? true : try rows.next() {
      isRowRead = false
      var problem: RowProblem?
      do throws(RowProblem) {
        try rows.checkQuotes()
        if let row = try reader.row(rows) { join.append(row) }
      } catch {
        problem = error
      }
      join.note { source in
        source.rows += 1
        if let problem {
          source.note(malformed: rows, problem)
        } else if reader.hasIgnoredColumns {
          source.withUnused += 1
        }
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
    case .osrm: (reader, hasTimes) = (OSRMRows(hours: input.hours ?? .all), false)
    case .week: (reader, hasTimes) = (WeekRows(), true)
    case .long:
      guard rows.count <= DelimitedRows.maximumFields else {
        throw InputError(file: input.file, line: 1, problem: "got \(rows.count) columns, expected fewer")
      }
      let columns = try LongColumns(rows.strings, file: input.file)
      (reader, hasTimes) = (LongRows(columns, input.hours ?? .all), columns.hasTimes)
    }
    guard !hasTimes || input.hours == nil else {
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
    guard firstMalformed.count < SpeedSource.maximumNamed else { return }
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

/// The rows of a speed file, in order.
protocol SpeedRows {
  /// Whether rows have recognized but ignored columns.
  var hasIgnoredColumns: Bool { get }
  /// Returns the speed of the current row of `rows`; nil if it has none.
  mutating func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow?
}

extension RowField {
  /// Returns an OpenStreetMap id.
  func id(in column: String) throws(RowProblem) -> Int64 {
    guard let number = DecimalText.number(bytes), let id = Int64(exactly: number) else {
      throw RowProblem("\(column) is \"\(text)\", expected an OpenStreetMap id")
    }
    return id
  }

  /// Returns a speed in km/h.
  func speed(in column: String) throws(RowProblem) -> Double {
    let speed = try number(in: column)
    guard speed.isFinite, speed >= 0 else {
      throw RowProblem("\(column) is \(text), expected a speed of 0 km/h or more")
    }
    return speed
  }
}

/// OSRM's rows: one speed per pair of nodes, and optional rates.
struct OSRMRows: SpeedRows {
  let hours: WeekHours
  private(set) var hasIgnoredColumns = false

  mutating func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    guard rows.count >= 3 else { throw RowProblem("got \(rows.count) fields, expected from, to and speed") }
    let nodes = SpeedPlace.Nodes(from: try rows[0].id(in: "from"), to: try rows[1].id(in: "to"))
    hasIgnoredColumns = rows.count > 3
    // A row may give a rate without a speed.
    if rows[2].isEmpty, hasIgnoredColumns { return nil }
    return SpeedRow(SpeedPlace(nodes: nodes), .kmh(try rows[2].speed(in: "speed"), hours), line: rows.line)
  }
}

/// Rows with a week's speeds in steps of five minutes for a pair of nodes, starting on Sunday.
struct WeekRows: SpeedRows {
  static let columnCount = 2 + 2016
  private static let slotsOfDay = 288

  let hasIgnoredColumns = false

  func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    guard rows.count == WeekRows.columnCount else {
      throw RowProblem("got \(rows.count) fields, expected from, to and 2016 speeds")
    }
    let nodes = SpeedPlace.Nodes(from: try rows[0].id(in: "from"), to: try rows[1].id(in: "to"))
    var week = [Float](repeating: .nan, count: 2016)
    for slot in 0..<2016 where !rows[slot + 2].isEmpty {
      // Odometer's week begins on Monday.
      let mondaySlot = (slot + 2016 - WeekRows.slotsOfDay) % 2016
      week[mondaySlot] = Float(try rows[slot + 2].speed(in: "s\(slot)"))
    }
    return SpeedRow(SpeedPlace(nodes: nodes), .week(week), line: rows.line)
  }
}
