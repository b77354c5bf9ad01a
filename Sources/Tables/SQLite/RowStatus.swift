import Geography

/// The outcome of a row or a place.
package enum RowStatus: String, Sendable, CaseIterable, ColumnValue {
  case ok
  case directionsNotFound = "directions_not_found"
  case placemarkNotFound = "placemark_not_found"
  case outsideCoverage = "outside_coverage"
  case beyondLimit = "beyond_limit"
  // Statuses of traces.
  case doubtful
  case notMatched = "not_matched"
  case tooShort = "too_short"
}

/// The number of rows with a status.
package struct StatusCount: Sendable, Hashable {
  package var status: RowStatus
  package var count: Int

  package init(status: RowStatus, count: Int) { (self.status, self.count) = (status, count) }
}

extension [StatusCount] {
  package var total: Int { reduce(0) { $0 + $1.count } }
  package var ok: Int { first { $0.status == .ok }?.count ?? 0 }
}

/// A row of table `rejected`: a rejected input row with the reason.
package struct RejectedRow: Sendable, Hashable {
  package var file: String
  package var line: Int
  /// The id of the row, or of the trace of a position; nil if it has none.
  package var id: String?
  package var text: String
  package var reason: String
  /// The row's coordinates, if any: for maps of rejected rows, not for the table.
  package var points: [FixedCoordinate]

  package init(
    file: String, line: Int, id: String? = nil, text: String, reason: String, points: [FixedCoordinate] = []
  ) {
    (self.file, self.line, self.id, self.text, self.reason, self.points) = (file, line, id, text, reason, points)
  }

  /// Compares the columns of the table.
  package static func == (a: RejectedRow, b: RejectedRow) -> Bool {
    (a.file, a.line, a.id, a.text, a.reason) == (b.file, b.line, b.id, b.text, b.reason)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(text)
  }

  package static let table = Table<RejectedRow>(
    "rejected", "rejected row of the input",
    [
      .text("file", "path of the input") { $0.file },
      .integer("line", "line number from 1; in GeoJSON and GeoPackages the feature's number") { $0.line },
      .optionalText("id", "id of the row, or of the trace of a position") { $0.id },
      .text("text", "text of the row; at most 1,000 bytes for traces") { $0.text },
      .text("reason", "reason for the rejection") { $0.reason },
    ])
}
