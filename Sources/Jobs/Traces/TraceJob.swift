import Foundation
import Geography
import Input
import Routing
import StreetNetwork
import Tables

/// A prepared job of kind `traces`: matches fixes to the streets that were passed.
///
/// `TraceTask.read` counts the traces, `chunks` reads them again chunk by chunk, `TraceWorker` matches a chunk to
/// streets instead of snapping places, and `TraceWriter` writes the chunk.
struct TraceJob: PreparedJob {
  typealias Writer = TraceWriter
  let task: TraceTask
  let table: TraceTable
  let clock: LocalClock
  let context: JobContext

  var chunks: TraceChunks { table.chunks }
  var chunkCount: Int { table.chunkCount }

  func makeWorker() -> (TraceChunks.Chunk) throws -> TraceWriter.Chunk {
    let worker = TraceWorker(task, context, clock)
    return { chunk in
      if let failure = chunk.failure { throw failure }
      return worker.compute(chunk.traces)
    }
  }

  func makeWriter(_ store: ResultsStore) throws -> TraceWriter {
    try TraceWriter(store, fixes: task.fixes, context.network)
  }

  var inputCost: JobCost { .input(places: 0) }

  /// Estimates the cost from the first traces, even in a shard.
  func cost() -> JobCost {
    let worker = TraceWorker(task, context, clock)
    let (seconds, chunk) = ProcessUse.timed { worker.compute(TraceJob.sample(of: table)) }
    var total = JobCost(
      TraceJob.sample(chunk, seconds: seconds), rows: table.fixCount,
      chunkRows: max(TraceChunks.maximumFixes, table.maximumFixes), inputCost)
    total.workerMemory = worker.memory
    return total.share(rows(ofChunks: context.chunks(of: chunkCount)), of: rows)
  }

  private static let maximumSampleFixes = 5_000

  /// Returns the first traces; only a few if the input has few.
  private static func sample(of table: TraceTable) -> [RecordedTrace] {
    var chunks = table.chunks.makeIterator()
    var remaining = maximumSampleFixes
    var sample: [RecordedTrace] = []
    for var trace in (chunks.next()?.traces ?? []).prefix(min(64, max(1, table.traceCount / 16)))
    where remaining > 0 {
      // Only the beginning of a very long trace is used.
      trace.fixes.removeLast(max(0, trace.fixes.count - remaining))
      remaining -= trace.fixes.count
      sample.append(trace)
    }
    return sample
  }

  /// Returns the cost of a chunk's traces, including writing.
  private static func sample(_ chunk: TraceWriter.Chunk, seconds: Double) -> JobCost.Sample {
    let shapes =
      chunk.traces.reduce(0) { $0 + ($1.shape?.bytes.count ?? 0) } + chunk.parts.reduce(0) { $0 + $1.shape.bytes.count }
    let textBytes = chunk.features.bytes.count + (chunk.fixText?.bytes.count ?? 0)
    // Bytes per row of each table, including indices.
    let largeRows = chunk.traces.count + chunk.parts.count + chunk.stops.count
    let tables = largeRows * 300 + shapes + chunk.streets.count * 60 + chunk.fixes.count * 75
    let writing = 1.5e-6 * Double(chunk.streets.count + chunk.fixes.count) + 5e-6 * Double(largeRows)
    return JobCost.Sample(seconds: seconds + writing, rows: chunk.rows, bytes: tables + textBytes)
  }

  var rows: Int { table.fixCount }
  var rowUnit: String? { "fixes" }
  var notes: [String] {
    let zone = "hours and days use \(clock.timeZone), the map's time zone; timeZone sets another"
    return context.job.hours.clock == nil ? [zone] : []
  }
  func rows(ofChunks chunks: Range<Int>) -> Int { rows * chunks.count / max(1, chunkCount) }

  var extent: (box: BoundingBox, reach: Double) {
    // A fix far from the map must not extend the basemap to the whole earth.
    let (fixes, map) = (table.bounds, context.network.box)
    let box = BoundingBox(
      minLongitude: max(fixes.minLongitude, map.minLongitude), minLatitude: max(fixes.minLatitude, map.minLatitude),
      maxLongitude: min(fixes.maxLongitude, map.maxLongitude), maxLatitude: min(fixes.maxLatitude, map.maxLatitude))
    return (box, 0)
  }

