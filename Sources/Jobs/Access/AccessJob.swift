import Foundation
import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// Kind `access`: from origins and stations to who can walk where within which time, in the order it runs.
struct AccessJob: KindOfJob {
  private let job: Job
  private let task: AccessTask

  init(_ job: Job, _ task: AccessTask) {
    self.job = job
    self.task = task
  }

  var unit: String { "origins" }

  func files(in folder: ResultsFolder) -> [String] { [folder.access] + (task.hasRoutes ? [folder.routes] : []) }

  func run(_ course: JobCourse) throws -> JobTally {
    let (network, workers) = (course.network, course.workers)
    let lists = try AccessLists(task, map: job.map, area: network.box)
    let origins = try snapped(lists.origins.places, on: network, job, workers: workers)
    let stations = try snapped(lists.stations.stations, on: network, job, workers: workers)
    let doors = try snapped(lists.stations.entrances.map(\.place), on: network, job, workers: workers)
    let search = AccessSearch(network, job, task, lists, origins, doors, workers: workers)
    let places = AccessPlaces(lists, origins, stations, doors, on: network)

    guard try course.begins(forecast(search, places, course)) else { return .planned }
    let store = try course.store(
      idsAreNumbers: lists.idsAreNumbers,
      more: [("measures", ListText.joined(lists.weights.map(\.name)))])
    try store.begin(tables: AccessWriter.tables(store, hasRoutes: task.hasRoutes)) {
      try store.write(lists.rejected)
      try store.write(backdrop(of: network, around: origins))
      try store.write(places)
    }
    let writer = try AccessWriter(
      store, places, thresholds: task.reach.thresholds, hasRoutes: task.hasRoutes)
    return try course.run(
      chunks(of: origins.count, size: task.hasRoutes ? 512 : 8192), into: writer, of: store, rows: origins.count,
      rejected: lists.rejected.count, unit: unit,
      makeWorker: {
        let worker = AccessWorker(search, places)
        return { rows in worker.answer(rows) }
      },
      seal: { facts in
        let services = try AccessServices(search, places, workers: workers)
        try writer.seal(stations: services.stations, lines: services.lines, job: facts)
      })
  }

  private func forecast(_ search: AccessSearch, _ places: AccessPlaces, _ course: JobCourse) -> Forecast {
    let sample = Forecast.sample(of: places.origins.count, atMost: task.hasRoutes ? 64 : 1024)
    let (seconds, chunk) = Forecast.timed { AccessWorker(search, places).answer(sample) }
    let rows = Double(places.origins.count) / Double(max(1, sample.count))
    let routes = chunk.routes?.routes ?? []
    let steps = routes.reduce(0) { $0 + $1.steps.count }
    let shapes = routes.reduce(0) { $0 + ($1.row.found?.route?.shape?.bytes.count ?? 0) }
    let features = chunk.features.bytes.count + (chunk.routes?.features?.bytes.count ?? 0)
    let tables = chunk.nearest.count * 45 + routes.count * 230 + steps * 90 + shapes
    let all = places.origins.count + places.stations.count + places.entrances.count
    let written = chunk.nearest.count + 2 * routes.count + steps
    let table = course.network.states.arcs.stateCount * (task.nearest + 1) * 12
    return Forecast(
      seconds: (seconds + 1.2e-6 * Double(written)) * rows,
      fixedMemory: Forecast.base(course.network, workers: course.workers) + all * Forecast.placeMemory + table,
      chunkMemory: 2 * (tables + features) * (task.hasRoutes ? 512 : 8192) / max(1, sample.count),
      disk: Forecast.startDisk + all * Forecast.placeDisk + Int(Double(tables + features) * rows))
  }

  /// What the job would read and write, in lines for a person; nothing is built or written.
  func plan() throws -> String {
    let lists = try AccessLists(task, map: job.map, area: .earth)
    let weights = lists.weights.map(\.name)
    let entrances = lists.stations.entrances.count { $0.place.role == .entrance }
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
    (origins.places + stations.stations + stations.entrances.map(\.place)).allSatisfy(\.id.isNumber)
  }
}

extension AccessPlaces {
  init(
    _ lists: AccessLists, _ origins: [SnappedPlace], _ stations: [SnappedPlace], _ doors: [SnappedPlace],
    on network: StreetNetwork
  ) {
    let entrances = zip(lists.stations.entrances, doors).filter { $0.0.place.role == .entrance }
    self.init(
      origins: placeRows(lists.origins.places, origins, on: network),
      stations: placeRows(lists.stations.stations, stations, on: network),
      entrances: placeRows(entrances.map(\.0.place), entrances.map(\.1), on: network),
      weights: lists.weights.map { ($0.name, $0.values) }, lines: lists.stations.lines)
  }
}
