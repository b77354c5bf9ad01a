import StreetNetwork

/// The rows of a file of speeds, in order.
protocol SpeedRows {
  /// Whether rows have recognized but ignored columns.
  var hasUnused: Bool { get }
  /// The speed of the current row of `rows`; nil if it has none.
  mutating func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow?
}

extension RowField {
  /// An OpenStreetMap id.
  func id(in column: String) throws(RowProblem) -> Int64 {
    guard let number = DecimalText.number(bytes), let id = Int64(exactly: number) else {
      throw RowProblem("\(column) is \"\(text)\", expected an OpenStreetMap id")
    }
    return id
  }

  /// In km/h.
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
  private(set) var hasUnused = false

  mutating func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    guard rows.count >= 3 else { throw RowProblem("got \(rows.count) fields, expected from, to and speed") }
    let nodes = SpeedPlace.Nodes(from: try rows[0].id(in: "from"), to: try rows[1].id(in: "to"))
    hasUnused = rows.count > 3
    // A row may change only its rate.
    if rows[2].isEmpty, hasUnused { return nil }
    return SpeedRow(SpeedPlace(nodes: nodes), .kmh(try rows[2].speed(in: "speed"), hours), line: rows.line)
  }
}

/// Rows with a week's speeds in steps of five minutes for a pair of nodes, from Sunday on.
struct WeekRows: SpeedRows {
  static let columnCount = 2 + 2016
  private static let slotsOfDay = 288

  let hasUnused = false

  func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    guard rows.count == WeekRows.columnCount else {
      throw RowProblem("got \(rows.count) fields, expected from, to and 2016 speeds")
    }
    let nodes = SpeedPlace.Nodes(from: try rows[0].id(in: "from"), to: try rows[1].id(in: "to"))
    var week = [Float](repeating: .nan, count: 2016)
    for slot in 0..<2016 where !rows[slot + 2].isEmpty {
      // Odometer's week begins on Monday.
      let ours = (slot + 2016 - WeekRows.slotsOfDay) % 2016
      week[ours] = Float(try rows[slot + 2].speed(in: "s\(slot)"))
    }
    return SpeedRow(SpeedPlace(nodes: nodes), .week(week), line: rows.line)
  }
}
