import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// Kind `access`: from origins and stations to the nearest stations and the shares within each time, at each hour where the
/// job has hours.
struct AccessJob: PreparedJob {
  private let context: JobContext
  private let places: AccessPlaces
  private let ends: Ends
  private let search: AccessSearch
  private let shape: AccessWriter.Shape
  /// Before the first origin; nil in a job without hours.
  private let sums: ServiceSums?
  private let chunkRows: Int
  let cost: JobCost

  /// The places on their streets: origins, stations, and every entrance, stations that are their own included.
  struct Ends: Sendable {
    var origins: [SnappedPlace]
    var stations: [SnappedPlace]
    var entrances: [SnappedPlace]
  }

  init(
    _ task: AccessTask, _ places: AccessPlaces, _ ends: Ends, _ entrances: [StationTable.Entrance],
    in context: JobContext
  ) throws {
    (self.places, self.ends, self.context) = (places, ends, context)
    search = AccessSearch(task, ends, entrances, stationCount: places.stations.count, in: context)
    shape = AccessWriter.Shape(
      thresholds: task.reach.thresholds, hasRoutes: task.hasRoutes, departures: context.job.departures?.rows ?? [])
    sums = shape.sums(of: places)
    if let sums, sums.serviceMemory > ServiceSums.mostServiceMemory {
      throw CapacityError(
        description:
          "what a station serves at \(shape.departures.count) hours is \(MemoryLimit.text(sums.serviceMemory)) of sums, "
          + "\(MemoryLimit.text(ServiceSums.mostServiceMemory)) can be written; use fewer hours, thresholds or weights")
    }
    chunkRows = search.hours?.chunkRows ?? (task.hasRoutes ? 512 : 8192)
    cost =
      if let hours = search.hours {
        AccessJob.cost(of: hours, task, places, shape, sums, workers: context.workers)
      } else {
        try AccessJob.cost(of: AccessWorker(search, places, nil), task, places, shape, on: context.network)
      }
  }

  /// From a sample.
  private static func cost(
    of worker: AccessWorker, _ task: AccessTask, _ places: AccessPlaces, _ shape: AccessWriter.Shape,
    on network: StreetNetwork
  ) throws -> JobCost {
    let rows = JobCost.sampleRows(of: places.origins.count, atMost: task.hasRoutes ? 64 : 1024)
    let (seconds, chunk) = try ThreadClock.timed { try worker.compute(rows) }
    var sample = JobCost.Sample(
      seconds: seconds + 1.2e-6 * Double(chunk.nearest.count), rows: rows.count,
      bytes: chunk.nearest.count * 45 + chunk.features.bytes.count)
    if let routes = chunk.routes.map({ RouteJob.sample($0, shape.routeContent, seconds: 0, rows: rows.count) }) {
      sample.seconds += routes.seconds
      sample.bytes += routes.bytes
    }
    return JobCost(
      sample, rows: places.origins.count, chunkRows: task.hasRoutes ? 512 : 8192, places: places.count,
      memory: network.states.arcs.stateCount * (task.nearest + 1) * 12)
  }

  /// From the plan of the cells, not from a sample.
  private static func cost(
    of hours: AccessHours, _ task: AccessTask, _ places: AccessPlaces, _ shape: AccessWriter.Shape,
    _ sums: ServiceSums?, workers: Int
  ) -> JobCost {
    let answers = places.origins.count * hours.departures.hours.count
    let rows = answers * min(task.nearest, places.stations.count)
    // Bytes of a row of the table and its index, of a feature, and of a route with its steps and shape.
    let bytes = rows * 60 + answers * (60 + (task.hasRoutes ? 6000 : 0))
    let (services, memory) = (sums?.count ?? 0, sums?.memory ?? 0)
    // Cells are gone when the results are sealed.
    let working = max(workers * hours.memory, shape.sealMemory(of: places))
    let seconds = hours.seconds + 1.5e-6 * Double(rows + services) + (task.hasRoutes ? 1.5e-3 : 2e-6) * Double(answers)
    let share = min(1, Double(hours.chunkRows) / Double(max(1, places.origins.count)))
    return JobCost(
      seconds: seconds, memory: hours.sharedMemory + working + memory,
      chunkMemory: Int(share * Double(bytes)) * 2 + memory, disk: bytes + memory + services * 60, places: places.count)
  }

  var rows: Int { places.origins.count }
  var unitsPerRow: Int { max(1, shape.departures.count) }
  var chunks: [Range<Int>] { Pipeline.chunks(of: rows, size: chunkRows) }
  var extent: (box: BoundingBox, reach: Double) { (BoundingBox(around: ends.origins), 0) }
  var explanation: String? { search.hours.map { "engine: \($0.explanation)" } }

  func head(rejected: [RejectedRow], streets: [StreetRow]) -> ResultsHead {
    let all = [places.origins, places.stations, places.entrances].joined()
    return AccessWriter.head(
      rejected: rejected, streets: streets, places, idsAreNumbers: all.allSatisfy(\.id.isNumber), shape)
  }

  func makeWorker() -> (Range<Int>) throws -> AccessWriter.Chunk {
    let worker = AccessWorker(search, places, sums)
    return { try worker.compute($0) }
  }

  func makeWriter(_ store: ResultsStore) throws -> AccessWriter {
    try AccessWriter(store, places, shape) { try search.services(of: places, workers: context.workers) }
  }
}
