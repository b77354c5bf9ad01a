import Foundation
import Geography
import Routing
import Tables

/// A trace in an input file.
package struct RecordedTrace: Sendable {
  package var id: Identifier
  /// The group for statistics; nil if the file has none.
  package var group: String?
  /// In file order; invalid fixes are rejected.
  package var fixes: [Fix]
  package var file: String
  /// The line or feature at which it starts in the file.
  package var line: Int
  package var unit = RowUnit.line
}

extension RecordedTrace {
  /// Resolves ambiguous local times, which occur twice when clocks are turned back, by the order of the fixes. Times
  /// without a zone were read as the first occurrence.
  mutating func resolveRepeatedTimes(by clock: TraceClock) {
    guard clock.hasReadLocalTime else { return }
    var last: Double?
    /// Whether all fixes so far have ambiguous times.
    var areAllAmbiguous = true
    for index in fixes.indices {
      guard var time = fixes[index].timestamp?.timeIntervalSince1970 else { continue }
      if let last {
        time = RecordedTrace.occurrence(time, after: last, clock)
        // A trace that leaves the ambiguous hour without a jump back began in its second occurrence, if possible.
        if areAllAmbiguous, clock.repetition(of: time) == nil, let second = clock.repetition(of: last), second <= time {
          for index in fixes.indices[..<index] {
            fixes[index].timestamp?.addTimeInterval(second - last)
            fixes[index].received?.addTimeInterval(second - last)
          }
        }
      }
      areAllAmbiguous = areAllAmbiguous && clock.repetition(of: time) != nil
      fixes[index].timestamp = Date(timeIntervalSince1970: time)
      if let received = fixes[index].received?.timeIntervalSince1970 {
        fixes[index].received = Date(timeIntervalSince1970: RecordedTrace.occurrence(received, after: time, clock))
      }
      last = time
    }
  }

  /// Returns the second occurrence of a time if the first is before the previous fix and no nearer to it; otherwise the
  /// first.
  private static func occurrence(_ time: Double, after last: Double, _ clock: TraceClock) -> Double {
    guard time < last, let second = clock.repetition(of: time), abs(second - last) <= last - time else { return time }
    return second
  }
}

/// The columns of fixes, found by name.
package struct PointColumns {
  private let longitude: (name: String, index: Int)
  private let latitude: (name: String, index: Int)
  private let time: (name: String, index: Int)?
  private let received: (name: String, index: Int)?
  private let accuracy: (name: String, index: Int)?
  private let speed: (name: String, index: Int)?
  private let course: (name: String, index: Int)?
  let trace: Int?
  let group: Int?
  let count: Int

  package enum Column: String, CaseIterable {
    case longitude, latitude, trace, time, accuracy, speed, course, received, group

    /// Names in order of precedence; case is ignored. GeoJSON properties have the same names.
    package var names: [String] {
      switch self {
      case .longitude: ["lon", "lng", "long", "longitude", "x"]
      case .latitude: ["lat", "latitude", "y"]
      case .trace: ["trace_id", "trace", "trip_id", "track_id", "trackid"]
      case .time: ["time", "timestamp", "date", "datetime"]
      case .accuracy: ["accuracy", "horizontal_accuracy"]
      case .speed: ["speed"]
      case .course: ["course", "bearing", "heading"]
      case .received: ["received"]
      case .group: ["group", "trace_group"]
      }
    }

    func index(in header: [String]) -> Int? { header.column(of: names) }
  }

  /// *Throws*: `OdometerError` if a coordinate has no column, or a column is given twice.
  init(_ header: [String], file: String) throws {
    let lower = header.map { $0.lowercased() }
    func axis(_ column: Column) throws -> (name: String, index: Int) {
      guard let index = column.index(in: lower) else {
        throw OdometerError(file: file, noColumnFor: column.rawValue, in: header, of: column.names + ["or polyline"])
      }
      return (header[index], index)
    }
    func optional(_ column: Column) -> (name: String, index: Int)? { column.index(in: lower).map { (header[$0], $0) } }
    longitude = try axis(.longitude)
    latitude = try axis(.latitude)
    (time, received) = (optional(.time), optional(.received))
    (accuracy, speed, course) = (optional(.accuracy), optional(.speed), optional(.course))
    trace = Column.trace.index(in: lower)
    group = Column.group.index(in: lower)
    count = header.count
    try OdometerError.checkOnce(Column.allCases.compactMap { $0.index(in: lower) }.sorted(), in: header, of: file)
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
