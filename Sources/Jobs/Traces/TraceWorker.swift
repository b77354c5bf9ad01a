import Foundation
import Geography
import Input
import Routing
import StreetNetwork
import Tables

/// Matches the traces of a chunk: one worker per thread.
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

  func compute(_ traces: [RecordedTrace]) -> TraceWriter.Chunk {
    var chunk = TraceWriter.Chunk()
    chunk.rows = traces.reduce(0) { $0 + $1.fixes.count }
    for trace in traces.lazy.map(\.rounded) { append(trace, matcher.match(trace.fixes), to: &chunk) }
    chunk.features = features.finishBlock()
    if fixes == .csv { chunk.fixText = deflater.finishBlock() }
    return chunk
  }

  private func append(_ trace: RecordedTrace, _ match: Match, to chunk: inout TraceWriter.Chunk) {
    let facts = TraceFacts(trace.fixes, match)
    let index = chunk.traces.count
    let row = TraceRow(
      trace, match, facts, departure: facts.departure.flatMap { clock.moment($0) },
      arrival: facts.arrival.flatMap { clock.moment($0) })
    chunk.traces.append(row)
    for (number, part) in match.parts.enumerated() {
      let row = TracePartRow(
        trace.id, number, part, departure: part.startDate.flatMap { clock.moment($0) },
        arrival: part.endDate.flatMap { clock.moment($0) })
      chunk.parts.append(row)
      features.append(&text) { $0.append(row, shape: part.polyline) }
      for (n, piece) in part.pieces.enumerated() {
        let entered = Moment.milliseconds(piece.entered)
        // Implausible speeds are ignored.
        let isPlausible = match.status != .doubtful && !isImpossible(piece)
        let period = isPlausible ? entered.map { SpeedPeriod(clock.moment($0)) } : nil
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

  /// Whether a piece has an implausible speed: between two fixes of which one is wrong.
  private func isImpossible(_ piece: MatchedPiece) -> Bool {
    guard let seconds = piece.observedTime else { return false }
    return Double(piece.to - piece.from) / 100 > seconds * impossibleSpeed
  }

  /// The fixes, in the requested format.
  private func append(
    _ trace: RecordedTrace, _ match: Match, _ index: Int, secondsFromGMT: Int, to chunk: inout TraceWriter.Chunk
  ) {
    let id = trace.id.csvField
    text.removeAll()
    for n in trace.fixes.indices {
      let matched = match.fixes[n]
      if matched.reason == nil, let distance = matched.place?.snapDistance {
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
