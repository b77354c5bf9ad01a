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
  let part: JobPart
  private let coverage: Coverage?

  /// *Throws*: `CoverageError`, and what reading speeds throws.
  init(_ job: Job, on network: StreetNetwork, workers: Int, _ part: JobPart) throws {
    (self.job, self.network, self.workers, self.part) = (job, network, workers, part)
    speeds = try job.speeds.speeds(on: network, for: job.departures)
    coverage = try job.coverage.map { try Coverage(path: $0) }
  }

  /// The network as slow, and as open, as it is on a day; on a typical one where it is nil.
  func timed(on day: LocalTime?) -> TimedNetwork { TimedNetwork(network, speeds?.speeds, on: day) }

  /// The rows of chunks that are computed: all, or a shard's.
  func rows(ofChunks chunks: [Range<Int>]) -> Range<Int> { part.shard?.rows(ofChunks: chunks) ?? 0..<chunks.rowCount }

  /// Every place on its street, in the order of `places`.
  ///
  /// - Parameters:
  ///   - chunks: Of the job's rows; nil where every shard snaps all places.
  ///   - isNeeded: Of rows, and then of each place by its index, whether they depend on its street. Others have none in a
  ///     shard.
  func snap(
    _ places: some Collection<InputPlace>, for chunks: [Range<Int>]? = nil,
    where isNeeded: (Range<Int>) -> (Int) -> Bool = { _ in { _ in true } }
  ) throws -> [SnappedPlace] {
    switch part {
    case .whole: return try snapped(places) { _ in true }
    case .shard(let shard, let journal):
      let isNeeded = chunks.map { isNeeded(shard.rows(ofChunks: $0)) } ?? { _ in true }
      let snapped = try snapped(places, where: isNeeded)
      // What all shards have is in the first one's journal.
      let isKept = chunks != nil || shard.index == 0
      journal.append(isKept ? snapped.indices.lazy.filter(isNeeded).map { snapped[$0] } : [])
      return snapped
    case .merge(let shards, let list):
      let number = list.next()
      var snapped = [SnappedPlace](repeating: SnappedPlace(), count: places.count)
      let coordinates = places.map(\.coordinate)
      for file in chunks == nil ? Array(shards.files.prefix(1)) : shards.files {
        let isNeeded = chunks.map { isNeeded(file.header.shard.rows(ofChunks: $0)) } ?? { _ in true }
        let indices = snapped.indices.filter(isNeeded)
        let found = try file.places(number) { try SnapJournal.places($0, at: indices.map { coordinates[$0] }) }
        for (index, place) in zip(indices, found) { snapped[index] = place }
      }
      return snapped
    }
  }

  /// Each different point is looked up once.
  private func snapped(
    _ places: some Collection<InputPlace>, where isNeeded: (Int) -> Bool
  ) throws -> [SnappedPlace] {
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
