import Foundation
import Geography
import Routing
import Tables

/// The traces of a CSV with a row per trace, whose positions are a list in a column, as in the Porto taxi data:
/// `"[[-8.618643,41.141412],[-8.618499,41.141376]]"`.
package final class PolylineTraces: TraceFileReader {
  private let rows: DelimitedRows
  private let count: Int
  private let polyline: Int
  private let trace: Int?
  private let group: Int?
  private let start: (name: String, index: Int)?
  private let input: TraceInput
  private var number = 0

  let hasRowPerFix = false

  /// Returns the column of positions, from a header in lower case.
  package static func column(in header: [String]) -> Int? { header.firstIndex(of: "polyline") }

  /// Nil if the header has no column of positions.
  init?(_ rows: DelimitedRows, header: [String], _ input: TraceInput) {
    let lower = header.map { $0.lowercased() }
    guard let polyline = PolylineTraces.column(in: lower) else { return nil }
    (self.rows, self.polyline, self.input) = (rows, polyline, input)
    count = header.count
    trace = PointColumns.Column.trace.index(in: lower)
    group = PointColumns.Column.group.index(in: lower)
    start = PointColumns.Column.time.index(in: lower).map { (header[$0], $0) }
  }

  func next() throws -> RecordedTrace? {
    while try rows.next() {
      number += 1
      do throws(RowProblem) {
        return try trace(of: rows)
      } catch {
        reject(rows.text, error)
      }
    }
    return nil
  }

  /// The id of the current row; nil if its field is empty or missing.
  private var id: String? { trace == nil ? "\(TraceFiles.stem(of: rows.path))/\(number)" : rows.text(at: trace) }

  private func trace(of rows: DelimitedRows) throws(RowProblem) -> RecordedTrace {
    try rows.check(count)
    guard let id else { throw RowProblem("the row has no trace id") }
    var begin: Double?
    if let start, !rows[start.index].isEmpty {
      begin = try input.clock.seconds(rows[start.index].bytes, in: start.name)
    }
    var positions = PositionParser(rows[polyline])
    var (fixes, index): ([Fix], Int) = ([], 0)
    while let position = try positions.next() {
      // Rejected positions still advance the time.
      defer { index += 1 }
      do throws(RowProblem) {
        var fix = Fix(coordinate: try input.check.fix(at: position))
        if let begin, let interval = input.interval {
          fix.timestamp = Date(timeIntervalSince1970: begin + Double(index) * interval)
        }
        fixes.append(fix)
      } catch {
        reject("[\(position.longitude),\(position.latitude)]", error)
      }
    }
    return RecordedTrace(
      id: Identifier(id), group: rows.text(at: group), fixes: fixes, file: rows.path, line: rows.line)
  }

  private func reject(_ text: String, _ problem: RowProblem) {
    input.reject(RejectedRow(file: rows.path, line: rows.line, id: id, text: text, reason: problem.reason))
  }
}
