import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables
import TransitNetwork

/// A prepared job of kind `isochrones`: computes the areas within the thresholds around places.
///
/// `IsochroneTask.read` reads the places, `init` divides them into chunks and snaps them, `IsochroneWorker` computes a
/// chunk, and `IsochroneWriter` writes it.
struct IsochroneJob: PreparedJob {
  typealias Writer = IsochroneWriter
  fileprivate let context: JobContext
  fileprivate let task: IsochroneTask
  fileprivate let places: [InputPlace]
  fileprivate let snapped: SnappedPlaces
  let stops: TransitStops?
  /// The areas reached by public transport; nil unless the job uses transit.
  private let areas: Lazy<TransitAreas>?
  /// The data for searches without transit.
  private let reach: Lazy<TripReach>
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
    reach = Lazy { context.reach(task.reach.direction) }
  }

  fileprivate func makeReached() -> ReachedHours {
    areas.map { ReachedHours($0.value) } ?? ReachedHours(reach.value)
  }

  func makeWorker() -> (Range<Int>) throws -> IsochroneWriter.Chunk {
    let worker = IsochroneWorker(self)
    return { worker.compute($0) }
  }

  func makeWriter(_ store: ResultsStore) throws -> IsochroneWriter {
    try IsochroneWriter(store, hasStreets: task.hasStreets, context.job.rowAxis)
  }

  /// Estimates the cost from a sample of rows.
  func cost() -> JobCost {
    let ownRows = context.rows(ofChunks: chunks)
    let worker = IsochroneWorker(self)
    let sample = JobCost.sample(of: ownRows, by: 1, atMost: 32) {
      worker.compute($0)
    } measure: { chunk, seconds, rows in
      // The report also draws the areas.
      let shapes = chunk.areas.reduce(0) { $0 + 80 + ($1.found?.shape.bytes.count ?? 0) } * 5 / 4
      return .init(
        seconds: seconds, rows: rows,
        bytes: shapes + chunk.features.bytes.count + (chunk.streets?.bytes.count ?? 0)
          + chunk.grids.reduce(0) { $0 + 100 + $1.bytes.count })
    }
    var cost = JobCost(sample, rows: ownRows.count, chunkRows: IsochroneJob.chunkRows, inputCost)
    cost.memory += areas?.value.sharedMemory ?? reach.value.memory
    cost.workerMemory = worker.memory
    return cost
  }

  var inputCost: JobCost { .input(places: places.count) }

  var rows: Int { places.count }

  var extent: (box: BoundingBox, reach: Double) {
    // Vehicles of public transport are assumed to be as fast as cars.
    let type = stops == nil ? context.job.transportType : .automobile
    return (BoundingBox(around: snapped), Double(task.reach.longest) * type.urbanSpeed)
  }

  var placeRows: PlaceRows { PlaceRows(places, snapped, on: context.network) }
  var idsAreNumbers: Bool { places.allSatisfy(\.id.isNumber) }

  func tables(_ types: SQLTypes) -> String {
    let axis = context.job.rowAxis
    return IsochroneRow.table(axis.columns).creation(types) + TravelTimeGridRow.table(axis.columns).creation(types)
      + View.diagnosis(rows: "isochrone", id: "place_id", weight: "NULL", axis.column).creation
  }
}

/// A worker that computes the areas around the places of a chunk; one per thread.
final class IsochroneWorker {
  private let job: IsochroneJob
  private let task: IsochroneTask
  private let network: StreetNetwork
  private let reached: ReachedHours
  private let axis: RowAxis
  /// The number of each departure, or each percentile; a single nil in a job without departures.
  private let numbers: [Int?]
  private let geos = Geos()
  private let features = FeatureList()
  private let streets = FeatureList()
  private let deflater = Deflater()
  private var grids: [TravelTimeGridRow] = []

  init(_ job: IsochroneJob) {
    (self.job, task, network) = (job, job.task, job.context.network)
    (reached, axis) = (job.makeReached(), job.context.job.rowAxis)
    numbers = axis.column == nil ? [nil] : axis.numbers
  }

  /// The expected bytes of the worker's searches.
  var memory: Int { reached.memory() }

  func compute(_ rows: Range<Int>) -> IsochroneWriter.Chunk {
    let isochrones = rows.map { self.isochrones(around: $0) }
    defer { grids = [] }
    var chunk = IsochroneWriter.Chunk()
    (chunk.rows, chunk.areas, chunk.grids) = (rows.count, isochrones.flatMap(\.self), grids)
    chunk.features = features.finishBlock()
    if task.hasStreets { chunk.streets = streets.finishBlock() }
    return chunk
  }

