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
