import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables
import TransitNetwork

/// A worker that finds the stations nearest to the origins of a chunk, at each hour if the job has hours. One worker
/// per thread.
final class AccessWorker {
  private let search: AccessSearch
  private let places: AccessPlaces
  private let hourly: HourlyNearest?
  private let axis: RowAxis
  private let features = FeatureList()
  private let routeFeatures = FeatureList()
  private lazy var router = search.makeRouter()

  /// - Parameter sums: The initial, empty sums; nil in a job without hours.
  init(_ search: AccessSearch, _ places: AccessPlaces, _ sums: ServiceSums?) {
    self.search = search
    self.places = places
    axis = search.job.rowAxis
    hourly = search.hours.flatMap { hours in sums.map { HourlyNearest(search, hours, places, $0) } }
  }

  /// The bytes of the searches so far.
  var memory: Int { search.task.hasRoutes ? router.memory : 0 }

  /// The nearest stations of an origin in one of its rows; `row` is nil if the job has a single row.
  struct Answer {
    var origin: Int
    var row: Int?
    /// The index of the hour of the trip to the nearest station; nil in a job without hours.
    var hour: Int?
    var status: RowStatus
    var nearest: [NearestTable.Found]
  }

  /// *Throws*: `OdometerError`.
  func compute(_ origins: Range<Int>) throws -> AccessWriter.Chunk {
    let (answers, sums) = try answers(to: origins)
    var rows: [AccessRow] = []
    rows.reserveCapacity(answers.count * search.task.nearest)
    var text = TextBuffer()
    for answer in answers {
      let number = answer.row.map { axis.numbers[$0] }
      let first = rows.count
      if answer.nearest.isEmpty {
        rows.append(AccessRow(origin: answer.origin, departure: number, rank: 0, status: answer.status, found: nil))
      }
      for (rank, found) in answer.nearest.enumerated() {
        let row = AccessRow.Found(
          station: search.entrances[found.target].station, entrance: search.entrances[found.target].separate,
          milliseconds: found.weight.milliseconds,
          centimetres: search.job.transit == nil ? found.weight.centimetres : nil)
        rows.append(AccessRow(origin: answer.origin, departure: number, rank: rank + 1, status: .ok, found: row))
      }
      features.append(&text) { $0.append(rows[first], axis, at: answer.row, places) }
    }
    var chunk = AccessWriter.Chunk()
    (chunk.rows, chunk.nearest, chunk.features) = (origins.count, rows, features.finishBlock())
    if search.task.hasRoutes { chunk.routes = routes(origins, answers) }
    chunk.sums = sums
    return chunk
  }

  /// Returns the answers, ordered by origin, then hour or percentile, and the sums.
  private func answers(to origins: Range<Int>) throws -> (answers: [Answer], sums: ServiceSums?) {
    switch search.engine {
    case .table(let table, let unlimited):
      let answers = origins.map { origin in
        let place = search.origins[origin]
        let nearest = place.usableEnd.map(table.nearest) ?? []
        let status = place.status(nearest) { unlimited?.nearest(to: $0).isEmpty == false }
        return Answer(origin: origin, row: nil, hour: nil, status: status, nearest: nearest)
      }
      return (answers, nil)
    case .hours:
      guard let found = try hourly?.compute(origins) else { preconditionFailure("a job with hours has sums") }
      return found
    }
  }

  /// Returns the routes between origins and their nearest stations, in the format of kind `routes`; the id of a pair is
  /// the origin's.
  private func routes(_ origins: Range<Int>, _ answers: [Answer]) -> RouteWriter.Chunk {
    var written: [RouteWriter.Answer] = []
    var phrases = ChunkPhrases()
    var text = TextBuffer(capacity: 1 << 16)
    for answer in answers {
      let hour = answer.hour.flatMap { search.hours?.departures.hours[$0] }
      guard let found = answer.nearest.first, let end = search.origins[answer.origin].usableEnd,
        let entranceEnd = search.entrances[found.target].end,
        let route = search.route(end, entranceEnd, at: hour, router)
      else { continue }
      precondition(route.weight == found.weight, "the nearest station's trip differs from its route")
      let entrance = search.entrances[found.target]
      let (origin, station) = (places.origins[answer.origin], places.stations[entrance.station])
      let isTo = search.task.reach.direction == .toTargets
      var row = RouteRow(
        pair: origin.id, origin: isTo ? origin.id : station.id, destination: isTo ? station.id : origin.id, group: nil,
        status: .ok, transportType: route.transportType.rawValue,
        straightLineCentimetres: TripEnd.straightLine(end, entranceEnd), found: RouteRow.Found(route))
      if let hour = answer.hour, let departures = search.hours?.departures {
        row.setHour(hour, of: departures, number: answer.row.map { axis.numbers[$0] })
      }
      if search.job.writesLinks {
        let stationEnd = entrance.separate.map { places.entrances[$0] } ?? station
        let (from, to) = isTo ? (origin, stationEnd) : (stationEnd, origin)
        row.link = search.job.link(from: from.coordinate, to: to.coordinate)
      }
      written.append(.init(row: row, steps: phrases.rows(of: route.steps, in: row, hasGeometry: true)))
      routeFeatures.append(&text) { $0.append(row, axis.column, shape: route.polyline) }
    }
    var chunk = RouteWriter.Chunk()
    (chunk.rows, chunk.routes, chunk.phrases) = (origins.count, written, phrases.rows)
    chunk.features = routeFeatures.finishBlock()
    return chunk
  }
}

