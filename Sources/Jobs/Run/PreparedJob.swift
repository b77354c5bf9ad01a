import Geography
import StreetNetwork
import Synchronization
import Tables
import TransitNetwork

/// A job ready to be forecast or run: places snapped, chunks divided, a few sample rows computed. Shared by all
/// threads.
protocol PreparedJob<Writer>: ChunkSource {
  /// The location of the results, for their basemap: the bounding box of their places, and how far beyond it they
  /// extend, in metres.
  var extent: (box: BoundingBox, reach: Double) { get }
  /// The number of rows that can be computed.
  var rows: Int { get }
  /// The number of counted units per row, such as the cells of a matrix's row.
  var unitsPerRow: Int { get }
  /// The unit of progress, if it differs from the task's.
  var rowUnit: String? { get }
  /// Returns the number of rows of the chunks; an estimate if they are not counted in advance.
  func rows(ofChunks chunks: Range<Int>) -> Int
  /// The cost of the input alone: its places, and the rows held in memory.
  var inputCost: JobCost { get }
  /// The engine's method and its cost; nil if there is only one method.
  var explanation: String? { get }
  /// The stops of the timetable; nil in a job without transit.
  var stops: TransitStops? { get }
  /// Notes about the input, without full stops.
  var notes: [String] { get }
  /// The rows of table `place`.
  var placeRows: PlaceRows { get }
  /// Whether all ids of the results are whole numbers.
  var idsAreNumbers: Bool { get }
  /// The approximate size of the longest rows in bytes; 0 for rows shorter than a page.
  var longestRow: Int { get }
  /// The polygons of places, for the basemap.
  var areas: [BackdropRow] { get }
  /// Returns the statements that create the kind's own tables.
  func tables(_ types: SQLTypes) -> String
  /// Writes the initial content of the kind's own tables.
  func writeRows(to database: SQLite) throws
  /// Empty sums; nil for a kind whose sums are in its chunks.
  var emptyServices: ServiceSums? { get }
  func makeWriter(_ store: ResultsStore) throws -> Writer
  /// Frees the input; called after all rows are written, before sealing.
  func finish()
}

extension PreparedJob {
  var unitsPerRow: Int { 1 }
  var rowUnit: String? { nil }
  var stops: TransitStops? { nil }
  var notes: [String] { [] }
  var explanation: String? { nil }
  var longestRow: Int { 0 }
  var areas: [BackdropRow] { [] }
  func writeRows(to database: SQLite) {}
  func finish() {}
  var emptyServices: ServiceSums? { nil }
  func services() -> ServiceSums? { nil }
}

extension PreparedJob where Chunks == [Range<Int>] {
  var chunkCount: Int { chunks.count }

  func rows(ofChunks range: Range<Int>) -> Int { chunks[range].reduce(0) { $0 + $1.count } }
}

/// The cost of a job in addition to the cost of the program, the network and its places.
struct JobCost: Sendable {
  /// Seconds of all rows on one core.
  var seconds: Double
  /// Bytes held from the beginning to the end.
  var memory = 0
  /// Bytes of a worker's searches.
  var workerMemory = 0
  /// Bytes of a chunk in progress.
  var chunkMemory: Int
  /// Bytes of the results.
  var disk: Int
  /// The bytes that go into the database; nil if all do.
  var tables: Int?
  /// The number of places that are read, snapped and written.
  var places: Int
  /// Bytes of a place from the beginning to the end, including the report.
  var placeMemory = 600
}

extension JobCost {
  /// Returns the part of the cost that is due to `rows` out of `all` rows.
  func share(_ rows: Int, of all: Int) -> JobCost {
    var share = self
    let part = Double(rows) / Double(max(1, all))
    share.seconds *= part
    share.disk = Int(Double(disk) * part)
    share.tables = tables.map { Int(Double($0) * part) }
    return share
  }

  static func input(places: Int, placeMemory: Int = 600, memory: Int = 0) -> JobCost {
    JobCost(seconds: 0, memory: memory, chunkMemory: 0, disk: 0, places: places, placeMemory: placeMemory)
  }

  /// Measurements of a few sample rows of the job.
  struct Sample {
    /// CPU seconds of this thread for the sample, including writing.
    var seconds: Double
    var rows: Int
    /// Bytes of the sample rows in tables and files.
    var bytes: Int

    /// Adds up two samples.
    static func + (a: Sample, b: Sample) -> Sample {
      Sample(seconds: a.seconds + b.seconds, rows: a.rows + b.rows, bytes: a.bytes + b.bytes)
    }
  }

  init(_ sample: Sample, rows: Int, chunkRows: Int, _ input: JobCost) {
    let scale = Double(rows) / Double(max(1, sample.rows))
    self = input
    seconds += sample.seconds * scale
    chunkMemory = 2 * sample.bytes * chunkRows / max(1, sample.rows)
    disk += Int(Double(sample.bytes) * scale)
  }

