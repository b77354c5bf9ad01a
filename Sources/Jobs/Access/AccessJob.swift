import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// Kind `access`: from origins and stations to the nearest stations and the shares within each time.
struct AccessJob: PreparedJob {
  private let context: JobContext
  private let task: AccessTask
  private let places: AccessPlaces
  private let ends: Ends
  private let search: AccessSearch
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
  ) {
    (self.task, self.places, self.ends, self.context) = (task, places, ends, context)
    search = AccessSearch(task, ends, entrances, stationCount: places.stations.count, in: context)
    let worker = AccessWorker(search, places)
    let rows = JobCost.sampleRows(of: places.origins.count, atMost: task.hasRoutes ? 64 : 1024)
    let (seconds, chunk) = ThreadClock.timed { worker.compute(rows) }
    var sample = JobCost.Sample(
      seconds: seconds + 1.2e-6 * Double(chunk.nearest.count), rows: rows.count,
      bytes: chunk.nearest.count * 45 + chunk.features.bytes.count)
    if let routes = chunk.routes.map({ RouteJob.sample($0, AccessWriter.routeContent, seconds: 0, rows: rows.count) }) {
      sample.seconds += routes.seconds
      sample.bytes += routes.bytes
    }
    chunkRows = task.hasRoutes ? 512 : 8192
    cost = JobCost(
      sample, rows: places.origins.count, chunkRows: chunkRows,
      places: places.origins.count + places.stations.count + places.entrances.count,
      memory: context.network.states.arcs.stateCount * (task.nearest + 1) * 12)
  }

  var rows: Int { places.origins.count }
  var chunks: [Range<Int>] { Pipeline.chunks(of: rows, size: chunkRows) }
  var extent: (box: BoundingBox, reach: Double) { (BoundingBox(around: ends.origins), 0) }

  func head(rejected: [RejectedRow], streets: [StreetRow]) -> ResultsHead {
    let all = [places.origins, places.stations, places.entrances].joined()
    return AccessWriter.head(
      rejected: rejected, streets: streets, places, idsAreNumbers: all.allSatisfy(\.id.isNumber),
      hasRoutes: task.hasRoutes)
  }

  func makeWorker() -> (Range<Int>) throws -> AccessWriter.Chunk {
    let worker = AccessWorker(search, places)
    return { worker.compute($0) }
  }

  func makeWriter(_ store: ResultsStore) throws -> AccessWriter {
    try AccessWriter(store, places, thresholds: task.reach.thresholds, hasRoutes: task.hasRoutes) {
      try AccessServices(search, places, workers: context.workers)
    }
  }
}
