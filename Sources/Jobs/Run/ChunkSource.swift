import Tables

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
