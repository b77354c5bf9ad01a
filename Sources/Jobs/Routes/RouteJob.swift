import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Synchronization
import Tables
import TransitNetwork

/// A prepared job of kind `routes` or `etas`: computes the routes of pairs, or only their times and distances.
///
/// `TripTask.read` reads the pairs, `init` snaps their places and divides the rows into chunks, `RouteWorker` computes a
/// chunk, and `RouteWriter` writes it.
struct RouteJob: PreparedJob {
  typealias Writer = RouteWriter
  private let context: JobContext
  /// The pairs, and their snapped places in each variant.
  private let input: Releasable<(table: PairTable, places: [SnappedPlaces])>
  private let content: RouteWriter.Content
  /// One network per set of avoidances; the job's own comes first.
  private let variants: [Variant]
  let stops: TransitStops?
  /// The service on the dates of rows; nil in a job without transit.
  private let dates: TransitDates?
  /// The trips by public transport; nil in a job without transit.
  private let transit: Lazy<TransitTrips>?
  /// The labels of the job's network; nil if building them would not pay off.
  private let labels: Lazy<UpperLabels>?
  let chunks: [Range<Int>]
  let rows: Int
  let unitsPerRow: Int

  init(_ task: TripTask, _ table: PairTable, _ dates: TransitDates?, in context: JobContext) throws {
    self.context = context
    self.dates = dates
    rows = table.pairs.count
    let hours = context.job.departures?.hours.count ?? 1
    let axis = context.job.rowAxis
    content = RouteWriter.Content(
      hasSteps: task.hasSteps, hasShapes: task.hasSteps && task.hasShapes, axis: axis,
      hasTimes: axis.column != nil || context.job.tripTime != nil || !table.times.isEmpty,
      hasHeights: context.network.hasElevations, hasRides: dates != nil, hasFlows: task.hasFlows,
      named: task.reportRoutes)
    variants = try ([[]] + table.pairs.avoidances).map { avoids in
      let variant = try context.avoiding(avoids)
      return Variant(avoids: avoids, context: variant, networks: variant.timedNetworks)
    }
    // Rows with times are computed window by window, so chunks get more rows if there are many windows.
    let times = dates.map { dates in table.times.map { dates.hour(of: $0) } } ?? []
    let windows = Set(times.map(\.hour))
    chunks = Pipeline.chunks(
      of: rows, size: max(1, (content.hasSteps ? 512 : 4096) * min(16, max(1, windows.count / 4)) / hours))
    unitsPerRow = max(1, axis.count)
    labels =
      RouteJob.usesLabels(task, table, context.rows(ofChunks: chunks).count, in: context)
      ? Lazy { [network = context.network] in UpperLabels(network.hierarchy) } : nil
    let places = try variants.map { [chunks] variant in
      try variant.context.snap("places \(variant.avoids.rawValue)", table.places, for: chunks) { rows in
        Set(
          rows.flatMap { row in table.pairs.legs(of: row).flatMap { [Int($0.origin), Int($0.destination)] } }
        ).sorted()
      }
    }
    input = Releasable((table, places))
    let schedules = try Dictionary(uniqueKeysWithValues: windows.map { ($0, try dates!.schedule(in: $0)) })
    let first = schedules.min { $0.key < $1.key }
    let stops = try (context.transit ?? first?.value).map { try TransitStops($0, in: context) }
    // The tables of the service cover the trips of all pairs on the first date.
    let moments = times.filter { $0.hour.day == first?.key.day && $0.hour.isArrival == first?.key.isArrival }
    self.stops =
      context.transit == nil
      ? stops.map { $0.with($0.schedule.at(moments.map(\.milliseconds))) } : stops
    transit = stops.map { stops in
      Lazy {
        TransitTrips(
          stops, places[0].map(\.usableEnd), on: context.network, workers: context.workers, hours: schedules,
          memory: MemoryLimit(context.job.memory).bytes / 4)
      }
    }
  }

  func makeWorker() -> (Range<Int>) throws -> RouteWriter.Chunk {
    let worker = worker()
    return { try worker.compute($0) }
  }

  private func worker() -> RouteWorker {
    let searches = zip(variants, input.value.places).map { variant, places in
      RouteSearch(avoids: variant.avoids, places: places) { [labels, options = context.job.options] in
        let labels = variant.avoids.isEmpty ? labels?.value : nil
        return Router(variant.context.network, options, variant.networks, labels: labels)
      }
    }
    let order = context.job.departures.flatMap { departures in
      DepartureOrder(departures, on: variants[0].networks.network(at: departures.times[0]).graph.clock)
    }
    return RouteWorker(
      job: context.job, table: table, searches: searches, content: content, order: stops == nil ? order : nil,
      transit: transit.map { TransitTrips.Query($0.value) }, dates: dates,
      transitRoutes: stops.flatMap { content.hasSteps ? TransitRoutes($0) : nil },
      percentiles: PercentileTrips(context.job))
  }

  func makeWriter(_ store: ResultsStore) throws -> RouteWriter {
    try RouteWriter(
      store, content, counting: content.hasFlows ? context.network : nil, workers: context.workers)
  }

  func finish() { input.release() }

  /// A network with at least the job's avoidances.
  struct Variant: Sendable {
    /// The avoidances in addition to the job's.
    var avoids: Profile.Avoidance
    var context: JobContext
    var networks: TimedNetworks
  }

