import Foundation
import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// Kind `access`: from origins and stations to who can walk where within which time, in the order it runs.
struct AccessJob {
  private let job: Job
  private let task: AccessTask
  private let options: RunOptions

  init(_ job: Job, _ task: AccessTask, _ options: RunOptions) {
    self.job = job
    self.task = task
    self.options = options
  }

  func run() throws -> JobOutcome {
    let facts = JobFacts(job, options)
    let network = try options.network(of: job)
    let lists = try AccessLists(task, map: job.map, area: network.box)
    let origins = try snapped(lists.origins.places, on: network, job, workers: options.workers)
    let stations = try snapped(lists.stations.stations, on: network, job, workers: options.workers)
    let doors = try snapped(lists.stations.doors.map(\.place), on: network, job, workers: options.workers)
    let search = AccessSearch(network, job, task, lists, origins, doors, workers: options.workers)

    let store = try ResultsStore(
      ResultsFolder(path: job.output), idsAreNumbers: lists.idsAreNumbers,
      job: facts.beginning(on: network) + [("weights", lists.weights.map(\.name).joined(separator: ","))])
    try store.write(lists.rejected)
    try store.write(backdrop(of: network, around: origins))
    let places = AccessPlaces(lists, origins, stations, doors, on: network)
    let writer = try AccessWriter(
      store, places, thresholds: task.reach.thresholds, hasRoutes: task.hasRoutes)

    var progress = Progress(total: origins.count, unit: "origins", isQuiet: options.isQuiet)
    var written = 0
    let isFinished = try Pipeline.run(
      chunks(of: origins.count, size: task.hasRoutes ? 512 : 8192), workers: options.workers,
      shouldStop: options.shouldStop,
      makeWorker: {
        let worker = AccessWorker(search, places)
        return { rows in worker.answer(rows) }
      },
      write: { chunk in
        try writer.write(chunk)
        written += chunk.origins
        progress.advance(by: chunk.origins)
      })
    progress.end()

    let ending = facts.ending(rows: written, rejected: lists.rejected.count, isFinished: isFinished)
    if isFinished {
      let services = try AccessServices(search, places, workers: options.workers)
      try writer.finish(stations: services.stations, lines: services.lines, job: ending)
    } else {
      try store.interrupt(job: ending)
    }
    return JobOutcome(
      folder: store.folder,
      files: [store.folder.database, store.folder.access] + (task.hasRoutes ? [store.folder.routes] : []),
      unit: "origins", rows: written, totalRows: origins.count, rejected: lists.rejected.count, isFinished: isFinished)
  }

  /// What the job would read and write, in lines for a person; nothing is built or written.
  func plan() throws -> String {
    let lists = try AccessLists(task, map: job.map, area: .earth)
    let weights = lists.weights.map(\.name)
    let entrances = lists.stations.doors.count { $0.place.role == .entrance }
    return """
      \(task.origins): \(lists.origins.places.count) origins\(weights.isEmpty ? "" : " with \(weights.joined(separator: ", "))")
      \(task.stations): \(lists.stations.stations.count) stations, \(entrances) entrances, \
      \(Set(lists.stations.lines.joined()).count) lines
      the nearest \(task.nearest) of each origin, \(lists.rejected.count) rows to be rejected
      """
  }
}

/// The input of a job of kind `access`.
struct AccessLists {
  let origins: PlaceTable
  let stations: StationTable
  /// What origins are counted by.
  let weights: [WeightColumn]

  init(_ task: AccessTask, map: String, area: BoundingBox) throws {
    let origins = try PlaceTable(path: task.origins, role: .origin, area: area)
    stations = try StationTable(task.stations, map: map, types: task.routeTypes, area: area)
    weights =
      try task.weights?.map { name in
        guard let column = origins.weights.first(where: { $0.name == name }) else {
          let found = origins.weights.map(\.name).joined(separator: ", ")
          throw InputError(
            file: task.origins,
            problem: "weights: there is no column of numbers \(name); found: \(found.isEmpty ? "none" : found)")
        }
        return column
      } ?? origins.weights
    self.origins = origins
    guard !weights.contains(where: { $0.name == AccessPlaces.origins }) else {
      throw InputError(
        file: task.origins,
        problem:
          "a column \(AccessPlaces.origins) cannot be counted, for the origins themselves are counted under that "
          + "name; rename it, or name the columns to count in weights")
    }
  }

  var rejected: [RejectedRow] { origins.rejected + stations.rejected }

  var idsAreNumbers: Bool {
    (origins.places + stations.stations + stations.doors.map(\.place)).allSatisfy(\.id.isNumber)
  }
}

extension AccessPlaces {
  init(
    _ lists: AccessLists, _ origins: [SnappedPlace], _ stations: [SnappedPlace], _ doors: [SnappedPlace],
    on network: StreetNetwork
  ) {
    let entrances = zip(lists.stations.doors, doors).filter { $0.0.place.role == .entrance }
    self.init(
      origins: placeRows(lists.origins.places, origins, on: network),
      stations: placeRows(lists.stations.stations, stations, on: network),
      entrances: placeRows(entrances.map(\.0.place), entrances.map(\.1), on: network),
      weights: lists.weights.map { ($0.name, $0.values) }, lines: lists.stations.lines)
  }
}
