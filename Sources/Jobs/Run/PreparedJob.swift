import Geography
import StreetNetwork
import Tables

/// A job ready to be forecast or run: places snapped, chunks cut, a few rows computed and measured. Shared by all threads.
protocol PreparedJob<Writer>: ChunkSource {
  /// Where the results are, for their backdrop: the box around what they start from, and how far from it they reach, in
  /// metres.
  var extent: (box: BoundingBox, reach: Double) { get }
  /// Rows that can be computed.
  var rows: Int { get }
  /// What a row is counted as: the cells of a matrix's row.
  var unitsPerRow: Int { get }
  /// What rows are counted as while they are computed, where that is not what the task counts.
  var rowUnit: String? { get }
  /// Rows of some of the chunks; about, where they are not counted before they are read.
  func rows(ofChunks chunks: Range<Int>) -> Int
  /// The cost of the input alone: its places, and the rows held in memory.
  var inputCost: JobCost { get }
  /// How the engine computes the rows, and what that takes; nil where there is only one way.
  var explanation: String? { get }
  /// The stops of its timetable; nil in a job that travels on streets alone.
  var stops: TransitStops? { get }
  /// What whoever runs the job should know of its input, in sentences without an end.
  var notes: [String] { get }
  /// What is in the tables before the first chunk.
  func head(rejected: [RejectedRow], backdrop: [BackdropRow]) -> ResultsHead
  /// What no rows add up to.
  var noEnding: Writer.Ending { get }
  func makeWriter(_ store: ResultsStore) throws -> Writer
  /// Called when all rows are written, before the results are sealed: lets go of the input.
  func finish()
}

extension PreparedJob {
  var unitsPerRow: Int { 1 }
  var rowUnit: String? { nil }
  var stops: TransitStops? { nil }
  var notes: [String] { [] }
  var explanation: String? { nil }
  func finish() {}
}

extension PreparedJob where Writer.Ending == NoEnding {
  var noEnding: NoEnding { NoEnding() }
  func ending() -> NoEnding { NoEnding() }
}

extension PreparedJob where Chunks == [Range<Int>] {
  var chunkCount: Int { chunks.count }

  func rows(ofChunks range: Range<Int>) -> Int { chunks[range].reduce(0) { $0 + $1.count } }
}

/// What a job takes in addition to the program, the network and its places.
struct JobCost: Sendable {
  /// Seconds of all rows on one core.
  var seconds: Double
  /// Bytes held from the beginning to the end.
  var memory = 0
  /// Bytes of a chunk under way.
  var chunkMemory: Int
  /// Bytes of the results.
  var disk: Int
  /// Of them those in the database; nil for all.
  var tables: Int?
  /// Places that are read, snapped and written.
  var places: Int
  /// Bytes of a place from the beginning to the end, the report included.
  var placeMemory = 600
}

extension JobCost {
  /// Of so many of the rows.
  func share(_ rows: Int, of all: Int) -> JobCost {
    var share = self
    let part = Double(rows) / Double(max(1, all))
    share.seconds *= part
    share.disk = Int(Double(disk) * part)
    share.tables = tables.map { Int(Double($0) * part) }
    return share
  }

  /// Of an input alone.
  static func input(places: Int, placeMemory: Int = 600, memory: Int = 0) -> JobCost {
    JobCost(seconds: 0, memory: memory, chunkMemory: 0, disk: 0, places: places, placeMemory: placeMemory)
  }

  /// From a few of the job's own rows, computed for the purpose.
  struct Sample {
    /// Seconds of this thread that their answer took, writing included.
    var seconds: Double
    var rows: Int
    /// Bytes of their rows in tables, and of their text in files.
    var bytes: Int

    /// Of several trials.
    static func + (one: Sample, other: Sample) -> Sample {
      Sample(seconds: one.seconds + other.seconds, rows: one.rows + other.rows, bytes: one.bytes + other.bytes)
    }
  }

  /// - Parameter input: What the input takes.
  init(_ sample: Sample, rows: Int, chunkRows: Int, _ input: JobCost, memory: Int = 0) {
    let scale = Double(rows) / Double(max(1, sample.rows))
    self = input
    seconds += sample.seconds * scale
    self.memory += memory
    chunkMemory = 2 * sample.bytes * chunkRows / max(1, sample.rows)
    disk += Int(Double(sample.bytes) * scale)
  }

