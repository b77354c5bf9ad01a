import Tables

extension ResultsFolder {
  /// The files with the ids or hours of each dimension of NumPy files.
  package func axes(_ column: RowAxis.Column?) -> [String] {
    NumPyAxis.allCases.filter { $0.isUsed(column) }.map { file($0.file) }
  }
}

/// A dimension of NumPy files, with a CSV of its positions next to them.
enum NumPyAxis: CaseIterable {
  case origins, departures, percentiles, destinations

  /// The file's name, which is unlikely to coincide with an input's.
  var file: String {
    switch self {
    case .origins: "npy_origins.csv"
    case .departures: "npy_departures.csv"
    case .percentiles: "npy_percentiles.csv"
    case .destinations: "npy_destinations.csv"
    }
  }

  /// Returns whether the files have this dimension in a job whose rows have the given axis.
  fileprivate func isUsed(_ column: RowAxis.Column?) -> Bool {
    switch self {
    case .origins, .destinations: true
    case .departures: column == .departure
    case .percentiles: column == .percentile
    }
  }

  /// Returns the header and the query for one row per position, in order, with the fields to be read from SQLite.
  private func rows(_ axis: RowAxis) -> (header: String, sql: String) {
    let date = axis.dateColumn ?? .departure
    return switch self {
    case .origins, .destinations:
      (
        "place_id",
        "SELECT place_id AS field FROM place WHERE role = '\(self == .origins ? "origin" : "destination")' ORDER BY fid"
      )
    case .departures: (date.rawValue, "SELECT \(date.rawValue) AS field FROM departure ORDER BY departure")
    case .percentiles: ("percentile", "VALUES \(axis.numbers.map { "(\($0))" }.joined(separator: ","))")
    }
  }

  /// Writes the file of each dimension, whose places and hours are in the database. *Throws*: `ResultsError`.
  static func write(to folder: ResultsFolder, from database: SQLite, _ rows: RowAxis) throws {
    for axis in allCases where axis.isUsed(rows.column) {
      let (header, sql) = axis.rows(rows)
      let file = try OutputFile(path: folder.file(axis.file).unfinished)
      try file.write(Array("\(header)\n".utf8))
      let positions = try database.prepare(sql)
      while try positions.next() {
        let id: Identifier = try positions.value(at: 0)
        try file.write(Array("\(id.csvField)\n".utf8))
      }
      try file.synchronize()
    }
  }
}
