import StreetNetwork

/// The rows of a file of speeds, one after the other.
protocol SpeedRows: AnyObject {
  /// Whether rows have columns that are known, and not used.
  var hasUnused: Bool { get }
  /// What the row says that `rows` is at; nil for one that says nothing of a speed.
  func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow?
}

extension RowField {
  /// An id of OpenStreetMap.
  func id(in column: String) throws(RowProblem) -> Int64 {
    guard let number = DecimalText.number(bytes), let id = Int64(exactly: number) else {
      throw RowProblem("\(column) is \"\(text)\", expected an id of OpenStreetMap")
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

/// OSRM's rows: one speed for a pair of nodes, and perhaps rates.
final class OSRMRows: SpeedRows {
  private let hours: WeekHours
  private(set) var hasUnused = false

  init(_ hours: WeekHours) { self.hours = hours }

  func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    guard rows.count >= 3 else { throw RowProblem("got \(rows.count) fields, expected from, to and speed") }
    let nodes = SpeedPlace.Nodes(from: try rows[0].id(in: "from"), to: try rows[1].id(in: "to"))
    hasUnused = rows.count > 3
    // A row may change its rate alone.
    if rows[2].isEmpty, hasUnused { return nil }
    return SpeedRow(SpeedPlace(nodes: nodes), .kmh(try rows[2].speed(in: "speed"), hours), line: rows.line)
  }
}

/// Rows of a week's speeds in steps of five minutes for a pair of nodes, from Sunday on.
final class WeekRows: SpeedRows {
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
      // Our week begins on Monday.
      let ours = (slot + 2016 - WeekRows.slotsOfDay) % 2016
      week[ours] = Float(try rows[slot + 2].speed(in: "s\(slot)"))
    }
    return SpeedRow(SpeedPlace(nodes: nodes), .week(week), line: rows.line)
  }
}