  /// Samples batches of rows from across the input, which may be sorted: for a quarter of a second, and only a few
  /// batches if the input is small.
  ///
  /// The first batch is a warm-up: it is computed twice, and the first time is ignored.
  ///
  /// - Parameters:
  ///   - batchSize: The number of rows per batch.
  ///   - maximumCount: The maximum number of batches.
  static func sample<Answer>(
    of rows: Range<Int>, by batchSize: Int, atMost maximumCount: Int = 64, _ compute: (Range<Int>) throws -> Answer,
    measure: (Answer, _ seconds: Double, _ rows: Int) -> Sample
  ) rethrows -> Sample {
    var sum = Sample(seconds: 0, rows: 0, bytes: 0)
    guard !rows.isEmpty else { return sum }
    let allowed = max(1, rows.count / 64)
    let (size, count) = (min(batchSize, allowed), min(maximumCount, max(1, allowed / batchSize)))
    _ = try compute(rows.prefix(size))
    var spent = 0.0
    // Any prefix of this order, which takes odd steps modulo a power of two, is spread over the whole input.
    let slots = count.nextPowerOfTwo
    for number in 0..<slots where spent < 0.25 || sum.rows == 0 {
      let slot = number * (slots * 5 / 8 | 1) % slots
      guard slot < count else { continue }
      let first = rows.lowerBound + (rows.count - size) * slot / max(1, count - 1)
      let trial = first..<first + size
      let (seconds, answer) = try ProcessUse.timed { try compute(trial) }
      spent += seconds
      sum = sum + measure(answer, seconds, trial.count)
    }
    return sum
  }
}

extension Int {
  /// The smallest power of two that is not less than this number.
  fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}

extension PreparedJob {
  /// Returns the rejected rows with coordinates and the problem places: without a street, far from one, on an island,
  /// outside the coverage, or on a street that can only be entered or left.
  func problems(rejected: [RejectedRow], on network: StreetNetwork, _ job: Job) -> ProblemFile {
    let reach = MainReach(network)
    let hasOneWayAccess = (0..<network.streetCount).contains { index in
      network.street(StreetID(index)).flags.contains(.snappable) && reach.oneWayAccess(StreetID(index)) != nil
    }
    let (streets, islands) = (StreetSearch(network), StreetSearch(network, among: network.islands))
    /// Returns the one-way access of a place's street or, for a place near an island only, of the island's street.
    func oneWayAccess(_ row: PlaceRow) -> MainReach.OneWayAccess? {
      let search = row.snapped == nil ? row.reason == .island ? islands : nil : hasOneWayAccess ? streets : nil
      return search?.snap(row.coordinate.coordinate, limit: job.snapLimit).flatMap { reach.oneWayAccess($0.street) }
    }
    let rejected = rejected.filter { !$0.points.isEmpty }
    var areNumbers = rejected.allSatisfy { $0.id.map { Identifier($0).isNumber } ?? true }
    placeRows.forEach { areNumbers = areNumbers && $0.id.isNumber }
    var file = ProblemFile(areNumbers: areNumbers)
    placeRows.forEach { row in
      if row.reason != .coverage, let access = oneWayAccess(row) {
        file.add(row, access.rawValue)
      } else if row.passedComponentSize != nil, row.reason == nil || row.reason == .far {
        file.add(row, PlaceReason.island.rawValue)
      } else if let reason = row.reason {
        file.add(row, reason.rawValue)
      }
    }
    rejected.forEach { file.add($0) }
    return file
  }
}

/// The source of a run's chunks: workers compute them, or shards contain them.
protocol ChunkSource<Writer>: Sendable {
  associatedtype Chunks: Sequence where Chunks.Element: Sendable
  associatedtype Writer: ChunkWriter
  /// The chunks, whose division depends only on the input.
  var chunks: Chunks { get }
  var chunkCount: Int { get }
  /// Returns the cost of the job in addition to the cost of the program, the network and its places; for a shard, only
  /// its rows count. *Throws*: errors from computing the sample.
  func cost() throws -> JobCost
  /// Returns a function that computes chunks on one thread. It throws if a chunk could not be read.
  func makeWorker() -> (Chunks.Element) throws -> Writer.Chunk
  /// Returns sums over the run's rows that are not in its chunks; nil if there are none.
  func services() throws -> ServiceSums?
}

struct ShardJournals<Job: PreparedJob>: ChunkSource {
  typealias Writer = Job.Writer
  private let job: Job
  private let shards: ShardSet
  /// For each chunk, the index of its shard, and the chunk's index within that shard.
  let chunks: [(shard: Int, index: Int)]

  /// - Parameter rejected: The number of rejected rows of the input. *Throws*: `ResultsError` if the shards have a
  ///   different input.
  init(_ shards: ShardSet, of job: Job, rejected: Int) throws {
    guard (shards.header.rowCount, shards.header.rejectedCount) == (job.rows, rejected) else {
      throw ResultsError(
        path: shards.files[0].path,
        problem:
          "its job had \(shards.header.rowCount) rows and \(shards.header.rejectedCount) rejected ones, but the input "
          + "has \(job.rows) and \(rejected)", cause: .changed)
    }
    (self.job, self.shards) = (job, shards)
    chunks = shards.files.enumerated().flatMap { number, file in
      file.header.chunks.indices.map { (number, $0 - file.header.chunks.lowerBound) }
    }
  }

  var chunkCount: Int { chunks.count }

  func cost() -> JobCost {
    // Estimates: results take up to twice as many bytes as the journals; a chunk in memory takes six times as many.
    var cost = job.inputCost
    cost.seconds = Double(shards.size) * 1e-8 + Double(job.rows) * 5e-6
    cost.chunkMemory = 6 * (shards.files.map(\.longestChunk).max() ?? 0)
    cost.disk = 2 * shards.size
    return cost
  }

  func makeWorker() -> ((shard: Int, index: Int)) throws -> Job.Writer.Chunk {
    { [shards] chunk in try shards.files[chunk.shard].chunk(chunk.index) }
  }

  func services() throws -> ServiceSums? {
    guard var sums = job.emptyServices else { return nil }
    for file in shards.files { sums.add(try file.services(like: sums)) }
    return sums
  }
}

/// A value that is created on first use, once, by whichever thread needs it first.
final class Lazy<Value: Sendable>: Sendable {
  private let stored = Mutex<Value?>(nil)
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value { stored.value(make) }
}
