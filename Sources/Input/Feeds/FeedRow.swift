import Geography
import Settings
import Tables

/// A row of a file in a GTFS feed: the fields of the requested columns, in order.
package struct FeedRow {
  fileprivate let rows: DelimitedRows
  /// The index of each requested column; nil if the file does not have it.
  fileprivate let indices: [Int?]

  package var line: Int { rows.line }
  /// The text of the row in the file.
  package var text: String { rows.text }

  /// A field; empty if the row or the file does not have it.
  package subscript(column: Int) -> RowField {
    guard let index = indices[column], index < rows.count else { return .empty }
    return rows[index]
  }

  /// Returns whether the file has a requested column.
  package func has(_ column: Int) -> Bool { indices[column] != nil }

  /// Returns the degrees in a field. `name` is for messages.
  package func degrees(_ column: Int, in name: String) throws(RowProblem) -> Double {
    guard let index = indices[column] else { throw RowProblem("the header has no column \(name)") }
    guard index < rows.count else { throw RowProblem("\(name) is empty") }
    return try rows.degrees(index, in: name)
  }
}

extension GTFSFeed {
  /// Calls `body` with each row of a file: the required columns, then the optional ones. *Throws*: `OdometerError`,
  /// including if the header lacks a required column.
  ///
  /// - Parameter reject: Called with each row that is too short or for which `body` throws, and the reason.
  /// - Returns: Notes on the file.
  @discardableResult
  package func forEachRow(
    _ name: String, _ columns: [String], _ optional: [String] = [],
    reject: (FeedRow, RowProblem) -> Void = { _, _ in }, _ body: (FeedRow) throws(RowProblem) -> Void
  ) throws -> [String] {
    let rows = try rows(of: name)
    // Column names are case-insensitive, as in other tables.
    let header = try rows.header().map { $0.lowercased() }
    let required = try columns.map { column in
      guard let index = header.firstIndex(of: column) else {
        throw .input(rows.path, line: rows.line, "the header has no column \(column)")
      }
      return index
    }
    let row = FeedRow(rows: rows, indices: required + optional.map { header.firstIndex(of: $0) })
    let minimumFields = (required.max() ?? 0) + 1
    while try rows.next() {
      do throws(RowProblem) {
        // Rows of real feeds may be too short: one with all required columns is accepted.
        guard rows.count >= minimumFields else {
          throw RowProblem("got \(rows.count) fields, expected \(header.count) as in the header")
        }
        try body(row)
      } catch {
        reject(row, error)
      }
    }
    return rows.notes
  }
}

/// The vehicle type of a line, by GTFS's `route_type`; extended codes map to their basic type.
package enum RouteType: Int, Sendable, CaseIterable {
  case tram = 0
  case metro = 1
  case rail = 2
  case bus = 3
  case ferry = 4
  case cableTram = 5
  case aerialLift = 6
  case funicular = 7
  case trolleybus = 11
  case monorail = 12

  /// The name in job files: "metro", "cableTram".
  package var name: String { "\(self)" }

  package init?(name: String) {
    guard let type = RouteType.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  package init?(code: Int) {
    switch code {
    case 100...199, 300...399: self = .rail
    case 200...299, 700...799: self = .bus
    // 500 to 699 are metros in older lists of types.
    case 400...404, 500...699: self = .metro
    case 405: self = .monorail
    case 800...899: self = .trolleybus
    case 900...999: self = .tram
    case 1000...1099, 1200...1299: self = .ferry
    case 1300...1399: self = .aerialLift
    case 1400...1499: self = .funicular
    default: self.init(rawValue: code)
    }
  }

  /// The setting type for a list of these names in a job file.
  package static var listType: SettingType<Set<RouteType>> {
    let names = allCases.map(\.name)
    return SettingType<[String]>.strings.map(
      expected: "a list of \(names.joined(separator: ", "))", choices: names
    ) { values in
      let types = values.compactMap(RouteType.init(name:))
      return types.count == values.count ? Set(types) : nil
    }
  }
}

/// A filter for stops by `wheelchair_boarding`, and for vehicles by `wheelchair_accessible`.
package enum WheelchairBoarding: String, Sendable, CaseIterable {
  case any
  /// Not marked as inaccessible.
  case possible
  /// Marked as accessible.
  case known

  /// - Parameters:
  ///   - own: The value of `wheelchair_boarding` or `wheelchair_accessible`: 1 yes, 2 no, otherwise unknown.
  ///   - station: The value of the station, which parts without a value inherit.
  package func allows(_ own: UInt16, in station: UInt16 = 0) -> Bool {
    let value = own == 1 || own == 2 ? own : station
    return switch self {
    case .any: true
    case .possible: value != 2
    case .known: value == 1
    }
  }
}