  /// Returns whether labels are worth their time and memory: if no row needs steps or a time, there are many rows
  /// compared with the network's states, and the labels take at most a quarter of the memory.
  private static func usesLabels(_ task: TripTask, _ table: PairTable, _ rows: Int, in context: JobContext) -> Bool {
    let states = context.network.hierarchy.stateCount
    let memory = UpperLabels.memory(stateCount: states, queries: context.workers)
    return !task.hasSteps && context.job.departures == nil && context.job.tripTime == nil && table.times.isEmpty
      && rows >= max(16_384, states / 10) && memory <= MemoryLimit(context.job.memory).bytes / 4
  }

  /// Estimates the cost from a sample of rows.
  func cost() throws -> JobCost {
    let ownRows = context.rows(ofChunks: chunks)
    var files = 0
    let worker = worker()
    let sample = try JobCost.sample(of: ownRows, by: 16, worker.compute) { chunk, seconds, rows in
      files += chunk.features?.bytes.count ?? 0
      return RouteJob.sample(chunk, content, seconds: seconds, rows: rows)
    }
    var cost = JobCost(sample, rows: ownRows.count, chunkRows: chunks.first?.count ?? 0, inputCost)
    if content.hasFlows { cost.memory += min(2 * context.network.streetCount, sample.bytes * ownRows.count / 100) * 32 }
    cost.memory += transit?.value.sharedMemory ?? 0
    cost.workerMemory = worker.memory + (transit?.value.workerMemory ?? 0)
    cost.tables = cost.disk * (sample.bytes - files) / max(1, sample.bytes)
    return cost
  }

  var inputCost: JobCost {
    // A pair stores its ends and usually its own id.
    .input(
      places: table.places.count, placeMemory: PairPlaces.placeMemory + variants.count * SnappedPlaces.placeMemory,
      memory: table.pairs.count * 16 + labelMemory)
  }

  private var labelMemory: Int {
    labels == nil
      ? 0 : UpperLabels.memory(stateCount: context.network.hierarchy.stateCount, queries: 0)
  }

  /// Returns the cost of a chunk's routes, including writing.
  static func sample(
    _ chunk: RouteWriter.Chunk, _ content: RouteWriter.Content, seconds: Double, rows: Int
  ) -> JobCost.Sample {
    let steps = chunk.routes.reduce(0) { $0 + $1.steps.count }
    let shapes = !content.hasShapes ? 0 : chunk.routes.reduce(0) { $0 + ($1.row.found?.route?.shape?.bytes.count ?? 0) }
    let features = chunk.features?.bytes.count ?? 0
    // Bytes of a row of each table, including indices; a blob leaves a twelfth of its pages empty.
    let row = (steps > 0 ? 200 : 90) + (content.axis.column == nil ? 0 : 32)
    let tables =
      chunk.routes.count * row + shapes * 13 / 12 + steps * (content.hasShapes ? 85 : 55)
      + (chunk.flows?.bytes.count ?? 0)
    // Seconds for writing and indexing.
    let writing = 1.2e-6 * Double(5 * chunk.routes.count + steps) + 1e-9 * Double(shapes + features)
    return JobCost.Sample(seconds: seconds + writing, rows: rows, bytes: tables + features)
  }

  var notes: [String] {
    let job = context.job
    if let dates { return dates.notes }
    guard !table.times.isEmpty else { return [] }
    return (job.hasSpeeds || job.tripTime != nil ? [] : ["rows with their own times: \(Job.freeFlowNote)"])
      + job.dateNotes(of: table.times.map(\.moment), on: context.network)
  }

  private var table: PairTable { input.value.table }
  /// The places, snapped to the streets of the job's network.
  private var places: SnappedPlaces { input.value.places[0] }
  var extent: (box: BoundingBox, reach: Double) { (BoundingBox(around: places), 0) }

  var placeRows: PlaceRows { PlaceRows(table.places, places, on: context.network) }
  var idsAreNumbers: Bool { table.idsAreNumbers }

  func tables(_ types: SQLTypes) -> String {
    RouteResults.creation(types, content) + RouteResults.od(content.axis).creation
      + View.diagnosis(rows: "route", content.axis.column).creation
  }
}

/// A large value shared by threads, which can be freed before its owners are.
final class Releasable<Value: Sendable>: Sendable {
  private let stored: Mutex<Value?>

  init(_ value: Value) { stored = Mutex(value) }

  var value: Value {
    guard let value = stored.withLock({ $0 }) else { preconditionFailure("the value has been released") }
    return value
  }

  func release() { stored.withLock { $0 = nil } }
}

/// The router and snapped places for pairs with the same avoidances.
final class RouteSearch {
  /// The avoidances in addition to the job's.
  let avoids: Profile.Avoidance
  let places: SnappedPlaces
  /// Created when the first pair needs it.
  var router: Router {
    if let created { return created }
    let router = makeRouter()
    created = router
    return router
  }
  private var created: Router?
  private let makeRouter: () -> Router

  /// The bytes of the searches so far.
  var memory: Int { created?.memory ?? 0 }

  init(avoids: Profile.Avoidance, places: SnappedPlaces, makeRouter: @escaping () -> Router) {
    (self.avoids, self.places, self.makeRouter) = (avoids, places, makeRouter)
  }
}