  /// Tries pieces of rows from all over them, since people sort theirs: until a quarter of a second is over, and few of few,
  /// so that a small job does not take much longer.
  ///
  /// The first piece warms up: it is tried twice, and the first time does not count.
  ///
  /// - Parameters:
  ///   - piece: How many rows are tried together.
  ///   - most: How many pieces at most.
  static func sample<Answer>(
    of rows: Range<Int>, by piece: Int, atMost most: Int = 64, _ compute: (Range<Int>) throws -> Answer,
    measure: (Answer, _ seconds: Double, _ rows: Int) -> Sample
  ) rethrows -> Sample {
    var sum = Sample(seconds: 0, rows: 0, bytes: 0)
    guard !rows.isEmpty else { return sum }
    let allowed = max(1, rows.count / 64)
    let (size, count) = (min(piece, allowed), min(most, max(1, allowed / piece)))
    _ = try compute(rows.prefix(size))
    var spent = 0.0
    // In an order of which any beginning is spread over all: by odd steps around a power of two.
    let places = count.nextPowerOfTwo
    for number in 0..<places where spent < 0.25 || sum.rows == 0 {
      let place = number * (places * 5 / 8 | 1) % places
      guard place < count else { continue }
      let first = rows.lowerBound + (rows.count - size) * place / max(1, count - 1)
      let trial = first..<first + size
      let (seconds, answer) = try ThreadClock.timed { try compute(trial) }
      spent += seconds
      sum = sum + measure(answer, seconds, trial.count)
    }
    return sum
  }
}

extension Int {
  /// The least power of two that is not below it.
  fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}

extension PreparedJob {
  /// Its places that a person should look at: without a street, far from it, on an island, outside of the coverage, or on
  /// one that trips lead to or from alone; and the rejected rows that have coordinates.
  func problems(rejected: [RejectedRow], on network: StreetNetwork, _ job: Job) -> ProblemFile {
    let reach = MainReach(network)
    let hasTraps = (0..<network.streetCount).contains { index in
      network.street(StreetID(index)).flags.contains(.snappable) && reach.trap(StreetID(index)) != nil
    }
    let (streets, islands) = (StreetSearch(network), StreetSearch(network, among: network.islands))
    /// Of the street that a place is on, or of the only one near.
    func trap(_ row: PlaceRow) -> MainReach.Trap? {
      let search = row.snapped == nil ? row.reason == .island ? islands : nil : hasTraps ? streets : nil
      return search?.snap(row.coordinate.coordinate, limit: job.snapLimit).flatMap { reach.trap($0.street) }
    }
    var file = ProblemFile()
    head(rejected: [], backdrop: []).places.forEach { row in
      if row.reason != .coverage, let trap = trap(row) {
        file.add(row, trap.rawValue)
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

/// Where the chunks of a run come from: workers compute them, or shards have.
protocol ChunkSource<Writer>: Sendable {
  associatedtype Chunks: Sequence where Chunks.Element: Sendable
  associatedtype Writer: ChunkWriter
  /// Cut by the input alone: where one chunk ends depends on nothing else.
  var chunks: Chunks { get }
  var chunkCount: Int { get }
  /// What the job takes in addition to the program, the network and its places: of a shard the rows of that. *Throws*: what
  /// computing a few rows throws.
  func cost() throws -> JobCost
  /// What computes the chunks of one thread. It throws where a chunk could not be read.
  func makeWorker() -> (Chunks.Element) throws -> Writer.Chunk
  /// Sums over the run's rows that no table gives.
  func ending() throws -> Writer.Ending
}

/// The journals of all shards of a job.
struct ShardJournals<Job: PreparedJob>: ChunkSource {
  typealias Writer = Job.Writer
  private let job: Job
  private let shards: ShardSet
  let chunks: [Chunk]

  struct Chunk: Sendable {
    /// The shard, and the chunk among its own.
    var shard: Int
    var index: Int
  }

  /// - Parameter rejected: Rows of the input that cannot be used. *Throws*: `ResultsError` where the shards are not of it.
  init(_ shards: ShardSet, of job: Job, rejected: Int) throws {
    guard (shards.header.rowCount, shards.header.rejectedCount) == (job.rows, rejected) else {
      throw ResultsError(
        path: shards.files[0].path,
        problem:
          "its job had \(shards.header.rowCount) rows and \(shards.header.rejectedCount) rejected, the input has "
          + "\(job.rows) and \(rejected)", cause: .changed)
    }
    (self.job, self.shards) = (job, shards)
    chunks = shards.files.enumerated().flatMap { number, file in
      file.header.chunks.indices.map { Chunk(shard: number, index: $0 - file.header.chunks.lowerBound) }
    }
  }

  var chunkCount: Int { chunks.count }

  func cost() -> JobCost {
    // Bytes of a journal become about as many of results, and of a chunk in memory a few times as many.
    var cost = job.inputCost
    cost.seconds = Double(shards.size) * 1e-8 + Double(job.rows) * 5e-6
    cost.chunkMemory = 6 * (shards.files.map(\.longestChunk).max() ?? 0)
    cost.disk = 2 * shards.size
    return cost
  }

  func makeWorker() -> (Chunk) throws -> Job.Writer.Chunk {
    { [shards] chunk in try shards.files[chunk.shard].chunk(chunk.index) }
  }

  func ending() throws -> Job.Writer.Ending {
    try shards.files.reduce(into: job.noEnding) { $0.add(try $1.ending(like: $0)) }
  }
}
