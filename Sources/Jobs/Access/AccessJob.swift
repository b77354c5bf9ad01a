import Geography
import Hierarchy
import Input
import OpeningHours
import Routing
import StreetNetwork
import Tables
import TransitNetwork

/// A prepared job of kind `access`: computes the stations nearest to each origin and the shares within each threshold,
/// at each hour in a job with hours.
///
/// `AccessTask.read` reads origins and stations and snaps them, `AccessSearch` decides the size of chunks,
/// `AccessWorker` computes a chunk, and `AccessWriter` writes it. Without hours, the catchments of stations and lines are
/// computed at the end (`services`).
struct AccessJob: PreparedJob {
  typealias Writer = AccessWriter
  private let context: JobContext
  private let places: AccessPlaces
  private let ends: Ends
  private let task: AccessTask
  let stops: TransitStops?
  private let lazySearch: Lazy<AccessSearch>
  /// The origins of this part of the job, prepared for searches from stations. Preparing them takes as long as many
  /// searches.
  private let lazyOrigins: Lazy<ReachedPlaces>
  private let content: AccessWriter.Content
  /// The initial, empty sums.
  private let sums: ServiceSums
  /// The origins' polygons; empty if they are points.
  let areas: [BackdropRow]

  /// The snapped origins, stations and entrances; a station without separate entrances is its own entrance.
  typealias Ends = (origins: SnappedPlaces, stations: SnappedPlaces, entrances: SnappedPlaces)

  init(
    _ task: AccessTask, _ places: AccessPlaces, _ ends: Ends, _ entrances: [StationTable.Entrance],
    areas: BackdropRow?, by stops: TransitStops?, in context: JobContext
  ) throws {
    self.stops = stops
    (self.task, self.places, self.ends, self.context) = (task, places, ends, context)
    self.areas = [areas].compactMap(\.self)
    lazySearch = Lazy {
      AccessSearch(task, ends, entrances, stationCount: places.stations.count, by: stops, in: context)
    }
    lazyOrigins = Lazy { [search = lazySearch] in
      search.value.reachedOrigins(context.rows(ofChunks: AccessJob.chunks(of: places, search.value)))
    }
    content = AccessWriter.Content(
      thresholds: task.reach.thresholds, limit: task.limit, hasRoutes: task.hasRoutes, axis: context.job.rowAxis,
      departures: context.job.departures?.rows ?? [], hasHeights: context.network.hasElevations)
    sums = content.sums(of: places)
    if context.job.departures != nil, sums.serviceMemory > ServiceSums.maximumServiceMemory {
      throw OdometerError(
        "the sums of stations for \(content.hours.count) \(content.axis.unit) take "
          + "\(MemoryLimit.text(sums.serviceMemory)), expected at most "
          + "\(MemoryLimit.text(ServiceSums.maximumServiceMemory)); use fewer \(content.axis.unit), thresholds or "
          + "weights",
        cause: .output)
    }
  }

  /// Created on first use, since a merge of shards needs no search.
  private var search: AccessSearch { lazySearch.value }

  private static func chunks(of places: AccessPlaces, _ search: AccessSearch) -> [Range<Int>] {
    Pipeline.chunks(of: places.origins.count, size: search.chunkRows)
  }

  var chunks: [Range<Int>] { AccessJob.chunks(of: places, search) }

  func makeWorker() -> (Range<Int>) throws -> AccessWriter.Chunk {
    let worker = worker()
    return { try worker.compute($0) }
  }

  func makeWriter(_ store: ResultsStore) throws -> AccessWriter { try AccessWriter(store, places, content) }

  func cost() throws -> JobCost { try search.hours.map { cost(of: $0) } ?? costOfSample() }

  /// Estimates the cost from a sample of rows.
  private func costOfSample() throws -> JobCost {
    let ownRows = context.rows(ofChunks: chunks)
    let worker = worker()
    let sample = try JobCost.sample(of: ownRows, by: task.hasRoutes ? 8 : 64, worker.compute) { chunk, seconds, rows in
      var sample = JobCost.Sample(
        seconds: seconds + 3e-6 * Double(chunk.nearest.count), rows: rows,
        bytes: chunk.nearest.count * 42 + rows * (places.measures.count - 1) * 49 + chunk.features.bytes.count)
      if let routes = chunk.routes.map({ RouteJob.sample($0, content.routeContent, seconds: 0, rows: rows) }) {
        sample.seconds += routes.seconds
        sample.bytes += routes.bytes
      }
      return sample
    }
    var cost = JobCost(sample, rows: ownRows.count, chunkRows: search.chunkRows, inputCost)
    cost.memory += context.network.states.arcs.stateCount * (task.nearest + 1) * 12
    // Catchments are computed after the rows.
    cost.workerMemory = max(
      worker.memory, places.servingStations.isEmpty ? 0 : TripReachQuery.memory(of: context.network))
    cost.seconds += try serviceSeconds()
    cost.disk += sums.count * 70
    return cost
  }

