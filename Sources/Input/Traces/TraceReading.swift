import Routing
import Tables

/// Where each trace of a job began: by its id the file and the line.
final class KnownTraces {
  private var places: [Identifier: (file: Int32, line: Int)] = [:]
  private var files: [String] = []
  /// The traces of the last file.
  private var last: [Identifier] = []

  func begin(file: String) {
    files.append(file)
    last = []
  }

  /// Forgets the traces of the last file.
  func forgetFile() {
    for id in last { places[id] = nil }
    last = []
  }

  /// Where the trace began before; nil if it begins here.
  func place(of trace: RecordedTrace) -> (file: String, line: Int)? {
    if let known = places[trace.id] { return (files[Int(known.file)], known.line) }
    places[trace.id] = (Int32(files.count - 1), trace.line)
    last.append(trace.id)
    return nil
  }
}

/// The traces of a file, each with an id of its own: one that comes back is rejected, or joined where the file is gathered.
struct TraceReading {
  private let reader: any TraceFileReader
  let rejections: TraceRejections
  private let known: KnownTraces
  /// Whether rows of a trace were met that do not stand with the others.
  private(set) var hasScattered = false
  private let isGathered: Bool
  private var gathered: ArraySlice<RecordedTrace>?

  /// - Parameter isFirst: Whether rejected rows are kept.
  init(_ source: TraceTable.Source, _ format: TraceFormat, _ known: KnownTraces, isFirst: Bool) throws {
    rejections = TraceRejections(isKept: isFirst)
    reader = try TraceFiles.reader(of: source.path, format, rejections)
    self.known = known
    known.begin(file: source.path)
    isGathered = source.isGathered
  }

  var leftOut: String? { reader.leftOut }
  var unit: RowUnit { reader.unit }

  /// Nil at the end of the file. *Throws*: `InputError`.
  mutating func next() throws -> RecordedTrace? {
    while var trace = try nextOfFile() {
      guard let place = known.place(of: trace) else {
        trace.resolveRepeatedTimes(by: reader.clock)
        return trace
      }
      if place.file == trace.file, reader.hasRowsOfFixes { hasScattered = true }
      reject(trace, begunAt: place)
    }
    return nil
  }

  private func reject(_ trace: RecordedTrace, begunAt place: (file: String, line: Int)) {
    let (id, count) = (trace.id.description, trace.fixes.count)
    let row = "\(trace.unit) \(place.line)"
    let begun = place.file == trace.file ? row : "\(row) of \(place.file)"
    rejections.append(
      RejectedRow(
        file: trace.file, line: trace.line, text: id,
        reason: "trace \(id) is left out from here (\(count) fixes): it began at \(begun) and ended before; "
          + "rows of a trace stand together, or the file fits memory"))
  }

  private mutating func nextOfFile() throws -> RecordedTrace? {
    guard isGathered else { return try reader.next() }
    if gathered == nil { gathered = try joined()[...] }
    return gathered?.popFirst()
  }

  /// All traces of the file, in the order in which they begin, each with its rows in the order of the file.
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
