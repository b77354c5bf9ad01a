import Foundation
import Geography
import Input
import Routing
import Settings
import StreetNetwork
import Tables

extension Sentinel {
  private static let maximumCount = 10_000

  /// Returns the sentinels of a file: a table of pairs with `min_seconds`, `max_seconds`, `min_metres` or `max_metres`.
  /// An invalid row stops the job. *Throws*: `OdometerError`.
  static func all(in path: String, area: BoundingBox, transportType: TransportType) throws -> [Sentinel] {
    let rows = try DelimitedRows(path)
    let header = try rows.header()
    let (ends, bounds) = try rows.inHeader {
      (try PairColumns(header, file: path), try boundColumns(header, file: path))
    }
    let check = CoordinateCheck(area: area)
    var sentinels: [Sentinel] = []
    while try rows.next() {
      do throws(RowProblem) {
        try rows.check(header.count)
        guard sentinels.count < maximumCount else {
          throw RowProblem("got more than \(maximumCount) sentinels, expected at most \(maximumCount)")
        }
        let values = try ends.values(of: rows, for: transportType.rawValue, nil)
        guard values.waypoints.isEmpty, values.avoids.isEmpty else {
          throw RowProblem("got waypoints or roads to avoid, expected only an origin and a destination")
        }
        let sentinel = Sentinel(
          name: values.id.map { "\($0)" } ?? "line \(rows.line)",
          from: try check.point(values.origin, of: "the origin").coordinate,
          to: try check.point(values.destination, of: "the destination").coordinate,
          departure: try time(values.departure),
          seconds: try allowed("seconds", rows, minimum: bounds[0], maximum: bounds[1]),
          metres: try allowed("metres", rows, minimum: bounds[2], maximum: bounds[3]))
        guard !sentinel.seconds.isAny || !sentinel.metres.isAny else {
          throw RowProblem("got no range, expected a number in one of \(boundNames.joined(separator: ", "))")
        }
        sentinels.append(sentinel)
      } catch {
        throw .input(path, line: rows.line, error.reason)
      }
    }
    guard !sentinels.isEmpty else { throw .input(path, "the file has no sentinels") }
    return sentinels
  }

  private static func time(_ text: String?) throws(RowProblem) -> Timestamp? {
    guard let text else { return nil }
    guard let time = Timestamp(text) else {
      throw RowProblem("departure_time: got \"\(RowProblem.excerpt(text))\", expected \(Timestamp.allowed)")
    }
    return time
  }

  private static let boundNames = ["min_seconds", "max_seconds", "min_metres", "max_metres"]

  /// Returns the index of the column of each bound; nil for a missing one. *Throws*: `OdometerError` if all are
  /// missing.
  private static func boundColumns(_ header: [String], file: String) throws -> [Int?] {
    let columns = header.map { $0.lowercased() }
    let bounds = boundNames.map { columns.firstIndex(of: $0) }
    guard bounds.contains(where: { $0 != nil }) else {
      throw OdometerError(file: file, noColumnFor: "range", in: header, of: boundNames)
    }
    return bounds
  }

  private static func allowed(
    _ unit: String, _ rows: DelimitedRows, minimum: Int?, maximum: Int?
  ) throws(RowProblem) -> Allowed {
    func number(_ index: Int?, _ name: String) throws(RowProblem) -> Double? {
      guard let index, !rows[index].isEmpty else { return nil }
      let number = try rows[index].number(in: "\(name)_\(unit)")
      guard number.isFinite, number >= 0 else {
        throw RowProblem("\(name)_\(unit): got \(RowProblem.excerpt(rows[index].text)), expected a number from 0")
      }
      return number
    }
    let allowed = Allowed(minimum: try number(minimum, "min"), maximum: try number(maximum, "max"))
    if let minimum = allowed.minimum, let maximum = allowed.maximum, minimum > maximum {
      throw RowProblem("min_\(unit) is above max_\(unit)")
    }
    return allowed
  }
}

/// A known trip with a permitted range.
struct Sentinel: Sendable {
  var name: String
  var from: Coordinate
  var to: Coordinate
  /// Its own departure; nil for the job's departures.
  var departure: Timestamp?
  var seconds: Allowed
  var metres: Allowed

  /// A permitted range.
  struct Allowed: Sendable, CustomStringConvertible {
    var minimum: Double?
    var maximum: Double?

    var isAny: Bool { minimum == nil && maximum == nil }
    func contains(_ number: Double) -> Bool { number >= minimum ?? -.infinity && number <= maximum ?? .infinity }

    /// For example "60 to 90" or "at most 90".
    var description: String {
      func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
      switch (minimum, maximum) {
      case (let minimum?, let maximum?): return "\(text(minimum)) to \(text(maximum))"
      case (let minimum?, nil): return "at least \(text(minimum))"
      case (nil, let maximum?): return "at most \(text(maximum))"
      case (nil, nil): return "any"
      }
    }
  }
}