  /// Estimates the CPU seconds for the catchments of all stations and lines from a few of them.
  private func serviceSeconds() throws -> Double {
    let services = places.servingStations.count
    guard services > 0 else { return 0 }
    let origins = lazyOrigins.value
    func seconds(_ count: Int) throws -> Double {
      let step = max(1, services / count)
      let spent = ProcessUse.Stopwatch()
      _ = try search.services(
        of: places, from: origins, sums, workers: 1, only: Array(stride(from: 0, to: services, by: step).prefix(count)))
      return spent.cpuSeconds
    }
    let added = min(8, max(1, services / 16))
    let (single, sample) = (try seconds(1), try seconds(added + 1))
    return sample + max(0, sample - single) / Double(added) * Double(max(0, services - added - 1))
  }

  var inputCost: JobCost { .input(places: places.count) }

  /// Estimates the cost from the plan of the matrix instead of a sample.
  private func cost(of hours: AccessHours) -> JobCost {
    let answers = places.origins.count * content.hours.count
    let rows = answers * min(task.nearest, places.stations.count)
    // Bytes of a table row with its index entry, of a feature, and of a route with its steps and shape.
    let bytes = rows * 60 + answers * (60 + (task.hasRoutes ? 6000 : 0))
    // The cells are freed before the results are sealed.
    let worker = hours.memory + (task.hasRoutes ? Router.timedMemory(on: context.network) : 0)
    let sealing = max(0, content.sealMemory(of: places) - context.workers * worker)
    let seconds =
      hours.seconds + 1.5e-6 * Double(rows + sums.count) + (task.hasRoutes ? 1.5e-3 : 2e-6) * Double(answers)
    let share = min(1, Double(hours.chunkRows) / Double(max(1, places.origins.count)))
    let total = JobCost(
      seconds: seconds, memory: hours.sharedMemory + sealing + sums.memory, workerMemory: worker,
      chunkMemory: Int(share * Double(bytes)) * 2 + sums.memory, disk: bytes + sums.memory + sums.count * 60,
      places: places.count)
    return total.share(context.rows(ofChunks: chunks).count, of: self.rows)
  }

  var rows: Int { places.origins.count }
  var unitsPerRow: Int { content.hours.count }

  var extent: (box: BoundingBox, reach: Double) { (BoundingBox(around: ends.origins), 0) }
  var explanation: String? { search.hours.map { "engine: \($0.explanation)" } }

  var placeRows: PlaceRows { PlaceRows(places.all) }
  var idsAreNumbers: Bool { places.all.allSatisfy(\.id.isNumber) }

  func tables(_ types: SQLTypes) -> String {
    AccessResults.creation(types, content.axis)
      + (content.hasRoutes ? RouteResults.creation(types, content.routeContent) : "")
  }

  func writeRows(to database: SQLite) throws { try database.insert(places.weightRows, into: AccessResults.weights) }

  private func worker() -> AccessWorker {
    AccessWorker(search, places, context.job.departures == nil ? nil : sums)
  }

  var emptyServices: ServiceSums? { sums }

  /// Returns the catchments of stations and lines; in a job with hours, the chunks contain them.
  func services() throws -> ServiceSums? {
    guard context.job.departures == nil else { return sums }
    return try search.services(of: places, from: lazyOrigins.value, sums, workers: context.workers)
  }
}

/// The shared data of workers: snapped places, and the search for the nearest stations. Immutable.
struct AccessSearch: Sendable {
  let network: StreetNetwork
  let job: Job
  let task: AccessTask
  let origins: SnappedPlaces
  let entrances: [Entrance]
  /// The indices of each station's entrances.
  let entrancesOfStations: [[Int]]
  let engine: Engine
  private let networks: TimedNetworks
  private let time: LocalTime?

  /// The search for the nearest stations.
  enum Engine {
    /// A search from any place; `unlimited` also finds stations beyond the limit, and is nil without a limit.
    case table(TripNearest, unlimited: TripNearest?)
    /// A search at each hour of the job.
    case hours(AccessHours)
  }