  private func isochrones(around origin: Int) -> [IsochroneRow] {
    let thresholds = task.reach.thresholds
    guard let end = job.snapped[origin].usableEnd else {
      return numbers.indices.flatMap { hour in
        thresholds.indices.map { row(origin, hour, $0, job.snapped[origin].status, nil) }
      }
    }
    let states = reached.states(origin, end, UInt32(task.reach.longest) * 1000)
    return numbers.indices.flatMap { isochrones(around: origin, end, states[$0], hour: $0) }
  }

  private func isochrones(around origin: Int, _ end: TripEnd, _ states: [Seed], hour: Int) -> [IsochroneRow] {
    let squares = reached.squares(hour)
    let thresholds = task.reach.thresholds
    let longest = task.reach.longest
    let stretches = reached.stretches(end, states, hour, UInt32(longest) * 1000)
    let rays = squares.rays(around: end, stretches, within: UInt32(longest) * 1000, buffer: task.buffer)
    if let grid = TravelTimeGrid(stretches, rays, within: Int(longest), buffer: task.buffer, on: network) {
      grids.append(grid.row(of: job.places[origin].id, at: numbers[hour], deflater))
    }
    var text = TextBuffer(capacity: 1 << 16)
    return task.mapAreas(
      around: end, within: thresholds, { reached.pieces(end, states, hour, $0) }, rays, squares, on: network, geos
    ) { index, pieces, area in
      let limit = UInt32(thresholds[index]) * 1000
      // Nothing is reached if getting to the place's street or square takes longer than the threshold, or if the street
      // or square is closed.
      guard !pieces.isEmpty || squares.contain(end, within: limit) else {
        let status = end.leg.milliseconds < limit ? RowStatus.directionsNotFound : .beyondLimit
        return row(origin, hour, index, status, nil)
      }
      let length = pieces.reduce(0) { $0 + network.length(of: $1) }
      let row = row(origin, hour, index, .ok, IsochroneRow.Found(area, streetMetres: length))
      features.append(&text) { $0.append(row, axis, at: hour, area) }
      if task.hasStreets {
        // A section whose ends round to the same coordinates is not a line.
        let lines = pieces.filter { !network.attributes(of: $0.street).kind.isVehicle }.map(network.points)
          .filter { $0.count > 2 || $0[0] != $0[1] }
        streets.append(&text) { $0.append(row, axis, at: hour, streets: lines) }
      }
      return row
    }
  }

  private func row(
    _ origin: Int, _ hour: Int, _ threshold: Int, _ status: RowStatus, _ found: IsochroneRow.Found?
  ) -> IsochroneRow {
    IsochroneRow(
      place: job.places[origin].id, departure: numbers[hour],
      fromThreshold: task.hasBands && threshold > 0 ? task.reach.thresholds[threshold - 1] : 0,
      threshold: task.reach.thresholds[threshold], status: status, found: found)
  }
}

extension JobContext {
  /// Returns the data for searches of reached streets, at the job's departures or its date.
  func reach(_ direction: NearestTable.Direction) -> TripReach {
    if let departures = job.departures { return TripReach(timed(on: departures.day), at: departures.times) }
    return TripReach(network.slowed(at: job.localTime), direction, at: job.localTime)
  }
}

/// A search for the streets within reach of places, at each departure or once if there are none. One per thread.
struct ReachedHours {
  /// Returns the street sections within a limit in milliseconds, at one departure; `states` are the states around
  /// the place.
  let pieces: (_ end: TripEnd, _ states: [Seed], _ hour: Int, _ limit: UInt32) -> [StreetPiece]
  /// Returns the same sections with their travel times.
  let stretches: (_ end: TripEnd, _ states: [Seed], _ hour: Int, _ limit: UInt32) -> [TimedStretch]
  /// Returns the states within a limit in milliseconds of a place, at each departure; `place` is the index of the place.
  let states: (_ place: Int, _ end: TripEnd, _ limit: UInt32) -> [[Seed]]
  /// Returns the times of lines across squares at an hour.
  let squares: (_ hour: Int) -> SquareTimes
  /// Returns the expected bytes of the searches, judging by those so far.
  let memory: () -> Int

  /// Creates a search on streets.
  init(_ reach: TripReach) {
    let query = TripReachQuery(reach)
    pieces = { query.pieces(around: [($0, 0)], $1, at: $2, within: $3) }
    stretches = { query.stretches(around: [($0, 0)], $1, at: $2, within: $3) }
    states = { _, end, limit in query.states(around: [end], within: limit) }
    squares = { query.squares(at: $0) }
    memory = { query.expectedMemory }
  }

  /// Creates a search by public transport.
  init(_ areas: TransitAreas) {
    let query = TransitAreas.Query(areas)
    pieces = { end, states, row, limit in query.pieces(around: end, states, row: row, within: limit) }
    stretches = { end, states, row, limit in query.stretches(around: end, states, row: row, within: limit) }
    states = { place, end, limit in query.states(of: place, end, within: limit) }
    squares = { _ in query.squares }
    memory = { areas.workerMemory }
  }
}
