import Geography
import Input
import OpeningHours
import Routing
import StreetNetwork
import Tables
import TransitNetwork

/// The context of a job's preparation: its network, coverage and threads.
package struct JobContext: Sendable {
  let job: Job
  let network: StreetNetwork
  let workers: Int
  /// The speeds by hour; nil for free flow at all hours.
  let speeds: JobSpeeds?
  /// The timetable of the feeds; nil in a job without transit.
  let feeds: FeedTimetable?
  /// The timetable at the job's departures; nil in a job without transit, or if rows have their own times.
  let transit: TransitSchedule?
  let part: JobPart
  private let coverage: Coverage?
  /// Whether additional networks for rows may be built: false in a dry run.
  private let buildsNetworks: Bool
  /// Resources used for the job since its network was opened.
  let spent: ProcessUse.Stopwatch

  /// - Parameters:
  ///   - cache: The folder for timetable files; the first feed's folder if nil.
  ///   - note: Called with a sentence before feeds are read.
  /// - Throws: `OdometerError`, and errors from reading speeds and feeds.
  init(
    _ job: Job, on network: StreetNetwork, workers: Int, _ part: JobPart, buildsNetworks: Bool = true,
    since spent: ProcessUse.Stopwatch = .init(), cache: String? = nil, note: (String) -> Void = { _ in }
  ) throws {
    self.spent = spent
    self.buildsNetworks = buildsNetworks
    (self.job, self.network, self.workers, self.part) = (job, network, workers, part)
    speeds = try job.hasSpeeds ? JobSpeeds(job.speeds, on: network, week: job.departures?.day) : nil
    let feeds = try job.transit.map { try FeedTimetable($0.gtfs, cache: cache, report: note) }
    self.feeds = feeds
    transit = try feeds.flatMap { feeds in
      try job.transit.flatMap { try TransitSchedule($0, feeds, of: job, on: network) }
    }
    if case .verification = part { coverage = nil } else { coverage = try job.coverage.map { try Coverage(path: $0) } }
  }

  /// Returns a context on a network with additional avoidances, or this context if its network already has them or no
  /// network may be built. *Throws*: errors from opening or building the network.
  func avoiding(_ additional: Profile.Avoidance) throws -> JobContext {
    guard buildsNetworks, !network.profile.avoids.isSuperset(of: additional) else { return self }
    return try JobContext(job, on: network.avoiding(network.profile.avoids.union(additional)), workers: workers, part)
  }

  /// Returns the time-dependent network of a day; of a typical day if nil.
  func timed(on day: LocalTime?) -> TimedNetwork {
    TimedNetwork(network, speeds?.speeds, on: day, waitLimit: job.options.waitMilliseconds)
  }

  /// The time-dependent networks, one per day.
  var timedNetworks: TimedNetworks { TimedNetworks(network, speeds?.speeds, waitLimit: job.options.waitMilliseconds) }

  /// Returns the engine for all trips between two lists of places: at the job's hours or date, or by public transport
  /// between `stops`.
  func matrix(
    from origins: [TripEnd?], to destinations: [TripEnd?], by stops: TransitStops?, distances: Bool,
    waits: Bool = false, percentiles: [Int]? = nil
  ) -> any MatrixEngine {
    if let stops {
      return TransitMatrix(
        stops, from: origins, to: destinations, percentiles: percentiles, on: network, workers: workers)
    }
    let times = job.departures?.times ?? (waits || network.changesWithTime ? [job.tripTime].compactMap(\.self) : [])
    guard let time = times.first else {
      return TripMatrix(network, from: origins, to: destinations, distances: distances, workers: workers)
    }
    return HourlyMatrix(
      timed(on: time.day), from: origins, to: destinations, at: times, distances: distances, waits: waits,
      percentiles: percentiles)
  }

  /// Returns the chunks to compute out of `count`: all, or a shard's.
  func chunks(of count: Int) -> Range<Int> { part.shard?.range(of: count) ?? 0..<count }

  /// Bytes of the snapped places that a shard holds until they are written.
  var keptMemory: Int { if case .shard(_, let snaps) = part { snaps.memory } else { 0 } }

  /// Returns the rows of the computed chunks: all, or a shard's.
  func rows(ofChunks chunks: [Range<Int>]) -> Range<Int> { part.shard?.rows(ofChunks: chunks) ?? 0..<chunks.rowCount }

  /// Snaps every place, in the order of `places`.
  ///
  /// - Parameters:
  ///   - name: The list's name in a shard.
  ///   - chunks: The chunks of the job's rows; nil if every shard snaps all places.
  ///   - needed: The indices of the places that rows depend on, ascending. Others are not snapped in a shard.
  func snap(
    _ name: String, _ places: some PlaceList, for chunks: [Range<Int>]? = nil,
    needed: (Range<Int>) -> [Int] = { Array($0) }
  ) throws -> SnappedPlaces {
    func indices(of shard: Shard) -> [Int] { chunks.map { needed(shard.rows(ofChunks: $0)) } ?? Array(places.indices) }
    switch part {
    case .whole, .verification: return try snapped(places) { places.coordinate(at: $0) }
    case .shard(let shard, let journal):
      let shardIndices = indices(of: shard)
      var isInShard = [Bool](repeating: false, count: places.count)
      for index in shardIndices { isInShard[index] = true }
      let snapped = try snapped(places) { [isInShard] in isInShard[$0] ? places.coordinate(at: $0) : nil }
      // A list that every shard snaps completely is only in the first shard's journal.
      journal.keep(snapped, as: name, at: chunks != nil || shard.index == 0 ? shardIndices : [])
      return snapped
    case .merge(let shards):
      var snapped = SnappedPlaces(of: places, SnapLegs(network, job.options))
      for _ in places.indices { snapped.append(SnappedPlace()) }
      for file in chunks == nil ? Array(shards.files.prefix(1)) : shards.files {
        var remaining = indices(of: file.header.shard).makeIterator()
        try file.forEachPiece(ofPlaces: name) { try SnapJournal.take(&$0, at: &remaining, into: &snapped, of: network) }
        guard remaining.next() == nil else { throw file.incompletePlaces }
      }
      return snapped
    }
  }

  /// The maximum number of places to snap together: enough for consecutive ones to be close on the map.
  private static let maximumSnapped = 1 << 16

  private func snapped(
    _ places: some PlaceList, at coordinate: @escaping (Int) -> FixedCoordinate?
  ) throws -> SnappedPlaces {
    var snapped = SnappedPlaces(of: places, SnapLegs(network, job.options))
    let size = min(JobContext.maximumSnapped, JobContext.chunkSize(of: places.count, workers: workers))
    let (network, options) = (network, job.options)
    try Pipeline.run(
      Pipeline.chunks(of: places.count, size: size).lazy.map { $0.map(coordinate) }, workers: workers,
      makeWorker: {
        let router = Router(network, options)
        return { (places: [FixedCoordinate?]) -> (points: [Coordinate], found: [SnappedPlace], indices: [Int?]) in
          // Equal points are snapped once; a place without a point is not needed.
          var points = Interner<FixedCoordinate>()
          let indices = places.map { $0.map { points.index(of: $0) } }
          let coordinates = points.values.map(\.coordinate)
          let found = zip(coordinates, router.ends(at: coordinates)).map { place, end in
            SnappedPlace(end: end, passedSize: router.passedIsland(at: place, end)?.size)
          }
          return (coordinates, found, indices)
        }
      },
      write: { chunks in
        for (points, found, indices) in chunks {
          let isInside = coverage?.area.contains(points)
          for index in indices {
            var place = index.map { found[$0] } ?? SnappedPlace()
            if let isInside, let index { place.isOutside = !isInside[index] }
            snapped.append(place)
          }
        }
      })
    return snapped
  }

  /// Returns the size of chunks: one chunk per worker, but fewer for few points.
  private static func chunkSize(of count: Int, workers: Int) -> Int { max(1024, (count + workers - 1) / workers) }

  /// Returns the snapped points, in order.
  package static func ends(
    at points: [FixedCoordinate], on network: StreetNetwork, _ options: Directions.Options, workers: Int
  ) throws -> [TripEnd?] {
    var ends: [TripEnd?] = []
    ends.reserveCapacity(points.count)
    try Pipeline.run(
      Pipeline.chunks(of: points.count, size: chunkSize(of: points.count, workers: workers)), workers: workers,
      makeWorker: {
        let router = Router(network, options)
        return { router.ends(at: points[$0].map(\.coordinate)) }
      }, write: { ends += $0.joined() })
    return ends
  }
}