  var placeRows: PlaceRows { PlaceRows() }
  var idsAreNumbers: Bool { table.idsAreNumbers }
  func tables(_ types: SQLTypes) -> String { TraceResults.creation(types) }
}

/// A worker that matches the traces of a chunk; one per thread.
final class TraceWorker {
  private let matcher: TraceMatcher
  private let fixes: TraceWriter.Fixes
  private let clock: LocalClock
  /// Metres per second.
  private let impossibleSpeed: Double
  private let features = FeatureList()
  private let deflater = Deflater()
  private var text = TextBuffer(capacity: 1 << 16)

  init(_ task: TraceTask, _ context: JobContext, _ clock: LocalClock) {
    matcher = TraceMatcher(Router(context.network, context.job.options), task.options)
    fixes = task.fixes
    self.clock = clock
    impossibleSpeed = context.job.transportType.impossibleSpeed
  }

  /// The bytes of the searches so far.
  var memory: Int { matcher.memory }

  func compute(_ traces: [RecordedTrace]) -> TraceWriter.Chunk {
    var chunk = TraceWriter.Chunk()
    chunk.rows = traces.reduce(0) { $0 + $1.fixes.count }
    for trace in traces.lazy.map(\.rounded) { append(trace, matcher.match(trace.fixes), to: &chunk) }
    chunk.features = features.finishBlock()
    if fixes == .csv { chunk.fixText = deflater.finishBlock() }
    return chunk
  }

  private func append(_ trace: RecordedTrace, _ match: Match, to chunk: inout TraceWriter.Chunk) {
    let index = chunk.traces.count
    let row = TraceRow(trace, match, clock)
    chunk.traces.append(row)
    for (number, part) in match.parts.enumerated() {
      let row = TracePartRow(trace.id, number, part, clock)
      chunk.parts.append(row)
      features.append(&text) { $0.append(row, shape: part.polyline) }
      for (n, piece) in part.pieces.enumerated() {
        let entered = Moment.milliseconds(piece.entered)
        // Passes without a period do not count towards observed speeds. Next to a stop they would be too fast: the metres
        // within its radius take no moving time.
        let isObserved = match.status != .doubtful && !isImpossible(piece) && piece.includesStop != true
        let period = isObserved ? entered.map { SpeedPeriod(clock.moment($0)) } : nil
        chunk.streets.append(TraceStreetRow(index, number, n, piece, entered: entered, period))
      }
    }
    for (n, stop) in match.stops.enumerated() {
      guard let arrival = clock.moment(stop.arrivalDate), let departure = clock.moment(stop.departureDate) else {
        continue
      }
      chunk.stops.append(StopRow(trace.id, n, stop, arrival: arrival, departure: departure))
    }
    append(trace, match, index, secondsFromGMT: row.departure?.secondsFromGMT ?? 0, to: &chunk)
  }

  /// Returns whether a piece has an implausible speed, which means that one of the two fixes around it is wrong.
  private func isImpossible(_ piece: MatchedPiece) -> Bool {
    guard let seconds = piece.observedTime else { return false }
    return Double(piece.to - piece.from) / 100 > seconds * impossibleSpeed
  }

  /// Appends the fixes, in the requested format.
  private func append(
    _ trace: RecordedTrace, _ match: Match, _ index: Int, secondsFromGMT: Int, to chunk: inout TraceWriter.Chunk
  ) {
    let id = trace.id.csvField
    text.removeAll()
    for n in trace.fixes.indices {
      let matched = match.fixes[n]
      if match.status == .ok, matched.reason == nil, let distance = matched.place?.snapDistance {
        chunk.snapDistances.add(UInt32(min(distance * 100, 4e9).rounded()))
      }
      switch fixes {
      case .none: continue
      case .table: chunk.fixes.append(FixRow(index, n, trace.fixes[n], matched))
      case .csv: text.append(FixRow(index, n, trace.fixes[n], matched), trace: id, secondsFromGMT: secondsFromGMT)
      }
    }
    if fixes == .csv { deflater.append(text) }
  }
}
