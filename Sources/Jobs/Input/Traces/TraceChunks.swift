/// Chunks of whole traces, cut by the input alone.
package struct TraceChunks: Sequence, Sendable {
  let table: TraceTable

  /// A chunk ends with the trace that fills it.
  static let (mostTraces, mostFixes) = (64, 20_000)

  /// Traces that are computed together.
  package struct Chunk: Sendable {
    /// The first one's number in the job, from 0.
    var firstTrace: Int
    /// Fixes of the job before it.
    var firstFix: Int
    package var traces: [RecordedTrace] = []
    /// What ends the reading, where a file has changed since it was counted; nothing follows.
    package var failure: InputError?
  }

  /// Counts the chunks that traces are cut into.
  struct Counter: Sendable {
    private(set) var chunks = 0
    /// Of the last one.
    private var (traces, fixes) = (0, 0)

    mutating func add(fixes count: Int) {
      if chunks == 0 || traces >= TraceChunks.mostTraces || fixes >= TraceChunks.mostFixes {
        chunks += 1
        (traces, fixes) = (0, 0)
      }
      traces += 1
      fixes += count
    }
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
        while chunk.traces.count < TraceChunks.mostTraces, fixes - chunk.firstFix < TraceChunks.mostFixes {
          guard let trace = try nextTrace() else {
            isAtEnd = true
            break
          }
          traces += 1
          fixes += trace.fixes.count
          chunk.traces.append(trace)
        }
        if isAtEnd, traces != table.traceCount || fixes != table.fixCount {
          throw InputError(
            file: table.files.joined(separator: ", "),
            problem: "changed while it was read: got \(traces) traces of \(fixes) fixes, before \(table.traceCount) "
              + "of \(table.fixCount)")
        }
      } catch {
        isAtEnd = true
        chunk.failure = error as? InputError ?? InputError(file: table.files[0], problem: "\(error)")
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