extension JobContext? {
  /// The bounding box of the map; the whole earth if there is no network yet.
  var area: BoundingBox { self?.network.box ?? .earth }
}

/// The part of a job that is computed, and the source of its snapped places.
enum JobPart: Sendable {
  case whole
  /// A shard, whose snapped places are kept.
  case shard(Shard, SnapJournal)
  /// A merge of shards, which have computed everything and snapped the places.
  case merge(ShardSet)
  /// Verification, which recomputes rows of finished results.
  case verification

  var shard: Shard? { if case .shard(let shard, _) = self { shard } else { nil } }
}

extension Shard {
  func rows(ofChunks chunks: [Range<Int>]) -> Range<Int> {
    let shardChunks = chunks[range(of: chunks.count)]
    return shardChunks.first.map { $0.lowerBound..<(shardChunks.last?.upperBound ?? $0.upperBound) } ?? 0..<0
  }
}

extension [Range<Int>] {
  /// The number of rows of consecutive chunks from row 0.
  var rowCount: Int { last?.upperBound ?? 0 }
}

/// The rows of table `place`. Workers prepare them; the writer thread inserts them.
struct PlaceRows: Sendable {
  let count: Int
  private let rows: @Sendable (Range<Int>) -> [PlaceRow]

  init(_ rows: [PlaceRow] = []) {
    count = rows.count
    self.rows = { Array(rows[$0]) }
  }

