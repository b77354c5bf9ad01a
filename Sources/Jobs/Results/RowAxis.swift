import Tables

/// The rows of a cell or an origin: a single one, one per departure, or one per percentile of the times at all
/// departures.
package enum RowAxis: Sendable {
  case single
  case departures([DepartureRow])
  /// From 0 to 100, in the order of the job.
  case percentiles([Int])

  /// The column that distinguishes the rows.
  package enum Column: String, Sendable { case departure, percentile }

  package var column: Column? {
    switch self {
    case .single: nil
    case .departures: .departure
    case .percentiles: .percentile
    }
  }

  /// 0 for a single row without a departure.
  package var count: Int { numbers.count }

  /// The value of the column in each row.
  package var numbers: [Int] {
    switch self {
    case .single: []
    case .departures(let rows): rows.map(\.number)
    case .percentiles(let percentiles): percentiles
    }
  }

  /// A text for each row, for CSV and pages.
  package var labels: [String] {
    switch self {
    case .single: []
    case .departures(let rows): rows.map(\.text)
    case .percentiles(let percentiles): percentiles.map(String.init)
    }
  }

  /// The column of the labels in CSV; nil for a single row.
  var labelColumn: String? { dateColumn?.rawValue ?? column?.rawValue }

  /// Nil without departures, and for percentiles.
  var dateColumn: DepartureRow.DateColumn? {
    if case .departures(let rows) = self { rows.first?.dateColumn } else { nil }
  }

  /// For readers that only know departures: a percentile is treated as one.
  var asDepartures: [DepartureRow] {
    switch self {
    case .single: []
    case .departures(let rows): rows
    case .percentiles(let percentiles):
      percentiles.enumerated().map { index, percentile in
        DepartureRow(
          number: index + 1, departure: "percentile \(percentile)", arrival: nil, weekday: "", day: nil, time: "",
          clockChange: nil)
      }
    }
  }

  /// The ⌈p·n/100⌉-th of n times in ascending order (nearest rank); percentile 0 is the first. Nil sorts after all
  /// times.
  static func percentile(_ percentile: Int, of times: [UInt32?]) -> UInt32? {
    let sorted = times.map { $0 ?? .max }.sorted()
    let time = sorted[max(1, (percentile * sorted.count + 99) / 100) - 1]
    return time == .max ? nil : time
  }
}

extension Job {
  /// The rows of its cells. Its departures are resolved.
  var rowAxis: RowAxis {
    guard let departures else { return .single }
    return hours.percentiles.map { .percentiles($0) } ?? .departures(departures.rows)
  }
}

extension ResultsDatabase {
  /// The rows of the job's cells.
  package func rowAxis() throws -> RowAxis {
    let percentiles = record.identity.integers(.percentiles)
    guard percentiles.isEmpty else { return .percentiles(percentiles) }
    let departures = try departures()
    return departures.isEmpty ? .single : .departures(departures)
  }
}

extension Column {
  /// The columns that distinguish rows of one cell.
  static func axis(_ columns: [RowAxis.Column], _ number: @escaping @Sendable (Row) -> Int?) -> [Column] {
    columns.flatMap { column -> [Column<Row>] in
      switch column {
      case .departure: Column.hour(true, number)
      case .percentile:
        [
          .optionalInteger(
            "percentile",
            "percentile of the times at all departures, 0 to 100; replaces `departure` in jobs with percentiles",
            number)
        ]
      }
    }
  }
}
