import Tables
import Transit

/// The rows of a cell or an origin: a single one, one per departure, or one per percentile of the times at all
/// departures.
package enum RowAxis: Sendable {
  case single
  case departures([DepartureRow])
  /// From 0 to 100, in the order of the job.
  case percentiles([Int])

  /// The column that distinguishes the rows.
  package enum Column: String, Sendable {
    case departure, percentile

    /// Returns ", departure", an additional column of a list in SQL; empty for a single row.
    static func list(_ column: Column?) -> String { column.map { ", \($0.rawValue)" } ?? "" }
  }

  package var column: Column? {
    switch self {
    case .single: nil
    case .departures: .departure
    case .percentiles: .percentile
    }
  }

  /// The number of rows; 0 for `single`, whose row has no number.
  package var count: Int { numbers.count }

  /// The value of the column in each row.
  package var numbers: [Int] {
    switch self {
    case .single: []
    case .departures(let rows): rows.map(\.number)
    case .percentiles(let percentiles): percentiles
    }
  }

  /// The position of the middle percentile, from 1, or of the lower one of two; nil without percentiles.
  package var middle: Int? {
    guard column == .percentile else { return nil }
    return RowAxis.middle(of: numbers).flatMap { numbers.firstIndex(of: $0) }.map { $0 + 1 }
  }

  /// Returns the middle percentile, or the lower one of two; nil if there are none.
  static func middle(of percentiles: [Int]) -> Int? {
    percentiles.isEmpty ? nil : percentiles.sorted()[(percentiles.count - 1) / 2]
  }

  /// The row that pages show at first: the first hour, or the middle percentile; nil for a single row.
  package var initial: DepartureRow? { column == nil ? nil : asDepartures[initialIndex] }

  /// The index of the row that pages show at first; 0 for a single row.
  package var initialIndex: Int { (middle ?? 1) - 1 }

  /// Returns the indices of at most `maximum` rows, evenly spaced, including the one that pages show at first.
  package func evenlySpacedIndices(atMost maximum: Int) -> [Int] {
    let step = max(1, (count + maximum - 1) / max(1, maximum))
    return stride(from: initialIndex % step, to: count, by: step).map(\.self)
  }

  /// The plural noun for the rows.
  package var unit: String { column == .percentile ? "percentiles" : "hours" }

  /// The rows covered by a figure of the whole job: " at 24 hours", " at the median", " at percentile 90", " at
  /// percentiles 25, 50 and 75 together"; empty for a single row.
  var words: String {
    switch self {
    case .single: ""
    case .departures(let rows): rows.count > 1 ? " at \(rows.count) hours" : ""
    case .percentiles([50]): " at the median"
    case .percentiles(let percentiles) where percentiles.count == 1: " at percentile \(percentiles[0])"
    case .percentiles(let percentiles):
      " at percentiles \(percentiles.dropLast().map(String.init).joined(separator: ", ")) and \(percentiles.last!) together"
    }
  }

  /// The `words` for several percentiles, which tables `statistic` and `histogram` do not separate: " at percentiles
  /// 25, 50 and 75 together"; empty otherwise.
  package var pooledWords: String { column == .percentile && count > 1 ? words : "" }

  /// A label for each row, as in CSV and on pages.
  package var labels: [String] {
    switch self {
    case .single: []
    case .departures(let rows): rows.map(\.text)
    case .percentiles(let percentiles): percentiles.map(String.init)
    }
  }

  /// The heading of the labels on pages; nil for a single row.
  package var head: String? {
    switch self {
    case .single: nil
    case .departures: dateColumn == .arrival ? "arrival" : "departure"
    case .percentiles: "percentile"
    }
  }

  /// The column of the labels in CSV; nil for a single row.
  var labelColumn: String? { dateColumn?.rawValue ?? column?.rawValue }

  /// The column of the departures' dates; nil without departures, and for percentiles.
  var dateColumn: DepartureRow.DateColumn? {
    if case .departures(let rows) = self { rows.first?.dateColumn } else { nil }
  }

  /// The rows for readers that only know departures: each percentile is treated as one.
  package var asDepartures: [DepartureRow] {
    switch self {
    case .single: []
    case .departures(let rows): rows
    case .percentiles(let percentiles):
      percentiles.enumerated().map { index, percentile in
        DepartureRow(number: index + 1, departure: "percentile \(percentile)")
      }
    }
  }

  /// The columns of the axis in tables; none for a single row.
  var columns: [Column] { column.map { [$0] } ?? [] }

  /// Returns the position of a table's rows on the axis, from 1, in SQL; NULL for a single row.
  func position(in table: String) -> String {
    switch self {
    case .single: return "NULL"
    case .departures: return "\(table).departure"
    case .percentiles(let percentiles):
      let cases = percentiles.enumerated().map { "WHEN \($1) THEN \($0 + 1)" }.joined(separator: " ")
      return "CASE \(table).percentile \(cases) END"
    }
  }

  /// Returns an SQL condition that selects a table's rows at a position, from 1.
  func condition(_ position: Int, in table: String) -> String {
    guard let column, numbers.indices.contains(position - 1) else { return "1" }
    return "\(table).\(column.rawValue) = \(numbers[position - 1])"
  }

  /// Returns a percentile of times; nil counts as longer than any time.
  static func percentile(_ percentile: Int, of times: [UInt32?]) -> UInt32? {
    let sorted = times.map { $0 ?? .max }.sorted()
    let time = sorted[PercentileNetwork.rank(percentile, of: sorted.count)]
    return time == .max ? nil : time
  }

  /// Returns the time of a row, given by its index, from the times at all departures.
  func time(_ row: Int, of times: [UInt32?]) -> UInt32? {
    if case .percentiles(let percentiles) = self { RowAxis.percentile(percentiles[row], of: times) } else { times[row] }
  }
}