  init(
    _ places: some RandomAccessCollection<InputPlace> & Sendable,
    _ snapped: some RandomAccessCollection<SnappedPlace> & Sendable, on network: StreetNetwork
  ) {
    count = Swift.min(places.count, snapped.count)
    rows = { range in
      // Places on the same street share its label, which is expensive to build.
      var labels: [UInt32: String] = [:]
      let rest = (places.dropFirst(range.lowerBound), snapped.dropFirst(range.lowerBound))
      return zip(rest.0.prefix(range.count), rest.1.prefix(range.count)).map { place, snapped in
        let snap = snapped.end?.snap
        let street = snap.map { snap in
          let attributes = network.street(snap.street).attributes
          let label = labels[attributes] ?? network.label(of: snap.street)
          labels[attributes] = label
          return label
        }
        return PlaceRow(
          id: place.id, role: place.role, name: place.name, coordinate: place.coordinate, snapped: snap?.point,
          snapDistance: snap.map { ($0.distance * 100).rounded() / 100 }, street: street,
          componentSize: snap.map { network.componentSize(of: $0.street) }, passedComponentSize: snapped.passedSize,
          status: snapped.status, reason: snapped.reason(at: place.coordinate, on: network), weight: place.weight)
      }
    }
  }

  init(_ parts: [PlaceRows]) {
    count = parts.reduce(0) { $0 + $1.count }
    rows = { range in
      var first = 0
      return parts.flatMap { part -> [PlaceRow] in
        let overlap = range.clamped(to: first..<first + part.count)
        defer { first += part.count }
        return overlap.isEmpty ? [] : part.rows(overlap.lowerBound - first..<overlap.upperBound - first)
      }
    }
  }

  var all: [PlaceRow] { rows(0..<count) }

  func forEach(_ body: (PlaceRow) -> Void) {
    for block in Pipeline.chunks(of: count, size: PlaceRows.blockSize) { rows(block).forEach(body) }
  }

  /// Enough rows to amortize the handover between threads.
  private static let blockSize = 4096

  func write(to database: SQLite, workers: Int) throws {
    let insert = try Insert(into: PlaceRow.table, of: database)
    try Pipeline.run(
      Pipeline.chunks(of: count, size: PlaceRows.blockSize), workers: workers,
      makeWorker: { [rows] in { RowValues(of: PlaceRow.table, rows($0)) } },
      write: { try $0.forEach { try insert($0) } })
  }
}