extension SnappedPlace {
  /// Returns the status of an origin: ok, or the reason why it has no station.
  fileprivate func status(_ nearest: [NearestTable.Found], reachesAny: (TripEnd) -> Bool) -> RowStatus {
    guard nearest.isEmpty else { return .ok }
    guard let end = usableEnd else { return status }
    return reachesAny(end) ? .beyondLimit : .directionsNotFound
  }
}

/// A search for the stations nearest to origins at each hour, and for the catchments of stations and lines, both from the
/// same matrix cells. One object per thread.
final class HourlyNearest {
  private let search: AccessSearch
  private let places: AccessPlaces
  private let hours: AccessHours
  private let fill: (Range<Int>) -> AccessHours.Cells
  private let order: DepartureOrder?
  /// Nil if each hour has a row.
  private let percentiles: PercentileTrips?
  private let stationsOfServices: [[Int]]
  private let counts: [Int64]
  /// In milliseconds.
  private let thresholds: [UInt32]
  private let empty: ServiceSums

  init(_ search: AccessSearch, _ hours: AccessHours, _ places: AccessPlaces, _ empty: ServiceSums) {
    (self.search, self.hours, self.places, self.empty) = (search, hours, places, empty)
    fill = hours.makeFill()
    order = hours.order
    percentiles = PercentileTrips(search.job)
    stationsOfServices = places.servingStations
    counts = places.counts()
    thresholds = search.task.reach.thresholds.map { UInt32($0) * 1000 }
  }

  /// Computes the answers, ordered by origin, then hour or percentile of the time to each station, and the sums.
  /// `NearestTable` would find the same nearest stations. *Throws*: `OdometerError`.
  func compute(_ origins: Range<Int>) throws -> (answers: [AccessWorker.Answer], sums: ServiceSums) {
    let cells = fill(origins)
    var (answers, sums): ([AccessWorker.Answer], ServiceSums) = ([], empty)
    answers.reserveCapacity(origins.count * hours.departures.hours.count)
    for origin in origins {
      if let order, origin % DepartureOrder.interval == 0 { try check(order, origin, cells) }
      let atHours = hours.departures.hours.indices.map { hour in
        search.entrancesOfStations.map { entrances in
          entrances.lazy.map { entrance in
            NearestTable.Found(weight: cells.weight(origin: origin, hour: hour, entrance: entrance), target: entrance)
          }.min() ?? NearestTable.Found(weight: .infinity, target: 0)
        }
      }
      let hoursOfStations = percentiles.map { percentiles in
        search.entrancesOfStations.indices.map { station in
          percentiles.hours(of: atHours.map { $0[station].weight.isFinite ? $0[station].weight.milliseconds : nil })
        }
      }
      for row in percentiles?.percentiles.indices ?? atHours.indices {
        let found =
          hoursOfStations.map { hours in
            hours.enumerated().map { station, hours in atHours[hours[row]][station] }
          } ?? atHours[row]
        let nearest = nearest(of: found)
        let first = nearest.first.map { search.entrances[$0.target].station }
        let status = search.origins[origin].status(nearest) { _ in
          // Transit trips beyond the limit are not searched for.
          search.job.transit != nil || found.contains { $0.weight.isFinite }
        }
        answers.append(
          .init(
            origin: origin, row: row, hour: first.flatMap { hoursOfStations?[$0][row] } ?? row, status: status,
            nearest: nearest))
        count(origin, row, found, in: &sums)
      }
    }
    return (answers, sums)
  }

  /// Returns the nearest stations within the limit.
  private func nearest(of stations: [NearestTable.Found]) -> [NearestTable.Found] {
    let limit = search.task.limit ?? Weight.infinity.milliseconds - 1
    var nearest: [NearestTable.Found] = []
    for found in stations where found.weight.milliseconds <= limit {
      if nearest.count == search.task.nearest {
        guard let last = nearest.last, found < last else { continue }
        nearest.removeLast()
      }
      nearest.insert(found, at: nearest.firstIndex { found < $0 } ?? nearest.count)
    }
    return nearest
  }

  /// Adds an origin to the sums of every service within a threshold, even if another station is nearer.
  private func count(_ origin: Int, _ row: Int, _ stations: [NearestTable.Found], in sums: inout ServiceSums) {
    let width = places.measures.count
    let counted = counts[origin * width..<(origin + 1) * width]
    for (service, members) in stationsOfServices.enumerated() {
      let time = members.reduce(Weight.infinity.milliseconds) { min($0, stations[$1].weight.milliseconds) }
      guard let threshold = thresholds.firstIndex(where: { time <= $0 }) else { continue }
      sums.add(counted, hour: row, service: service, threshold: threshold)
    }
  }

