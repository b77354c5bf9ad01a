import Foundation
import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// Kind `matrix`: from one or two lists of places to every time and distance between them, in the order it runs.
struct MatrixJob: KindOfJob {
  private let job: Job
  private let task: MatrixTask

  init(_ job: Job, _ task: MatrixTask) {
    self.job = job
    self.task = task
  }

  var unit: String { "cells" }

  func files(in folder: ResultsFolder) -> [String] {
    var files: [String] = []
    if task.formats.contains(.npy) { files += [folder.travelTimes] + (task.distances ? [folder.distances] : []) }
    if task.formats.contains(.csv) { files.append(folder.matrix) }
    return files
  }

  func run(_ course: JobCourse) throws -> JobTally {
    let network = course.network
    let lists = try PlaceLists(task, area: network.box)
    let origins = try snapped(lists.origins, on: network, job, workers: course.workers)
    let destinations =
      task.destinations == nil
      ? origins : try snapped(lists.destinations, on: network, job, workers: course.workers)
    let trips = TripMatrix(
      network, from: origins.map(\.usableEnd), to: destinations.map(\.usableEnd), distances: task.distances,
      at: job.localTime, workers: course.workers)
    course.options.explain?("engine: \(trips.matrix.plan)")

    guard try course.begins(forecast(trips, lists, course)) else { return .planned }
    let store = try course.store(
      rowBytes: task.formats.contains(.sqlite) ? destinations.count * 9 : 0,
      idsAreNumbers: (lists.origins + lists.destinations).allSatisfy(\.id.isNumber))
    try store.begin(tables: MatrixWriter.tables(store, hasDistances: task.distances)) {
      try store.write(lists.rejected)
      try store.write(placeRows(lists.origins, origins, on: network))
      try store.write(placeRows(lists.destinations, destinations, on: network))
      try store.write(backdrop(of: network, around: origins + destinations))
    }
    let writer = try MatrixWriter(
      store,
      .init(
        rows: origins.count, columns: destinations.count, hasDistances: task.distances, formats: Set(task.formats)))
    let cells = CellText()
    let texts = Recycler { TextBytes() }
    return try course.run(
      trips.matrix.blocks, into: writer, of: store, rows: origins.count, rejected: lists.rejected.count, unit: unit,
      cells: destinations.count,
      makeWorker: { [task] in
        let worker = MatrixWorker(task, trips, from: lists.origins, to: lists.destinations, cells)
        return { rows in worker.answer(rows, into: texts.take()) }
      },
      written: { texts.giveBack($0.text) },
      seal: { facts in
        let counts = cellCounts(origins, destinations, reachable: writer.reachableCells)
        try writer.seal(job: facts + counts)
      })
  }

  private func forecast(_ trips: TripMatrix, _ lists: PlaceLists, _ course: JobCourse) -> Forecast {
    let (rows, columns) = (lists.origins.count, lists.destinations.count)
    let plan = trips.matrix.plan
    let numbers = task.distances ? 2 : 1
    // Bytes of a cell's number, and nanoseconds to write one, in each form.
    let forms: [(format: MatrixWriter.Format, bytes: Double, time: Double)] = [
      (.sqlite, 8.5, 6), (.npy, 4, 2), (.csv, 7, 45),
    ]
    let written = forms.filter { task.formats.contains($0.format) }
    let (bytes, time) = (written.reduce(0) { $0 + $1.bytes }, written.reduce(2) { $0 + $1.time })
    let cells = Double(rows * columns * numbers)
    let block = Double(plan.rowsPerBlock * columns * numbers)
    return Forecast(
      seconds: (plan.costs[plan.engine] ?? 0) + cells * time / 1e9,
      fixedMemory: Forecast.base(course.network, workers: course.workers)
        + (rows + columns) * Forecast.placeMemory + course.workers * plan.sweptStates * 64 * numbers,
      chunkMemory: Int(min(block, cells) * (bytes + 4)),
      disk: Forecast.startDisk + (rows + columns) * Forecast.placeDisk + Int(cells * bytes)
        + (task.summary == nil ? 0 : rows * 120))
  }

  /// What the job would read and write, in lines for a person; nothing is built or written.
  func plan() throws -> String {
    let lists = try PlaceLists(task, area: .earth)
    let forms = task.formats.map(\.rawValue) + (task.summary.map { ["summary \($0)"] } ?? [])
    return """
      \(task.origins): \(lists.origins.count) origins
      \(task.destinations ?? task.origins): \(lists.destinations.count) destinations
      \(lists.origins.count * lists.destinations.count) cells to compute, \(lists.rejected.count) rows to be rejected
      written as: \(forms.joined(separator: ", "))
      """
  }

  /// How many cells have each status, as keys of table `job`.
  private func cellCounts(
    _ origins: [SnappedPlace], _ destinations: [SnappedPlace], reachable: Int
  ) -> [(key: String, value: String)] {
    func cells(_ isCounted: (SnappedPlace) -> Bool) -> Int {
      origins.count(where: isCounted) * destinations.count(where: isCounted)
    }
    let all = cells { _ in true }
    let inside = cells { !$0.isOutside }
    let usable = cells { $0.usableEnd != nil }
    let counts: [(RowStatus, Int)] = [
      (.ok, reachable), (.directionsNotFound, usable - reachable), (.placemarkNotFound, inside - usable),
      (.outsideCoverage, all - inside),
    ]
    return counts.filter { $0.1 > 0 }.map { ("cells_\($0.0.rawValue)", String($0.1)) }
  }
}

/// The places of a matrix.
private struct PlaceLists {
  let origins: [InputPlace]
  let destinations: [InputPlace]
  let rejected: [RejectedRow]

  init(_ task: MatrixTask, area: BoundingBox) throws {
    let first = try PlaceTable(path: task.origins, role: .origin, area: area)
    let second = try task.destinations.map { try PlaceTable(path: $0, role: .destination, area: area) }
    origins = first.places
    destinations = second?.places ?? first.places(as: .destination)
    rejected = first.rejected + (second?.rejected ?? [])
  }
}
