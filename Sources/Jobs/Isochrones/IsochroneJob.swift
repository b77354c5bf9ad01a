import Foundation
import Geography
import Results
import Routing
import StreetNetwork

/// Kind `isochrones`: from places to the areas within some times of them, in the order it runs.
struct IsochroneJob {
  private let job: Job
  private let task: IsochroneTask
  private let options: RunOptions

  init(_ job: Job, _ task: IsochroneTask, _ options: RunOptions) {
    self.job = job
    self.task = task
    self.options = options
  }

  func run() throws -> JobOutcome {
    let facts = JobFacts(job, options)
    let network = try options.network(of: job)
    let table = try PlaceTable(path: task.origins, role: .origin, area: network.box)
    let places = try snapped(table.places, on: network, job, workers: options.workers)
    let reach = TripReach(network, task.reach.direction, at: job.localTime)

    let store = try ResultsStore(
      ResultsFolder(path: job.output), idsAreNumbers: table.places.allSatisfy(\.id.isNumber),
      job: facts.beginning(on: network))
    try store.write(table.rejected)
    try store.write(placeRows(table.places, places, on: network))
    // Nobody in a town gets farther in a straight line: cars 50 km/h, others 20.
    let speed = job.transportType == .automobile ? 14.0 : job.transportType == .cycling ? 5.5 : 1.4
    try store.write(
      backdrop(of: network, around: places, reach: Double(task.reach.thresholds.last!) * speed))
    let writer = try IsochroneWriter(store, hasStreets: task.hasStreets)

    var progress = Progress(total: places.count, unit: "places", isQuiet: options.isQuiet)
    var written = 0
    let isFinished = try Pipeline.run(
      chunks(of: places.count, size: 16), workers: options.workers, shouldStop: options.shouldStop,
      makeWorker: { [task] in
        let worker = IsochroneWorker(task, table.places, places, reach)
        return { rows in worker.answer(rows) }
      },
      write: { chunk in
        try writer.write(chunk)
        written += chunk.places
        progress.advance(by: chunk.places)
      })
    progress.end()

    let ending = facts.ending(rows: written, rejected: table.rejected.count, isFinished: isFinished)
    if isFinished { try writer.finish(job: ending) } else { try store.interrupt(job: ending) }
    return JobOutcome(
      folder: store.folder,
      files: [store.folder.database, store.folder.isochrones] + (task.hasStreets ? [store.folder.streets] : []),
      unit: "isochrones", rows: written, totalRows: places.count, rejected: table.rejected.count,
      isFinished: isFinished)
  }

  /// What the job would read and write, in lines for a person; nothing is built or written.
  func plan() throws -> String {
    let table = try PlaceTable(path: task.origins, role: .origin, area: .earth)
    let minutes = task.reach.thresholds.map { seconds in
      seconds % 60 == 0 ? String(seconds / 60) : String(Double(seconds) / 60)
    }
    return """
      \(task.origins): \(table.places.count) places, \(table.rejected.count) rows to be rejected
      \(table.places.count * minutes.count) areas: within \(minutes.joined(separator: ", ")) minutes of each
      """
  }
}
