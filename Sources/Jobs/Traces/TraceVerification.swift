import Foundation
import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables

extension TraceTask {
  /// Matches traces again with the textbook algorithms, from the fixes in the database if it has them, else from the
  /// input.
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let rows = results.indices(of: try results.database.traceCount())
    let hasFixes = fixes == .table
    let traces = try rows.compactMap { try results.database.trace($0 + 1) }
    let recorded = hasFixes ? [] : try recordedTraces(rows, of: results)
    let (network, options, rules) = (results.network, results.job.options, oracleOptions)
    let items = traces.enumerated().map { index, trace in
      (trace, hasFixes ? trace.fixes.map(\.fix) : recorded[index].fixes)
    }
    return try results.differences(of: items) {
      let matcher = TraceMatcher(Router(network, options), rules, isOracle: true)
      return { item in
        let (trace, fixes) = item
        // Fixes removed by the age filter are not in the database.
        let reasons = trace.fixes.map { $0.isKept ? nil : FixReason.distance }
        return trace.differences(from: hasFixes ? matcher.match(fixes, reasons: reasons) : matcher.match(fixes))
      }
    }
  }
}

extension TraceTask {
  private var oracleOptions: MatchOptions {
    var options = options
    options.comparesWithFastest = false
    return options
  }

  /// Returns the input traces with the given indices, which must be ascending. *Throws*: `OdometerError`;
  /// `ResultsError` if the input has changed.
  private func recordedTraces(_ numbers: [Int], of results: ResultsToVerify) throws -> [RecordedTrace] {
    let database = results.database
    guard try TraceTask.digest(of: files) == database.record.identity[.tracesSHA256] else {
      throw ResultsError(
        path: database.path, problem: "the traces have changed since the run; verification needs the original files",
        cause: .input)
    }
    var chosen: [RecordedTrace] = []
    for chunk in try table(for: results.job, on: results.network).chunks {
      if let failure = chunk.failure { throw failure }
      let range = chunk.firstTrace..<chunk.firstTrace + chunk.traces.count
      chosen += numbers.filter(range.contains).map { chunk.traces[$0 - chunk.firstTrace].rounded }
    }
    return chosen
  }
}

extension TraceToVerify {
  fileprivate func differences(from match: Match) -> [Difference] {
    let pieces = match.parts.flatMap(\.pieces)
    // Summed as `Int`: a long trace can exceed `Weight.infinity`.
    let sum = VerifiedWeight(
      milliseconds: pieces.reduce(0) { $0 + Int($1.weight.milliseconds) },
      centimetres: pieces.reduce(0) { $0 + Int($1.weight.centimetres) })
    let counts = [
      ("part_count", partCount, match.parts.count),
      ("matched_count", matchedCount, match.fixes.count { $0.reason == nil }),
    ]
    return ResultsToVerify.differences(item, found, sum: pieces.isEmpty ? nil : sum)
      + counts.filter { $0.1 != $0.2 }.map {
        Difference(item: item, measure: $0.0, found: Double($0.1), expected: Double($0.2))
      }
  }
}

extension RecordedTrace {
  /// The trace with its fixes rounded as in the results, so that verification matches the same fixes.
  var rounded: RecordedTrace {
    var trace = self
    for index in trace.fixes.indices { trace.fixes[index] = trace.fixes[index].rounded }
    return trace
  }
}

extension Fix {
  /// The fix with its coordinates rounded to 1e-7 degrees, as in the map, its time to milliseconds, and its accuracy to
  /// centimetres.
  package var rounded: Fix {
    var fix = self
    if coordinate.isValid { fix.coordinate = FixedCoordinate(coordinate).coordinate }
    fix.timestamp = Moment.milliseconds(timestamp).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    fix.horizontalAccuracy = horizontalAccuracy.map { ($0 * 100).rounded() / 100 }
    return fix
  }
}

/// A trace of the results to match again.
struct TraceToVerify: Sendable {
  var item: String
  /// The stored weight; nil if nothing was matched.
  var found: VerifiedWeight?
  var partCount: Int
  var matchedCount: Int
  /// Kept fixes, and fixes removed by the distance filter; empty if the database has none.
  var fixes: [(isKept: Bool, fix: Fix)]
}

extension ResultsDatabase {
  func traceCount() throws -> Int { try database.value("SELECT count(*) FROM trace") }

  /// Returns the trace in row `row` (1 to `traceCount`).
  func trace(_ row: Int) throws -> TraceToVerify? {
    let fixes: [(isKept: Bool, fix: Fix)] = try database.rows(
      """
      SELECT latitude_e7 / 1e7 AS latitude, longitude_e7 / 1e7 AS longitude, milliseconds, accuracy_cm, kept FROM fix_row
      WHERE trace_fid = ? AND (kept = 1 OR reason = 'distance') ORDER BY fid
      """, row
    ) { row in
      let (milliseconds, accuracy): (Int?, Int?) = (try row["milliseconds"], try row["accuracy_cm"])
      let fix = Fix(
        coordinate: try row.point().coordinate,
        timestamp: milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1000) },
        horizontalAccuracy: accuracy.map { Double($0) / 100 })
      return (try row["kept"] as Int == 1, fix)
    }
    return try database.rows(
      "SELECT trace_id, distance, expected_travel_time, part_count, matched_count FROM trace WHERE fid = ?", row
    ) { row in
      TraceToVerify(
        item: "trace \(try row["trace_id"] as Identifier)",
        found: VerifiedWeight(seconds: try row["expected_travel_time"], metres: try row["distance"]),
        partCount: try row["part_count"], matchedCount: try row["matched_count"], fixes: fixes)
    }.first
  }
}
