import Foundation
import Geography
import Input
import Routing
import StreetNetwork
import Tables

/// Kind `traces`: from fixes to the streets that were passed.
struct TraceJob: PreparedJob {
  typealias Writer = TraceWriter
  private let context: JobContext
  private let task: TraceTask
  private let table: TraceTable
  private let clock: LocalClock

  init(_ task: TraceTask, _ table: TraceTable, _ clock: LocalClock, in context: JobContext) {
    (self.task, self.table, self.clock, self.context) = (task, table, clock, context)
  }

  var inputCost: JobCost { .input(places: 0) }

  /// From the first traces, in a shard, too.
  func cost() -> JobCost {
    let worker = TraceWorker(task, context, clock)
    let (seconds, chunk) = ThreadClock.timed { worker.compute(TraceJob.sample(of: table)) }
    let whole = JobCost(
      TraceJob.sample(chunk, seconds: seconds), rows: table.fixCount,
      chunkRows: max(TraceChunks.mostFixes, table.mostFixes), inputCost,
      memory: context.workers * TraceJob.searchMemory(of: context.network))
    return whole.share(rows(ofChunks: context.chunks(of: chunkCount)), of: rows)
  }

  /// Bytes of a worker's searches between fixes: labels of states, and candidates by directed street. Every forecast
  /// already includes the search of the fastest trips.
  private static func searchMemory(of network: StreetNetwork) -> Int {
    network.states.arcs.stateCount * 28 + network.streetCount * 4
  }

  private static let mostSampleFixes = 5_000

  /// The first traces: only a few if there are few.
  private static func sample(of table: TraceTable) -> [RecordedTrace] {
    var chunks = table.chunks.makeIterator()
    var left = mostSampleFixes
    var sample: [RecordedTrace] = []
    for var trace in (chunks.next()?.traces ?? []).prefix(min(64, max(1, table.traceCount / 16)))
    where left > 0 {
      // Only the beginning of a very long one.
      trace.fixes.removeLast(max(0, trace.fixes.count - left))
      left -= trace.fixes.count
      sample.append(trace)
    }
    return sample
  }

  /// The cost of some traces, including writing.
  private static func sample(_ chunk: TraceWriter.Chunk, seconds: Double) -> JobCost.Sample {
    let shapes =
      chunk.traces.reduce(0) { $0 + ($1.shape?.bytes.count ?? 0) } + chunk.parts.reduce(0) { $0 + $1.shape.bytes.count }
    let texts = chunk.features.bytes.count + (chunk.fixText?.bytes.count ?? 0)
    // Per row of each table, including indices.
    let few = chunk.traces.count + chunk.parts.count + chunk.stops.count
    let tables = few * 300 + shapes + chunk.streets.count * 60 + chunk.fixes.count * 75
    let writing = 1.5e-6 * Double(chunk.streets.count + chunk.fixes.count) + 5e-6 * Double(few)
    return JobCost.Sample(seconds: seconds + writing, rows: chunk.rows, bytes: tables + texts)
  }

  var rows: Int { table.fixCount }
  var rowUnit: String? { "fixes" }
  var notes: [String] {
    let zone = "hours and days are by the clock of \(clock.timeZone), the map's time zone; timeZone names another"
    return context.job.hours.clock == nil ? [zone] : []
  }
  var chunks: TraceChunks { table.chunks }
  var chunkCount: Int { table.chunkCount }
  func rows(ofChunks chunks: Range<Int>) -> Int { rows * chunks.count / max(1, chunkCount) }

  var extent: (box: BoundingBox, reach: Double) {
    // A fix far from the map must not extend the basemap to the whole earth.
    let (fixes, map) = (table.bounds, context.network.box)
    let box = BoundingBox(
      minLongitude: max(fixes.minLongitude, map.minLongitude), minLatitude: max(fixes.minLatitude, map.minLatitude),
      maxLongitude: min(fixes.maxLongitude, map.maxLongitude), maxLatitude: min(fixes.maxLatitude, map.maxLatitude))
    return (box, 0)
  }

  func head(rejected: [RejectedRow], backdrop: [BackdropRow]) -> ResultsHead {
    ResultsHead(
      rejected: rejected, backdrop: backdrop, places: PlaceRows(), idsAreNumbers: table.idsAreNumbers,
      tables: TraceResults.creation)
  }

  func makeWorker() -> (TraceChunks.Chunk) throws -> TraceWriter.Chunk {
    let worker = TraceWorker(task, context, clock)
    return { chunk in
      if let failure = chunk.failure { throw failure }
      return worker.compute(chunk.traces)
    }
  }

  func makeWriter(_ store: ResultsStore) throws -> TraceWriter {
    try TraceWriter(store, fixes: task.fixes, TraceStreets(context.network))
  }
}