  struct Entrance: Sendable {
    /// The station's index.
    var station: Int
    /// The entrance's index among separate entrances; nil if the station has none.
    var separate: Int?
    var end: TripEnd?
  }

  init(
    _ task: AccessTask, _ ends: AccessJob.Ends, _ entrances: [StationTable.Entrance], stationCount: Int,
    by stops: TransitStops?, in context: JobContext
  ) {
    // Without hours, the closures at a single instant apply.
    let network = context.job.departures == nil ? context.network.slowed(at: context.job.localTime) : context.network
    (self.network, job, self.task, origins) = (network, context.job, task, ends.origins)
    var separateCount = 0
    var found: [Entrance] = []
    var ofStations = [[Int]](repeating: [], count: stationCount)
    for (entrance, end) in zip(entrances, ends.entrances) {
      let isSeparate = entrance.place.role == .entrance
      ofStations[entrance.station].append(found.count)
      found.append(Entrance(station: entrance.station, separate: isSeparate ? separateCount : nil, end: end.usableEnd))
      if isSeparate { separateCount += 1 }
    }
    (self.entrances, entrancesOfStations) = (found, ofStations)
    let time = context.job.localTime
    self.time = time
    networks = context.timedNetworks
    if let departures = context.job.departures {
      engine = .hours(
        AccessHours(task, ends.origins.map(\.usableEnd), found.map(\.end), at: departures, by: stops, in: context))
      return
    }
    func table(count: Int, within limit: UInt32) -> TripNearest {
      TripNearest(
        network, task.reach.direction, to: found.map(\.end), groups: found.map { UInt32($0.station) },
        count: count, within: limit, at: time)
    }
    engine = .table(
      table(count: task.nearest, within: task.limit ?? Weight.infinity.milliseconds - 1),
      unlimited: task.limit.map { _ in table(count: 1, within: Weight.infinity.milliseconds - 1) })
  }

  /// The trips at each hour; nil in a job without hours.
  var hours: AccessHours? { if case .hours(let hours) = engine { hours } else { nil } }

  var chunkRows: Int { hours?.chunkRows ?? (task.hasRoutes ? 512 : 8192) }

  func makeRouter() -> Router { Router(network, job.options, networks) }

  /// Returns the route between an origin and an entrance, at an hour in a job with hours.
  func route(_ origin: TripEnd, _ entrance: TripEnd, at hour: Departures.Hour?, _ router: Router) -> Route? {
    let (from, to) = task.reach.direction == .toTargets ? (origin, entrance) : (entrance, origin)
    return hour.map { router.route(from: from, to: to, at: $0.time) }
      ?? router.route(from: from, to: to, frozenAt: time)
  }
}

extension AccessSearch {
  /// Prepares some origins for searches from stations.
  func reachedOrigins(_ origins: Range<Int>) -> ReachedPlaces {
    ReachedPlaces(
      network, task.reach.direction,
      self.origins.enumerated().map { origins.contains($0) ? $1.usableEnd : nil }, at: time)
  }

  /// Returns the catchments of services (stations, then lines) among some origins, in the order of
  /// `AccessPlaces.servingStations`. Every origin within a threshold counts, even if another station is nearer.
  ///
  /// - Parameters:
  ///   - empty: The initial, empty sums.
  ///   - selection: The services to compute; nil for all.
  func services(
    of places: AccessPlaces, from origins: ReachedPlaces, _ empty: ServiceSums, workers: Int,
    only selection: [Int]? = nil
  ) throws -> ServiceSums {
    let thresholds = task.reach.thresholds.map { UInt32($0) * 1000 }
    let (counts, width) = (places.counts(), places.measures.count)
    var services = empty
    let stations = places.servingStations
    try Pipeline.run(
      selection ?? Array(stations.indices), workers: workers,
      makeWorker: {
        let query = ReachedPlaces.Query(origins)
        return { service -> (Int, [Int64]) in
          var sums = [Int64](repeating: 0, count: thresholds.count * width)
          let ends = stations[service].flatMap { entrancesOfStations[$0] }.compactMap { entrances[$0].end }
          query.forEachPlace(around: ends, within: thresholds.last ?? 0) { origin, weight in
            guard let first = thresholds.firstIndex(where: { weight.milliseconds <= $0 }) else { return }
            for measure in 0..<width { sums[first * width + measure] += counts[origin * width + measure] }
          }
          return (service, sums)
        }
      }, write: { for (service, sums) in $0 { services.add(sums, to: service) } })
    return services
  }
}
