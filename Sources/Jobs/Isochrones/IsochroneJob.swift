import Geography
import Results
import Routing
import StreetNetwork

/// Kind `isochrones`: from places to the areas within some times of them.
struct IsochroneJob: PreparedJob {
  private let context: JobContext
  private let task: IsochroneTask
  private let places: [InputPlace]
  private let snapped: [SnappedPlace]
  private let makeReached: @Sendable () -> ReachedHours
  let cost: JobCost

  private static let chunkRows = 16

  init(_ task: IsochroneTask, _ places: [InputPlace], _ snapped: [SnappedPlace], in context: JobContext) {
    (self.task, self.places, self.snapped, self.context) = (task, places, snapped, context)
    if let departures = context.job.departures {
      let timed = context.timed(on: departures.day)
      makeReached = { ReachedHours(timed, departures) }
    } else {
      let reach = TripReach(context.network, task.reach.direction, at: context.job.localTime)
      makeReached = { ReachedHours(reach) }
    }
    let worker = IsochroneWorker(
      task, places, snapped, makeReached(), at: context.job.departures?.rows ?? [], on: context.network)
    let rows = JobCost.sampleRows(of: places.count, atMost: 4)
    let (seconds, chunk) = ThreadClock.timed { worker.compute(rows) }
    let shapes = chunk.areas.reduce(0) { $0 + 80 + ($1.found?.shape.bytes.count ?? 0) }
    let features = chunk.features.bytes.count + (chunk.streets?.bytes.count ?? 0)
    cost = JobCost(
      .init(seconds: seconds, rows: rows.count, bytes: shapes + features), rows: places.count,
      chunkRows: IsochroneJob.chunkRows, places: places.count)
  }

  var rows: Int { places.count }
  private var departures: [DepartureRow] { context.job.departures?.rows ?? [] }
  var chunks: [Range<Int>] { Pipeline.chunks(of: rows, size: IsochroneJob.chunkRows) }

  var extent: (box: BoundingBox, reach: Double) {
    // In a town nobody gets farther in a straight line: at 50, 20 and 5 km/h.
    let speed =
      switch context.job.transportType {
      case .automobile: 14.0
      case .cycling: 5.5
      case .walking: 1.4
      }
    return (BoundingBox(around: snapped), Double(task.reach.longest) * speed)
  }

  func head(rejected: [RejectedRow], streets: [StreetRow]) -> ResultsHead {
    IsochroneWriter.head(
      rejected: rejected, streets: streets, places: context.rows(of: places, snapped),
      idsAreNumbers: places.allSatisfy(\.id.isNumber), departures: departures)
  }

  func makeWorker() -> (Range<Int>) throws -> IsochroneWriter.Chunk {
    let worker = IsochroneWorker(task, places, snapped, makeReached(), at: departures, on: context.network)
    return { worker.compute($0) }
  }

  func makeWriter(_ store: ResultsStore) throws -> IsochroneWriter {
    try IsochroneWriter(store, hasStreets: task.hasStreets, hasHours: !departures.isEmpty)
  }
}
