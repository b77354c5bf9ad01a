import Foundation
import Geography
import Routing

/// Reads a fix out of a row's fields.
struct FixColumns {
  private let longitude: (name: String, index: Int)
  private let latitude: (name: String, index: Int)
  private let time: (name: String, index: Int)?
  private let received: (name: String, index: Int)?
  private let accuracy: (name: String, index: Int)?
  private let speed: (name: String, index: Int)?
  private let course: (name: String, index: Int)?

  init(_ columns: PointColumns) {
    (longitude, latitude) = (columns.longitude, columns.latitude)
    (time, received) = (columns[.time], columns[.received])
    (accuracy, speed, course) = (columns[.accuracy], columns[.speed], columns[.course])
  }

  func fix(_ rows: DelimitedRows, _ clock: TraceClock, _ check: CoordinateCheck) throws(RowProblem) -> Fix {
    let point = Coordinate(
      latitude: try rows.degrees(latitude.index, in: latitude.name),
      longitude: try rows.degrees(longitude.index, in: longitude.name))
    var fix = Fix(coordinate: try check.fix(at: point))
    if let time { fix.timestamp = try date(rows, time, clock) }
    if let received { fix.received = try date(rows, received, clock) }
    if let accuracy { fix.horizontalAccuracy = try rows[accuracy.index].measure(in: accuracy.name) }
    if let speed { fix.speed = try rows[speed.index].measure(in: speed.name) }
    if let course { fix.course = try rows[course.index].measure(in: course.name) }
    return fix
  }

  private func date(
    _ rows: DelimitedRows, _ column: (name: String, index: Int), _ clock: TraceClock
  ) throws(RowProblem) -> Date? {
    let field = rows[column.index]
    return field.isEmpty
      ? nil : Date(timeIntervalSince1970: try clock.seconds(field.bytes, in: column.name))
  }
}

extension CoordinateCheck {
  /// The point itself, once it is one that can be on the map.
  func fix(at point: Coordinate) throws(RowProblem) -> Coordinate {
    _ = try self.point(longitude: point.longitude, latitude: point.latitude, of: "the fix")
    return point
  }

  /// What a device measured; nil for a negative number, as Core Location writes what it does not know.
  static func measure(_ number: Double, in column: String) throws(RowProblem) -> Double? {
    guard number.isFinite else { throw RowProblem("\(column) is not a finite number") }
    return number < 0 ? nil : number
  }
}
