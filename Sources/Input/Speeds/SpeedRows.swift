import StreetNetwork

/// The rows of a file of speeds, in order.
package protocol SpeedRows: AnyObject {
  /// Whether rows have recognized but ignored columns.
  var hasUnused: Bool { get }
  /// The speed of the current row of `rows`; nil if it has none.
  func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow?
}

extension RowField {
  /// An OpenStreetMap id.
  package func id(in column: String) throws(RowProblem) -> Int64 {
    guard let number = DecimalText.number(bytes), let id = Int64(exactly: number) else {
      throw RowProblem("\(column) is \"\(text)\", expected an OpenStreetMap id")
    }
    return id
  }

  /// In km/h.
  package func speed(in column: String) throws(RowProblem) -> Double {
    let speed = try number(in: column)
    guard speed.isFinite, speed >= 0 else {
      throw RowProblem("\(column) is \(text), expected a speed of 0 km/h or more")
    }
    return speed
  }
}

/// OSRM's rows: one speed per pair of nodes, and optional rates.
package final class OSRMRows: SpeedRows {
  private let hours: WeekHours
  package private(set) var hasUnused = false

  package init(_ hours: WeekHours) { self.hours = hours }

  package func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
    guard rows.count >= 3 else { throw RowProblem("got \(rows.count) fields, expected from, to and speed") }
    let nodes = SpeedPlace.Nodes(from: try rows[0].id(in: "from"), to: try rows[1].id(in: "to"))
    hasUnused = rows.count > 3
    // A row may change only its rate.
    if rows[2].isEmpty, hasUnused { return nil }
    return SpeedRow(SpeedPlace(nodes: nodes), .kmh(try rows[2].speed(in: "speed"), hours), line: rows.line)
  }
}

/// Rows with a week's speeds in steps of five minutes for a pair of nodes, from Sunday on.
package final class WeekRows: SpeedRows {
  static let columnCount = 2 + 2016
  private static let slotsOfDay = 288

  package let hasUnused = false

  package init() {}

  package func row(_ rows: DelimitedRows) throws(RowProblem) -> SpeedRow? {
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

/// The format of a file of speeds.
package enum SpeedFormat: String, CaseIterable, Sendable {
  /// `from,to,speed[,rate…]` for pairs of nodes, without a header.
  case osrm
  /// `from,to,s0…s2015`: km/h in each five minutes from Sunday, midnight.
  case week
  /// With a header of column names.
  case long

  /// The format, from the first row of a file.
  package init?(firstRow rows: DelimitedRows) {
    let isNumber = { (index: Int) in DecimalText.number(rows[index].bytes) != nil }
    if rows.count == WeekRows.columnCount {
      self = .week
    } else if rows.count >= 3, (0..<3).allSatisfy(isNumber) {
      self = .osrm
    } else if rows.count <= DelimitedRows.mostFields,
      LongColumns.isHeader((0..<rows.count).map { rows[$0].text })
    {
      self = .long
    } else {
      return nil
    }
  }
}

/// A file of speeds in a job.
package struct SpeedInput: Sendable {
  package var file: String
  /// Nil for the format in the file.
  package var format: SpeedFormat?
  /// The hours of its speeds, if the file has no times.
  package var hours: WeekHours = .all
  package var hasHours = false
  package var use = SpeedUse()

  package init(file: String) { self.file = file }
}
