import Geography
import Input
import Routing
import StreetNetwork
import Tables
import TransitNetwork

/// Kind `isochrones`: from places to the areas within some times of them.
struct IsochroneJob: PreparedJob {
  typealias Writer = IsochroneWriter
  private let context: JobContext
  private let task: IsochroneTask
  private let places: [InputPlace]
  private let snapped: SnappedPlaces
  let stops: TransitStops?
  /// Nil unless the job uses transit.
  private let areas: Lazy<TransitAreas>?
  private let makeReached: @Sendable () -> ReachedHours
  let chunks: [Range<Int>]

  private static let chunkRows = 16

  init(_ task: IsochroneTask, _ places: [InputPlace], in context: JobContext) throws {
    (self.task, self.places, self.context) = (task, places, context)
    chunks = Pipeline.chunks(of: places.count, size: IsochroneJob.chunkRows)
    snapped = try context.snap("places", places, for: chunks) { Array($0) }
    let (stops, ends) = (try context.transit.map { try TransitStops($0, in: context) }, snapped.map(\.usableEnd))
    self.stops = stops
    areas = stops.map { stops in
      Lazy {
        TransitAreas(
          stops, ends, percentiles: context.job.hours.percentiles, on: context.network, workers: context.workers)
      }
    }
    if let areas {
      makeReached = { ReachedHours(areas.value) }
    } else if let departures = context.job.departures {
      let timed = Lazy { context.timed(on: departures.day) }
      makeReached = { ReachedHours(timed.value, departures) }
    } else {
      let time = context.job.localTime
      let reach = Lazy { TripReach(context.network.slowed(at: time), task.reach.direction, at: time) }
      makeReached = { ReachedHours(reach.value) }
    }
  }

  /// From a sample of rows.
  func cost() -> JobCost {
    let own = context.rows(ofChunks: chunks)
    let worker = worker()
    let sample = JobCost.sample(of: own, by: 1, atMost: 32) {
      worker.compute($0)
    } measure: { chunk, seconds, rows in
      // The report draws them, too.
      let shapes = chunk.areas.reduce(0) { $0 + 80 + ($1.found?.shape.bytes.count ?? 0) } * 5 / 4
      return .init(
        seconds: seconds, rows: rows,
        bytes: shapes + chunk.features.bytes.count + (chunk.streets?.bytes.count ?? 0)
          + chunk.grids.reduce(0) { $0 + 100 + $1.bytes.count })
    }
    var cost = JobCost(sample, rows: own.count, chunkRows: IsochroneJob.chunkRows, inputCost)
    if let areas {
      cost.memory += areas.value.sharedMemory + context.workers * areas.value.workerMemory
    } else if context.job.departures != nil {
      // Each worker has a lane of 64 bytes per state, and its own arcs of 16 bytes.
      let arcs = context.network.states.arcs
      cost.memory += context.workers * (arcs.stateCount * 64 + arcs.arcCount * 16)
    }
    return cost
  }

  var inputCost: JobCost { .input(places: places.count) }

  private func worker() -> IsochroneWorker {
    IsochroneWorker(task, places, snapped, makeReached(), at: context.job.rowAxis, on: context.network)
  }

  var rows: Int { places.count }
  private var departures: [DepartureRow] { context.job.departures?.rows ?? [] }

  var extent: (box: BoundingBox, reach: Double) {
    // An upper bound of the straight-line distance in a town: at 50, 20 and 5 km/h.
    let speed =
      switch context.job.transportType {
      case .automobile: 14.0
      case .cycling: 5.5
      case .walking, .transit: stops == nil ? 1.4 : 14.0
      }
    return (BoundingBox(around: snapped), Double(task.reach.longest) * speed)
  }

  func head(rejected: [RejectedRow], backdrop: [BackdropRow]) -> ResultsHead {
    ResultsHead(
      rejected: rejected, backdrop: backdrop, places: context.rows(of: places, snapped),
      idsAreNumbers: places.allSatisfy(\.id.isNumber), departures: departures,
      tables: { [axis = context.job.rowAxis] in
        IsochroneRow.table(axis.columns).creation($0) + TravelTimeGridRow.table(axis.columns).creation($0)
          + Diagnosis.view(rows: nil).creation
      })
  }

  func makeWorker() -> (Range<Int>) throws -> IsochroneWriter.Chunk {
    let worker = worker()
    return { worker.compute($0) }
  }

  func makeWriter(_ store: ResultsStore) throws -> IsochroneWriter {
    try IsochroneWriter(store, hasStreets: task.hasStreets, context.job.rowAxis)
  }
}
