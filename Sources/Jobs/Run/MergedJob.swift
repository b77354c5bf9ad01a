import Geography
import Results

/// A job whose rows shards have computed: its workers read their journals.
struct MergedJob<Base: PreparedJob>: PreparedJob {
  private let base: Base
  private let shards: ShardSet
  let chunks: [Chunk]

  struct Chunk: Sendable {
    /// The shard, and the chunk among its own.
    var shard: Int
    var index: Int
  }

  /// - Parameter rejected: Rows of the input that cannot be used. *Throws*: `ResultsError` where the shards are not of it.
  init(_ base: Base, _ shards: ShardSet, rejected: Int) throws {
    guard (shards.header.rowCount, shards.header.rejectedCount) == (base.rows, rejected) else {
      throw ResultsError(
        path: shards.files[0].path,
        problem:
          "its job had \(shards.header.rowCount) rows and \(shards.header.rejectedCount) rejected, the input has "
          + "\(base.rows) and \(rejected)", cause: .changed)
    }
    (self.base, self.shards) = (base, shards)
    chunks = shards.files.enumerated().flatMap { number, file in
      file.header.chunks.indices.map { Chunk(shard: number, index: $0 - file.header.chunks.lowerBound) }
    }
  }

  var extent: (box: BoundingBox, reach: Double) { base.extent }
  var rows: Int { base.rows }
  var unitsPerRow: Int { base.unitsPerRow }
  var rowUnit: String? { base.rowUnit }
  var chunkCount: Int { chunks.count }
  func rows(ofChunks chunks: Range<Int>) -> Int { base.rows(ofChunks: chunks) }
  var explanation: String? { nil }
  var notes: [String] { base.notes }

  var inputCost: JobCost { base.inputCost }

  func cost() -> JobCost {
    // Bytes of a journal become about as many of results, and of a chunk in memory a few times as many.
    var cost = inputCost
    cost.seconds = Double(shards.size) * 1e-8 + Double(rows) * 5e-6
    cost.chunkMemory = 6 * (shards.files.map(\.longestChunk).max() ?? 0)
    cost.disk = 2 * shards.size
    return cost
  }

  func head(rejected: [RejectedRow], backdrop: [BackdropRow]) -> ResultsHead {
    base.head(rejected: rejected, backdrop: backdrop)
  }

  func makeWorker() -> (Chunk) throws -> Base.Writer.Chunk {
    { [shards] chunk in try shards.files[chunk.shard].chunk(chunk.index) }
  }

  func finish() { base.finish() }

  func makeWriter(_ store: ResultsStore, _ shards: [ShardFile]) throws -> Base.Writer {
    try base.makeWriter(store, shards)
  }
}
