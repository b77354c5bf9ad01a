import Tables

/// The kinds of jobs: what is computed, and which tables and files the results have.
package enum JobKind: String, Sendable, CaseIterable {
  /// Every pair's route: time, distance, steps and shape.
  case routes
  /// Every pair's time and distance alone.
  case etas
  /// Every time and distance between two lists of places.
  case matrix
  /// The stations nearest to each origin.
  case access
  /// The areas within some times of places.
  case isochrones
  /// Recorded traces, matched to streets.
  case traces

  var results: any KindResults.Type {
    switch self {
    case .routes: RouteResults.self
    case .etas: ETAResults.self
    case .matrix: MatrixResults.self
    case .access: AccessResults.self
    case .isochrones: IsochroneResults.self
    case .traces: TraceResults.self
    }
  }

  /// The tables and views of its own, described.
  package var tables: [TableDescription] { results.tables }
}

/// What the results of one kind of job are, and what all kinds must answer alike.
protocol KindResults {
  /// Those of its own.
  static var tables: [TableDescription] { get }
  /// Names of the files it may write next to the database.
  static var files: [String] { get }
  /// How many rows, of those that closing lines and reports count, have each status.
  static func statusCounts(_ database: ResultsDatabase) throws -> [StatusCount]
  /// Sums that must agree.
  static func sums(_ database: ResultsDatabase) throws -> [SumCheck]
  /// How the rows of two runs are compared.
  static var comparison: RowComparison { get }
}