/// The trips that represent the percentiles of a job: for each, the trip at the earliest hour whose time is that
/// percentile.
struct PercentileTrips: Sendable {
  let percentiles: [Int]
  /// The indices of the job's hours, in chronological order.
  private let hours: [Int]

  /// Nil in a job without percentiles. The job's departures must be resolved.
  init?(_ job: Job) {
    guard let departures = job.departures?.hours, let percentiles = job.hours.percentiles else { return nil }
    self.percentiles = percentiles
    let keys = departures.indices.map { (departures[$0].day, departures[$0].time.clock, $0) }
    hours = keys.sorted { $0 < $1 }.map(\.2)
  }

  /// Returns the index of the hour that represents each percentile.
  ///
  /// - Parameter times: The time at each hour; nil without a route.
  func hours<Time: FixedWidthInteger>(of times: [Time?]) -> [Int] {
    let sorted = times.map { $0 ?? .max }.sorted()
    return percentiles.map { percentile in
      let time = sorted[PercentileNetwork.rank(percentile, of: sorted.count)]
      return hours.first { times[$0] ?? .max == time } ?? 0
    }
  }
}

extension Job {
  /// The rows of the job's cells. The job's departures must be resolved.
  var rowAxis: RowAxis {
    guard let departures else { return .single }
    return hours.percentiles.map { .percentiles($0) } ?? .departures(departures.rows)
  }
}

extension ResultsDatabase {
  /// Returns the rows of the job's cells.
  package func rowAxis() throws -> RowAxis {
    let percentiles = record.identity.integers(.percentiles)
    guard percentiles.isEmpty else { return .percentiles(percentiles) }
    let departures = try departures()
    return departures.isEmpty ? .single : .departures(departures)
  }
}

extension Column {
  /// Returns the columns that distinguish rows of one cell.
  static func axis(_ columns: [RowAxis.Column], _ number: @escaping @Sendable (Row) -> Int?) -> [Column] {
    columns.flatMap { column -> [Column<Row>] in
      switch column {
      case .departure:
        [.optionalInteger("departure", "number in table `departure`; only in jobs with that table", number)]
      case .percentile:
        [
          .optionalInteger(
            "percentile",
            "percentile of the times over all departures, 0 to 100; replaces `departure` in jobs with percentiles",
            number)
        ]
      }
    }
  }
}
