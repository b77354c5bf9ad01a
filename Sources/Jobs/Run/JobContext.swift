import Geography
import Results
import Routing
import StreetNetwork

/// What a job is prepared on: its network, its coverage and its threads.
struct JobContext: Sendable {
  let job: Job
  let network: StreetNetwork
  let workers: Int
  /// Nil for free flow at all hours.
  let speeds: JobSpeeds?
  /// What of the job is computed; nil for all.
  let shard: Shard?
  private let coverage: Coverage?

  /// *Throws*: `CoverageError`, and what reading speeds throws.
  init(_ job: Job, on network: StreetNetwork, workers: Int, shard: Shard? = nil) throws {
    (self.job, self.network, self.workers, self.shard) = (job, network, workers, shard)
    speeds = try job.speeds.speeds(on: network, for: job.departures)
    coverage = try job.coverage.map { try Coverage(path: $0) }
  }

  /// The network as slow, and as open, as it is on a day; on a typical one where it is nil.
  func timed(on day: LocalTime?) -> TimedNetwork { TimedNetwork(network, speeds?.speeds, on: day) }

  /// The rows of chunks that are computed: all, or a shard's.
  func rows(ofChunks chunks: [Range<Int>]) -> Range<Int> {
    let own = chunks[shard?.range(of: chunks.count) ?? chunks.indices]
    return (own.first?.lowerBound ?? 0)..<(own.last?.upperBound ?? 0)
  }

  /// Every place on its street, in the order of `places`; each different point is looked up once.
  ///
  /// - Parameter isNeeded: Of each place, by its index, whether anything depends on its street: others have none.
  func snap(_ places: some Collection<InputPlace>, where isNeeded: (Int) -> Bool = { _ in true }) throws -> [SnappedPlace] {
    var points = Interner<FixedCoordinate>()
    let indices = places.enumerated().map { isNeeded($0) ? points.index(of: $1.coordinate) : nil }
    let isInside = coverage?.area.contains(points.values.map(\.coordinate))
    var snapped = try JobContext.located(points.values, on: network, job.options, workers: workers) { router, places in
      zip(places, router.ends(at: places)).map { place, end in
        SnappedPlace(end: end, passedSize: router.passedIsland(at: place, end)?.size)
      }
    }
    if let isInside { for index in snapped.indices { snapped[index].isOutside = !isInside[index] } }
    return indices.map { $0.map { snapped[$0] } ?? SnappedPlace() }
  }

  /// Points snapped to streets, in their order.
  static func ends(
    at points: [FixedCoordinate], on network: StreetNetwork, _ options: Directions.Options, workers: Int
  ) throws -> [TripEnd?] {
    try located(points, on: network, options, workers: workers) { $0.ends(at: $1) }
  }

  /// What routers say of points, in their order.
  private static func located<Found: Sendable>(
    _ points: [FixedCoordinate], on network: StreetNetwork, _ options: Directions.Options, workers: Int,
    _ find: @escaping @Sendable (Router, [Coordinate]) -> [Found]
  ) throws -> [Found] {
    var found: [Found] = []
    found.reserveCapacity(points.count)
    let size = max(1024, (points.count + workers - 1) / workers)
    try Pipeline.run(
      Pipeline.chunks(of: points.count, size: size), workers: workers,
      makeWorker: {
        let router = Router(network, options)
        return { part in find(router, points[part].map(\.coordinate)) }
      },
      write: { found += $0.joined() })
    return found
  }

  /// The places as rows of their table.
  func rows(of places: some Collection<InputPlace>, _ snapped: [SnappedPlace]) -> [PlaceRow] {
    // Streets that are alike share their label, and making one costs more than all else.
    var labels: [UInt32: String] = [:]
    return zip(places, snapped).map { place, snapped in
      let label = snapped.end.map { end -> String in
        let attributes = network.street(end.snap.street).attributes
        if let known = labels[attributes] { return known }
        let label = network.label(of: end.snap.street)
        labels[attributes] = label
        return label
      }
      return PlaceRow(
        id: place.id, role: place.role, name: place.name, coordinate: place.coordinate,
        snapped: snapped.end?.snap.point, snapDistance: snapped.end.map { ($0.snap.distance * 100).rounded() / 100 },
        street: label, componentSize: snapped.end.map { network.componentSize(of: $0.snap.street) },
        passedComponentSize: snapped.passedSize, status: snapped.status, weight: place.weight)
    }
  }
}

/// A place of the input on its street.
struct SnappedPlace: Sendable {
  /// Nil where no street is near enough.
  var end: TripEnd?
  /// The streets of the island that it was snapped past, if it was.
  var passedSize: Int?
  /// Whether it lies outside of the job's coverage.
  var isOutside = false

  var status: RowStatus { isOutside ? .outsideCoverage : end == nil ? .placemarkNotFound : .ok }
  /// Where trips start or end; nil where none may.
  var usableEnd: TripEnd? { isOutside ? nil : end }
}
