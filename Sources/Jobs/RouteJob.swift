import Foundation
import Geography
import Results
import Routing
import StreetNetwork

/// Kinds `routes` and `etas`: from a table of pairs to a folder of results, in the order it runs.
struct RouteJob: KindOfJob {
  private let job: Job
  private let task: TripTask
  /// Whether routes are wanted, or times and distances alone.
  private let hasRoutes: Bool

  init(_ job: Job, _ task: TripTask, hasRoutes: Bool) {
    self.job = job
    self.task = task
    self.hasRoutes = hasRoutes
  }

  var unit: String { job.kind }

  func files(in folder: ResultsFolder) -> [String] { hasRoutes ? [folder.routes] : [] }

  func run(_ course: JobCourse) throws -> JobTally {
    let network = course.network
    let pairs = try PairTable(path: task.pairs, area: network.box, transportType: job.transportType)
    let places = try snapped(pairs.places, on: network, job, workers: course.workers)
    let store = try course.store(idsAreNumbers: pairs.idsAreNumbers)
    try store.begin(tables: RouteWriter.tables(store)) {
      try store.write(pairs.rejected)
      try store.write(placeRows(pairs.places, places, on: network))
      try store.write(backdrop(of: network, around: places))
    }
    let writer = try RouteWriter(store, hasRoutes: hasRoutes, hasShapes: task.hasShapes)
    return try course.run(
      chunks(of: pairs.pairs.count, size: hasRoutes ? 512 : 4096), into: writer, of: store, rows: pairs.pairs.count,
      rejected: pairs.rejected.count, unit: unit,
      makeWorker: { [job, task, hasRoutes] in
        let worker = RouteWorker(
          job, pairs, places, Router(network, job.options), hasRoutes: hasRoutes, hasShapes: task.hasShapes)
        return { rows in worker.answer(rows) }
      }, seal: writer.seal)
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
