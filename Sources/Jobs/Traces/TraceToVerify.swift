import Geography
import Tables

/// A trace of the results that is to be matched again.
package struct TraceToVerify: Sendable {
  package var item: String
  /// Nil where nothing was matched.
  package var found: VerifiedWeight?
  package var partCount: Int
  package var matchedCount: Int
  /// Those that were kept, or dropped because they are near one; empty where the database has none.
  package var fixes: [RecordedFix]

  /// A fix, as precisely as results have it.
  package struct RecordedFix: Sendable {
    package var isKept: Bool
    package var point: FixedCoordinate
    /// Since 1970.
    package var milliseconds: Int?
    package var accuracyCentimetres: Int?
  }
}

extension ResultsDatabase {
  package func traceCount() throws -> Int { try database.value("SELECT count(*) FROM trace") }

  /// The trace in row `row`, from 1, of `traceCount`.
  package func trace(_ row: Int) throws -> TraceToVerify? {
    let fixes = try database.rows(
      """
      SELECT latitude_e7 / 1e7 AS latitude, longitude_e7 / 1e7 AS longitude, milliseconds, accuracy_cm, kept FROM fix_row
      WHERE trace_fid = ? AND (kept = 1 OR reason = 'distance') ORDER BY fid
      """, row
    ) { row in
      TraceToVerify.RecordedFix(
        isKept: try row["kept"] as Int == 1, point: try row.point(), milliseconds: try row["milliseconds"],
        accuracyCentimetres: try row["accuracy_cm"])
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
