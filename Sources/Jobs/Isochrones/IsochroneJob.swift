import Foundation
import Geography
import Results
import Routing
import StreetNetwork

/// Kind `isochrones`: from places to the areas within some times of them, in the order it runs.
struct IsochroneJob: KindOfJob {
  private let job: Job
  private let task: IsochroneTask

  init(_ job: Job, _ task: IsochroneTask) {
    self.job = job
    self.task = task
  }

  var unit: String { "isochrones" }

  func files(in folder: ResultsFolder) -> [String] {
    [folder.isochrones] + (task.hasStreets ? [folder.streets] : [])
  }

  func run(_ course: JobCourse) throws -> JobTally {
    let network = course.network
    let table = try PlaceTable(path: task.origins, role: .origin, area: network.box)
    let places = try snapped(table.places, on: network, job, workers: course.workers)
    let reach = TripReach(network, task.reach.direction, at: job.localTime)

    let makeWorker: @Sendable () -> IsochroneWorker = { [task] in
      IsochroneWorker(task, table.places, places, reach)
    }
    guard try course.begins(forecast(table, makeWorker(), course)) else { return .planned }
    let store = try course.store(idsAreNumbers: table.places.allSatisfy(\.id.isNumber))
    try store.begin(tables: IsochroneWriter.tables(store)) {
      try store.write(table.rejected)
      try store.write(placeRows(table.places, places, on: network))
      // Nobody in a town gets farther in a straight line: cars 50 km/h, others 20.
      let speed = job.transportType == .automobile ? 14.0 : job.transportType == .cycling ? 5.5 : 1.4
      let farthest = Double(task.reach.thresholds.last!) * speed
      try store.write(backdrop(of: network, around: places, reach: farthest))
    }
    let writer = try IsochroneWriter(store, hasStreets: task.hasStreets)
    return try course.run(
      chunks(of: places.count, size: 16), into: writer, of: store, rows: places.count, rejected: table.rejected.count,
      unit: unit,
      makeWorker: {
        let worker = makeWorker()
        return { rows in worker.answer(rows) }
      }, seal: writer.seal)
  }

  private func forecast(_ table: PlaceTable, _ worker: IsochroneWorker, _ course: JobCourse) -> Forecast {
    let sample = Forecast.sample(of: table.places.count, atMost: 4)
    let (seconds, chunk) = Forecast.timed { worker.answer(sample) }
    let rows = Double(table.places.count) / Double(max(1, sample.count))
    let shapes = chunk.areas.reduce(0) { $0 + 80 + ($1.found?.shape.bytes.count ?? 0) }
    let features = chunk.features.bytes.count + (chunk.streets?.bytes.count ?? 0)
    return Forecast(
      seconds: seconds * rows,
      fixedMemory: Forecast.base(course.network, workers: course.workers)
        + table.places.count * Forecast.placeMemory,
      chunkMemory: (2 * shapes + 2 * features) * 16 / max(1, sample.count),
      disk: Forecast.startDisk + table.places.count * Forecast.placeDisk + Int(Double(shapes + features) * rows))
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
