import Routing
import Tables

/// The start of each trace of a job, by id: the file and the line.
final class KnownTraces {
  private var starts: [Identifier: (file: Int32, line: Int)] = [:]
  private var files: [String] = []
  /// The ids of the traces in the current file.
  private var last: [Identifier] = []

  func begin(file: String) {
    files.append(file)
    last = []
  }

  /// Removes the traces of the current file, which will be read again or ignored.
  func forgetFile() {
    for id in last { starts[id] = nil }
    last = []
  }

  /// Returns the earlier start of a trace with the same id; if there is none, records this one and returns nil.
  func start(of trace: RecordedTrace) -> (file: String, line: Int)? {
    if let known = starts[trace.id] { return (files[Int(known.file)], known.line) }
    starts[trace.id] = (Int32(files.count - 1), trace.line)
    last.append(trace.id)
    return nil
  }
}

/// The traces of a file, with unique ids: a trace with a repeated id is rejected, or joined with the first one if the
/// file is small enough.
struct TraceReading {
  let reader: any TraceFileReader
  let input: TraceInput
  private let known: KnownTraces
  /// Whether the rows of some trace are not consecutive.
  private(set) var hasScatteredRows = false
  private let joinsRows: Bool
  private var joinedTraces: ArraySlice<RecordedTrace>?

  /// - Parameter isFirst: Whether this is the first pass, which keeps rejected rows.
  init(_ source: TraceTable.Source, _ format: TraceFormat, _ known: KnownTraces, isFirst: Bool) throws {
    input = TraceInput(format, keepsRejections: isFirst)
    reader = try TraceFiles.reader(of: source.path, input)
    self.known = known
    known.begin(file: source.path)
    joinsRows = source.joinsRows
  }

  /// Returns the next trace; nil at the end of the file. *Throws*: `OdometerError`.
  mutating func next() throws -> RecordedTrace? {
    while var trace = try nextInFile() {
      guard let start = known.start(of: trace) else {
        trace.resolveRepeatedTimes(by: input.clock)
        return trace
      }
      if start.file == trace.file, reader.hasRowPerFix { hasScatteredRows = true }
      reject(trace, startedAt: start)
    }
    return nil
  }

  private func reject(_ trace: RecordedTrace, startedAt start: (file: String, line: Int)) {
    let (id, count) = (trace.id.description, trace.fixes.count)
    let row = "\(trace.unit) \(start.line)"
    let begun = start.file == trace.file ? row : "\(row) of \(start.file)"
    let rule =
      start.file == trace.file && reader.hasRowPerFix
      ? "rows of a trace must be adjacent, or the file must fit in memory"
      : "a trace id must be unique across all files"
    input.reject(
      RejectedRow(
        file: trace.file, line: trace.line, id: id, text: id,
        reason:
          "trace \(RowProblem.excerpt(id)) is rejected from here (\(count) fixes): it began at \(begun) and had "
          + "already ended; \(rule)"))
  }

  private mutating func nextInFile() throws -> RecordedTrace? {
    guard joinsRows else { return try reader.next() }
    if joinedTraces == nil { joinedTraces = try joined()[...] }
    return joinedTraces?.popFirst()
  }

  /// Returns all traces of the file, in order of their first rows, each with its rows in file order.
  private func joined() throws -> [RecordedTrace] {
    var traces: [RecordedTrace] = []
    var indices: [Identifier: Int] = [:]
    while let trace = try reader.next() {
      if let index = indices[trace.id] {
        traces[index].fixes += trace.fixes
      } else {
        indices[trace.id] = traces.count
        traces.append(trace)
      }
    }
    return traces
  }
}

/// A reader of the traces in one file that holds only one trace in memory.
protocol TraceFileReader: AnyObject {
  /// Returns the next trace; nil at the end of the file. *Throws*: `OdometerError`.
  func next() throws -> RecordedTrace?
  /// Whether a trace consists of many rows, which may not be consecutive.
  var hasRowPerFix: Bool { get }
  /// Ignored parts of the file, for a note: "2 routes".
  var ignoredParts: String? { get }
  /// The unit of the file's rows.
  var unit: RowUnit { get }
}

extension TraceFileReader {
  var ignoredParts: String? { nil }
  var unit: RowUnit { .line }
}

/// The rules for reading a file of traces, and its rejected rows.
final class TraceInput {
  let clock: TraceClock
  let check: CoordinateCheck
  /// Seconds between the positions of a polyline; nil if they have no times.
  let interval: Double?
  private(set) var rejected: [RejectedRow] = []
  private(set) var rejectedCount = 0
  /// Whether rejected rows are kept; if not, an earlier pass kept them.
  private let keepsRejections: Bool
  /// The maximum number of rows kept; it limits memory if a huge file contains no traces.
  static let maximumKept = 100_000
  /// The maximum number of bytes kept per row, which may be a whole trace.
  static let maximumText = 1000

  init(_ format: TraceFormat, keepsRejections: Bool) {
    (clock, check) = (TraceClock(format.clock), CoordinateCheck(area: format.area))
    (interval, self.keepsRejections) = (format.interval, keepsRejections)
  }

  func reject(_ row: @autoclosure () -> RejectedRow) {
    rejectedCount += 1
    guard keepsRejections, rejected.count < TraceInput.maximumKept else { return }
    var row = row()
    let text = row.text
    if let end = text.utf8.index(text.startIndex, offsetBy: TraceInput.maximumText, limitedBy: text.endIndex) {
      // Truncated at a character boundary.
      row.text = String(text[..<end])
    }
    rejected.append(row)
  }
}
