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

  var unit: String { job.kind.rawValue }

  func files(in folder: ResultsFolder) -> [String] { hasRoutes ? [folder.routes] : [] }

  func run(_ course: JobCourse) throws -> JobTally {
    let network = course.network
    let pairs = try PairTable(path: task.pairs, area: network.box, transportType: job.transportType)
    let places = try snapped(pairs.places, on: network, job, workers: course.workers)
    let makeWorker: @Sendable () -> RouteWorker = { [job, task, hasRoutes] in
      RouteWorker(job, pairs, places, Router(network, job.options), hasRoutes: hasRoutes, hasShapes: task.hasShapes)
    }
    guard try course.begins(forecast(pairs, makeWorker(), course)) else { return .planned }
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
      makeWorker: {
        let worker = makeWorker()
        return { rows in worker.answer(rows) }
      }, seal: writer.seal)
  }

  private func forecast(_ pairs: PairTable, _ worker: RouteWorker, _ course: JobCourse) -> Forecast {
    let sample = Forecast.sample(of: pairs.pairs.count)
    let (seconds, chunk) = Forecast.timed { worker.answer(sample) }
    let rows = Double(pairs.pairs.count) / Double(max(1, sample.count))
    let steps = chunk.routes.reduce(0) { $0 + $1.steps.count }
    let shapes = chunk.routes.reduce(0) { $0 + ($1.row.found?.route?.shape?.bytes.count ?? 0) }
    let features = chunk.features?.bytes.count ?? 0
    // Of a row of each table, indices included; a step is a point in an R-tree's view.
    let tables = chunk.routes.count * 230 + shapes + steps * (task.hasShapes ? 90 : 55)
    // Writing takes about a third of finding routes, three times that of bare times.
    let written = 2 * chunk.routes.count + steps
    let writing = 1.2e-6 * Double(written) + 1e-9 * Double(shapes + features)
    let base = Forecast.base(course.network, workers: course.workers)
    return Forecast(
      seconds: (seconds + writing) * rows,
      fixedMemory: base + pairs.pairs.count * 80 + pairs.places.count * Forecast.placeMemory,
      chunkMemory: 2 * (tables + features) * (hasRoutes ? 512 : 4096) / max(1, sample.count),
      disk: Forecast.startDisk + pairs.places.count * Forecast.placeDisk + Int(Double(tables + features) * rows))
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
