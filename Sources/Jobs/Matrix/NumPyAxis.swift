import Tables

extension ResultsFolder {
  /// What says of each dimension of NumPy files which ids or hours its positions are.
  package func axes(hasDepartures: Bool) -> [String] {
    NumPyAxis.allCases.filter { hasDepartures || $0 != .departures }.map { file($0.file) }
  }
}

/// What the positions along a dimension of NumPy files are: a CSV beside them.
enum NumPyAxis: CaseIterable {
  case origins, departures, destinations

  /// The file's name, which no input has by chance.
  var file: String {
    switch self {
    case .origins: "npy_origins.csv"
    case .departures: "npy_departures.csv"
    case .destinations: "npy_destinations.csv"
    }
  }

  /// A row per position, in their order; the fields as SQLite reads them.
  private func rows(_ date: DepartureRow.DateColumn) -> (header: String, sql: String) {
    switch self {
    case .origins, .destinations:
      (
        "place_id",
        "SELECT place_id AS field FROM place WHERE role = '\(self == .origins ? "origin" : "destination")' ORDER BY fid"
      )
    case .departures: (date.rawValue, "SELECT \(date.rawValue) AS field FROM departure ORDER BY departure")
    }
  }

  /// Writes the file of each dimension, whose places and hours are in the database. *Throws*: `ResultsError`.
  static func write(to folder: ResultsFolder, from database: SQLite, date: DepartureRow.DateColumn?) throws {
    for axis in allCases where axis != .departures || date != nil {
      let (header, sql) = axis.rows(date ?? .departure)
      let file = try OutputFile(path: folder.file(axis.file).unfinished)
      try file.write(Array("\(header)\n".utf8))
      let rows = try database.prepare(sql)
      let field = try rows.index(of: "field")
      while try rows.next() {
        let id: Identifier = try rows.value(at: field)
        try file.write(Array("\(id.csvField)\n".utf8))
      }
      try file.synchronize()
    }
  }
}
