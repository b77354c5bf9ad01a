import Foundation
import Geography
import Routing
import StreetNetwork
import Tables

/// The traces of a job: their number, and the rejected rows.
///
/// The files are read twice. The first pass counts, checks and rejects; the second returns one chunk after another, so
/// that only a few chunks are in memory.
package struct TraceTable: Sendable {
  package private(set) var traceCount = 0
  package private(set) var fixCount = 0
  package private(set) var chunkCount = 0
  /// The numbers of traces and fixes in the last chunk.
  private var last = (traces: 0, fixes: 0)
  /// The number of fixes in the longest trace.
  package private(set) var maximumFixes = 0
  /// Whether the ids of all traces are whole numbers.
  package private(set) var idsAreNumbers = true
  /// The bounding box of all fixes.
  package private(set) var bounds = BoundingBox.empty
  package private(set) var rejected: [RejectedRow] = []
  /// The number of rejected rows, including rows not kept in `rejected`.
  package private(set) var rejectedCount = 0
  /// The unit of rows in the first file with rejected rows.
  private var unit = RowUnit.line
  /// Notes about ignored input, without a final full stop.
  package private(set) var notes: [String] = []
  /// The files whose traces are read, in order.
  private(set) var sources: [Source] = []
  let format: TraceFormat

  /// A file, with its reading mode.
  struct Source: Sendable {
    var path: String
    /// Whether the rows of a trace are not consecutive, and the file is small enough to join them.
    var joinsRows = false
  }

  /// The files that were read.
  package var files: [String] { sources.map(\.path) }

  /// Reads files, or the files of folders. *Throws*: `OdometerError`: the first file's error if no file is valid.
  package init(_ names: [String], _ format: TraceFormat) throws {
    self.format = format
    let files = try TraceFiles(names)
    notes += files.skipped.map { "\($0): not a trace file, ignored" }
    let known = KnownTraces()
    var failure: OdometerError?
    for path in files.paths {
      do {
        try survey(path, known)
      } catch let error as OdometerError {
        failure = failure ?? error
        // A named file that is missing is probably a typo.
        guard files.paths.count > 1, FileManager.default.fileExists(atPath: path) else { throw error }
        known.forgetFile()
        notes.append("\(error); the file is left out")
        append(
          [RejectedRow(file: error.file ?? path, line: error.line ?? 1, text: "", reason: error.problem)], count: 1)
      }
    }
    guard traceCount > 0 else {
      throw failure ?? OdometerError(file: names.joined(separator: ", "), allRejected: rejected, unit)
    }
    if rejectedCount > rejected.count {
      notes.append("\(rejectedCount - rejected.count) more rejected rows are counted, but not listed")
    }
  }

  package var chunks: TraceChunks { TraceChunks(table: self) }

  /// Reads a file completely and adds its counts, unless it cannot be read.
  private mutating func survey(_ path: String, _ known: KnownTraces) throws {
    var source = Source(path: path)
    var reading = try TraceReading(source, format, known, isFirst: true)
    var table = self
    try table.add(&reading)
    if reading.hasScatteredRows, table.fixCount - fixCount <= format.memory / (2 * MemoryLayout<Fix>.stride) {
      source.joinsRows = true
      known.forgetFile()
      reading = try TraceReading(source, format, known, isFirst: true)
      table = self
      try table.add(&reading)
    }
    let isEmpty = table.traceCount == traceCount
    self = consume table
    sources.append(source)
    if rejected.isEmpty { unit = reading.reader.unit }
    append(reading.input.rejected, count: reading.input.rejectedCount)
    if let ignoredParts = reading.reader.ignoredParts {
      notes.append("\(path): \(ignoredParts) ignored; only tracks are read")
    }
    if isEmpty { notes.append("\(path): no traces") }
  }

  private mutating func append(_ rows: [RejectedRow], count: Int) {
    rejected += rows.prefix(max(0, TraceInput.maximumKept - rejected.count))
    rejectedCount += count
  }

  /// Counts the traces of a file.
  private mutating func add(_ reading: inout TraceReading) throws {
    while let trace = try reading.next() {
      if chunkCount == 0 || TraceChunks.isFull(last.traces, last.fixes) {
        chunkCount += 1
        last = (0, 0)
      }
      last.traces += 1
      last.fixes += trace.fixes.count
      traceCount += 1
      fixCount += trace.fixes.count
      maximumFixes = max(maximumFixes, trace.fixes.count)
      if !trace.id.isNumber { idsAreNumbers = false }
      for fix in trace.fixes { bounds.extend(to: FixedCoordinate(fix.coordinate)) }
    }
  }
}

/// Settings for trace files.
package struct TraceFormat: Sendable {
  /// Seconds between the positions of a polyline; nil if they have no times.
  package var interval: Double?
  /// The time zone for times without one; nil to reject them.
  package var clock: LocalClock?
  /// The map's bounding box. A fix outside it that would be inside with longitude and latitude swapped is rejected with
  /// a hint to swap them.
  package var area = BoundingBox.earth
  /// The maximum size in bytes of the fixes of a file whose traces are joined, since their rows are not consecutive.
  package var memory = 1 << 30

  package init() {}
}

/// Chunks of whole traces; their boundaries depend only on the input.
package struct TraceChunks: Sequence, Sendable {
  let table: TraceTable

  /// A chunk ends with the trace that reaches one of these limits.
  static let maximumTraces = 64
  package static let maximumFixes = 20_000

  fileprivate static func isFull(_ traces: Int, _ fixes: Int) -> Bool {
    traces >= maximumTraces || fixes >= maximumFixes
  }

  /// Traces that are computed together.
  package struct Chunk: Sendable {
    /// The number of the first trace in the job, from 0.
    package var firstTrace: Int
    /// The number of fixes in the job before this chunk.
    var firstFix: Int
    package var traces: [RecordedTrace] = []
    /// The error that stops reading, if a file has changed since the first pass.
    package var failure: OdometerError?
  }

  package struct Iterator: IteratorProtocol {
    private let table: TraceTable
    private var sources: ArraySlice<TraceTable.Source>
    private var reading: TraceReading?
    private let known = KnownTraces()
    private var (traces, fixes) = (0, 0)
    private var isAtEnd = false

    init(_ table: TraceTable) {
      self.table = table
      sources = table.sources[...]
    }

    package mutating func next() -> Chunk? {
      guard !isAtEnd else { return nil }
      var chunk = Chunk(firstTrace: traces, firstFix: fixes)
      do {
        while !TraceChunks.isFull(chunk.traces.count, fixes - chunk.firstFix) {
          guard let trace = try nextTrace() else {
            isAtEnd = true
            break
          }
          traces += 1
          fixes += trace.fixes.count
          chunk.traces.append(trace)
        }
        if isAtEnd, traces != table.traceCount || fixes != table.fixCount {
          throw .input(
            table.files.joined(separator: ", "),
            "changed while it was being read: got \(traces) traces with \(fixes) fixes, previously "
              + "\(table.traceCount) with \(table.fixCount)")
        }
      } catch {
        isAtEnd = true
        chunk.failure = error as? OdometerError ?? OdometerError(file: table.files[0], problem: "\(error)")
      }
      return chunk.traces.isEmpty && chunk.failure == nil ? nil : chunk
    }

    private mutating func nextTrace() throws -> RecordedTrace? {
      while true {
        if let trace = try reading?.next() { return trace }
        guard let source = sources.popFirst() else { return nil }
        reading = nil
        reading = try TraceReading(source, table.format, known, isFirst: false)
      }
    }
  }

  package func makeIterator() -> Iterator { Iterator(table) }
}
