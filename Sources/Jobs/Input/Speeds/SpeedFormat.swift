import StreetNetwork

/// How a file of speeds is written.
enum SpeedFormat: String, CaseIterable, Sendable {
  /// `from,to,speed[,rate…]` for pairs of nodes, without a header.
  case osrm
  /// `from,to,s0…s2015`: km/h in each five minutes from Sunday, midnight.
  case week
  /// With a header that names its columns.
  case long

  /// What the first row of a file says it is.
  init?(firstRow rows: DelimitedRows) {
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

/// A file of speeds as a job names it.
struct SpeedInput: Sendable {
  var file: String
  /// Nil for what the file says itself.
  var format: SpeedFormat?
  /// When its speeds hold, where it has no times.
  var hours: WeekHours = .all
  var hasHours = false
  var use = SpeedUse()
}
