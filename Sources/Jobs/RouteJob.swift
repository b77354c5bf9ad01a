import Foundation
import Geography
import Results
import Routing
import StreetNetwork

/// Kinds `routes` and `etas`: from a table of pairs to a folder of results, in the order it runs.
struct RouteJob {
  private let job: Job
  private let task: TripTask
  private let options: RunOptions
  /// Whether routes are wanted, or times and distances alone.
  private let hasRoutes: Bool

  init(_ job: Job, _ task: TripTask, hasRoutes: Bool, _ options: RunOptions) {
    self.job = job
    self.task = task
    self.hasRoutes = hasRoutes
    self.options = options
  }

  func run() throws -> JobOutcome {
    let facts = JobFacts(job, options)
    let network = try options.network(of: job)
    let pairs = try PairTable(path: task.pairs, area: network.box, transportType: job.transportType)
    let places = try snapped(pairs.places, on: network, job, workers: options.workers)
    let store = try ResultsStore(
      ResultsFolder(path: job.output), idsAreNumbers: pairs.idsAreNumbers, job: facts.beginning(on: network))
    try store.write(pairs.rejected)
    try store.write(placeRows(pairs.places, places, on: network))
    try store.write(backdrop(of: network, around: places))
    let writer = try RouteWriter(store, hasRoutes: hasRoutes, hasShapes: task.hasShapes)

    var progress = Progress(total: pairs.pairs.count, unit: job.kind, isQuiet: options.isQuiet)
    var written = 0
    let isFinished = try Pipeline.run(
      chunks(of: pairs.pairs.count, size: hasRoutes ? 512 : 4096), workers: options.workers,
      shouldStop: options.shouldStop,
      makeWorker: { [job, task, hasRoutes] in
        let worker = RouteWorker(
          job, pairs, places, Router(network, job.options), hasRoutes: hasRoutes, hasShapes: task.hasShapes)
        return { rows in worker.answer(rows) }
      },
      write: { chunk in
        try writer.write(chunk)
        written += chunk.rows
        progress.advance(by: chunk.rows)
      })
    progress.end()

    let ending = facts.ending(rows: written, rejected: pairs.rejected.count, isFinished: isFinished)
    if isFinished { try writer.finish(job: ending) } else { try store.interrupt(job: ending) }
    return JobOutcome(
      folder: store.folder, files: [store.folder.database] + (hasRoutes ? [store.folder.routes] : []), unit: job.kind,
      rows: written, totalRows: pairs.pairs.count, rejected: pairs.rejected.count, isFinished: isFinished)
  }

  /// What the job would read and write, in lines for a person; nothing is built or written.
  func plan() throws -> String {
    let pairs = try PairTable(path: task.pairs, area: .earth, transportType: job.transportType)
    return """
      \(task.pairs): \(pairs.pairs.count) rows to compute, \(pairs.rejected.count) to be rejected, \
      \(pairs.places.count) places
      """
  }
}