  private func check(_ order: DepartureOrder, _ origin: Int, _ cells: AccessHours.Cells) throws {
    for (index, entrance) in search.entrances.enumerated() {
      let times = hours.departures.hours.indices.map {
        cells.weight(origin: origin, hour: $0, entrance: index).milliseconds
      }
      let (place, station) = (places.origins[origin].id, places.stations[entrance.station].id)
      let isTo = search.task.reach.direction == .toTargets
      try order.check(
        times, missing: Weight.infinity.milliseconds, from: isTo ? place : station, to: isTo ? station : place)
    }
  }
}

/// The trips between the origins and the entrances of an access job at each of its hours, as cells of an hourly matrix,
/// computed for some origins at a time. Immutable and shared by all threads.
struct AccessHours: Sendable {
  let departures: Departures
  private let task: AccessTask
  /// For trips to the stations, the rows are origins. For trips from the stations, the rows are entrances, and the
  /// columns are some origins at a time.
  private let matrix: any MatrixEngine
  private let origins: [TripEnd?]
  private let entranceCount: Int

  init(
    _ task: AccessTask, _ origins: [TripEnd?], _ entrances: [TripEnd?], at departures: Departures,
    by stops: TransitStops?, in context: JobContext
  ) {
    (self.departures, self.task, self.origins, entranceCount) = (departures, task, origins, entrances.count)
    let (from, to) = task.reach.direction == .toTargets ? (origins, entrances) : (entrances, [])
    matrix = context.matrix(from: from, to: to, by: stops, distances: true)
  }

  /// A check of the order of an origin's times; nil if they need not be ordered.
  var order: DepartureOrder? { matrix.clock.flatMap { DepartureOrder(departures, on: $0) } }

  private var leadsToStations: Bool { task.reach.direction == .toTargets }

  /// Whether searches start at origins instead of stations: at the side whose time is fixed.
  private var searchesOrigins: Bool { leadsToStations != departures.isArrival }

  /// The number of origins computed together: enough to fill all lanes if searches start at origins; as many as fit
  /// into memory if they start at stations, since every block repeats the searches. Depends only on the job, never on
  /// the machine, so that runs can be resumed and sharded.
  var chunkRows: Int {
    if let matrix = matrix as? TransitMatrix { return matrix.blockSize }
    // A row of the results takes as much memory as eight cells.
    let cells = departures.hours.count * (entranceCount + 8 * task.nearest)
    let fittingRows = (searchesOrigins ? 1 << 22 : 1 << 24) / cells / LaneTable.lanes * LaneTable.lanes
    let rows = searchesOrigins ? min(fittingRows, AccessHours.maximumOrigins) : fittingRows
    return max(LaneTable.lanes, task.hasRoutes ? min(rows, AccessHours.maximumOrigins / departures.hours.count) : rows)
  }

  private static let maximumOrigins = 512

  private var chunkCount: Int { (origins.count + chunkRows - 1) / chunkRows }

  var explanation: String {
    guard matrix is HourlyMatrix else { return matrix.explanation }
    return matrix.explanation
      + (searchesOrigins
        ? "; searched from the origins" : "; searched from the stations, for \(chunkRows) origins at a time")
  }

  /// The expected seconds for all cells on one core.
  var seconds: Double {
    guard let matrix = matrix as? HourlyMatrix else { return matrix.seconds }
    guard searchesOrigins else { return matrix.seconds(from: entranceCount) * Double(chunkCount) }
    return leadsToStations ? matrix.seconds : matrix.seconds(from: origins.count)
  }

  /// The bytes of working memory per thread; `sharedMemory` is shared by all threads.
  var memory: Int { matrix.workerMemory + min(chunkRows, origins.count) * departures.hours.count * entranceCount * 8 }
  var sharedMemory: Int { matrix.sharedMemory }

  /// Returns a function that computes the cells of some origins on one thread. The cells are valid until its next call.
  func makeFill() -> (Range<Int>) -> Cells {
    let hours = departures.hours.count
    guard !leadsToStations else {
      let fill = matrix.makeFill()
      return { Cells(block: fill($0), first: $0.lowerBound, hours: hours, rowsAreOrigins: true) }
    }
    guard let matrix = matrix as? HourlyMatrix else { preconditionFailure("transit trips lead to stations") }
    return { [origins, entranceCount] chunk in
      let block = matrix.to(Array(origins[chunk])).makeFill()(0..<entranceCount)
      return Cells(block: block, first: chunk.lowerBound, hours: hours, rowsAreOrigins: false)
    }
  }

  /// The trips of some origins.
  struct Cells {
    fileprivate let block: MatrixBlock
    fileprivate let first: Int
    fileprivate let hours: Int
    fileprivate let rowsAreOrigins: Bool

    /// Returns the weight of a trip; infinite if there is none.
    func weight(origin: Int, hour: Int, entrance: Int) -> Weight {
      rowsAreOrigins
        ? block.weight(row: (origin - first) * hours + hour, column: entrance)
        : block.weight(row: entrance * hours + hour, column: origin - first)
    }
  }
}
