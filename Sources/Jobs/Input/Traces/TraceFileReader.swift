import Tables

/// The traces of one file, read one after the other: in memory is one trace, however long the file is.
protocol TraceFileReader: AnyObject {
  /// Nil at the end of the file. *Throws*: `InputError`.
  func next() throws -> RecordedTrace?
  /// Whether a trace is many rows of the file, which need not stand together.
  var hasRowsOfFixes: Bool { get }
  /// What of the file is left out, to be said once: "2 routes".
  var leftOut: String? { get }
  /// What its rows are counted by.
  var unit: RowUnit { get }
  /// What reads its times.
  var clock: TraceClock { get }
}

extension TraceFileReader {
  var leftOut: String? { nil }
  var unit: RowUnit { .line }
}

/// What the readers of a job's traces reject.
final class TraceRejections {
  private(set) var rows: [RejectedRow] = []
  private(set) var count = 0
  /// Whether rows are kept, or were before.
  private let isKept: Bool
  /// Of files without end that are no table of traces at all.
  static let mostKept = 100_000
  /// Bytes that are kept of a row: one may be a whole trace.
  static let mostText = 1000

  init(isKept: Bool) { self.isKept = isKept }

  func append(_ row: @autoclosure () -> RejectedRow) {
    count += 1
    guard isKept, rows.count < TraceRejections.mostKept else { return }
    var row = row()
    let text = row.text
    if let end = text.utf8.index(text.startIndex, offsetBy: TraceRejections.mostText, limitedBy: text.endIndex) {
      // Cut where a character begins.
      row.text = String(text[..<end])
    }
    rows.append(row)
  }
}
