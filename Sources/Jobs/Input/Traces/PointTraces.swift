import Foundation
import Geography
import Routing
import Tables

/// The traces of a CSV with a row per fix: rows that stand together and have one id. Without a column of ids the file is
/// one trace.
final class PointTraces: TraceFileReader {
  private let rows: DelimitedRows
  private let columns: PointColumns
  private let values: FixColumns
  private let rejections: TraceRejections
  let clock: TraceClock
  private let check: CoordinateCheck
  /// The id of the trace that is being read, as it is in the file.
  private var id: [UInt8] = []
  /// The next trace, of which the first fix was read.
  private var begun: RecordedTrace?

  let hasRowsOfFixes = true

  /// `rows` behind the header. *Throws*: `InputError`.
  init(_ rows: DelimitedRows, header: [String], _ format: TraceFormat, _ rejections: TraceRejections) throws {
    self.rows = rows
    columns = try PointColumns(header, file: rows.path)
    values = FixColumns(columns)
    self.rejections = rejections
    clock = TraceClock(format.clock)
    check = CoordinateCheck(area: format.area)
  }

  func next() throws -> RecordedTrace? {
    var trace = begun
    begun = nil
    while try rows.next() {
      do throws(RowProblem) {
        try rows.check(columns.count)
        let fix = try values.fix(rows, clock, check)
        if try isOfTrace(trace) {
          trace!.fixes.append(fix)
        } else {
          begun = begin(with: fix)
          guard trace == nil else { return trace }
          swap(&trace, &begun)
        }
      } catch {
        rejections.append(
          RejectedRow(file: rows.path, line: rows.line, text: rows.text, reason: error.reason))
      }
    }
    return trace
  }

  private func isOfTrace(_ trace: RecordedTrace?) throws(RowProblem) -> Bool {
    guard let column = columns.trace else { return trace != nil }
    guard !rows[column].isEmpty else { throw RowProblem("the row has no trace id") }
    return trace != nil && rows[column].equals(id)
  }

  private func begin(with fix: Fix) -> RecordedTrace {
    let group = columns.group.map { rows[$0].text }.flatMap { $0.isEmpty ? nil : $0 }
    if let column = columns.trace { id = Array(rows[column].bytes) }
    let name = columns.trace.map { rows[$0].text } ?? TraceFiles.stem(of: rows.path)
    return RecordedTrace(id: Identifier(name), group: group, fixes: [fix], file: rows.path, line: rows.line)
  }
}
