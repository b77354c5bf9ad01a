import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables

/// Sentinels are tried before the rows of a job, at its hours, by plain Dijkstra.
extension OpenRun {
  /// *Throws*: `SentinelFailure` where one is out of its range; `InputError`.
  func checkSentinels() throws {
    guard let file = job.sentinels, run.shards == nil else { return }
    let sentinels = try SentinelTable(path: file, area: network.box, transportType: job.transportType).sentinels
    let context = try JobContext(job, on: network, workers: options.workers, .whole)
    let clock = context.speeds == nil ? nil : try job.clock(on: network)
    var rows: [SentinelTrip] = []
    try Pipeline.run(
      sentinels, workers: options.workers, makeWorker: { context.makeSentinelWorker(by: clock) },
      write: { rows += $0.joined() })
    let failed = Set(rows.filter { !$0.isInRange }.map(\.sentinel.name)).count
    log.record("sentinels", [("count", .number(sentinels.count)), ("out_of_range", .number(failed))])
    guard failed > 0 else { return }
    throw SentinelFailure(
      table: SentinelTrip.table(rows), file: file, count: sentinels.count, failed: failed)
  }
}

/// The trip of a sentinel at one hour.
struct SentinelTrip: Sendable {
  var sentinel: Sentinel
  var status: RowStatus
  var weight: Weight?

  private var seconds: Double? { weight.map { Double($0.milliseconds) / 1000 } }
  private var metres: Double? { weight.map { Double($0.centimetres) / 100 } }

  var isInRange: Bool {
    guard let seconds, let metres else { return false }
    return sentinel.seconds.contains(seconds) && sentinel.metres.contains(metres)
  }

  static func table(_ trips: [SentinelTrip]) -> String {
    var table = TextTable(["sentinel", "seconds", "allowed", "metres", "allowed", ""], hasNotes: true)
    for trip in trips {
      func text(_ number: Double?) -> String { number.map { String(($0 * 10).rounded() / 10) } ?? "-" }
      let note = trip.isInRange ? "" : trip.status == .ok ? "out of range" : trip.status.rawValue
      table.append([
        trip.sentinel.name, text(trip.seconds), "\(trip.sentinel.seconds)", text(trip.metres),
        "\(trip.sentinel.metres)", note,
      ])
    }
    return table.description
  }
}

extension JobContext {
  /// What computes a sentinel's trips, at each hour of the job, on one thread.
  ///
  /// - Parameter clock: That speeds go by; nil where there are none.
  fileprivate func makeSentinelWorker(by clock: LocalClock?) -> (Sentinel) -> [SentinelTrip] {
    let router = Router(network, job.options)
    let undated = TripOracle(TripReach(network, .fromTargets))
    return { [self] sentinel in
      guard let from = router.end(at: sentinel.from), let to = router.end(at: sentinel.to) else {
        return [SentinelTrip(sentinel: sentinel, status: .placemarkNotFound)]
      }
      let times =
        sentinel.departure.map { [job.tripTime($0, by: clock)] } ?? job.departures?.times
        ?? [job.tripTime].compactMap(\.self)
      let weights =
        times.isEmpty
        ? [undated.weights(between: from, and: [to])[0]]
        : times.map { HourOracle(timed(on: $0.day)).weight(from: from, to: to, at: $0) }
      return weights.map {
        SentinelTrip(sentinel: sentinel, status: $0 == nil ? .directionsNotFound : .ok, weight: $0)
      }
    }
  }
}
