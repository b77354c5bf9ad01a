import Tables

/// Where the chunks of a run go, in their order. Belongs to one thread.
protocol ChunkSink<Writer> {
  associatedtype Writer: ChunkWriter
  /// Chunks and rows written so far.
  var chunks: Int { get }
  var rows: Int { get }
  /// Whether an earlier run wrote some of them.
  var isResumed: Bool { get }
  func write(_ chunks: [Writer.Chunk]) throws
  /// Makes sure that what is written is on the disk.
  func commit() throws
  /// All chunks are written: adds what they add up to.
  func seal(_ ending: Writer.Ending, _ job: JobRecord) throws
  func interrupt(_ job: JobRecord) throws
}

/// The tables and files of results.
struct ResultsSink<Writer: ChunkWriter>: ChunkSink {
  let store: ResultsStore
  let writer: Writer

  var chunks: Int { store.chunks }
  var rows: Int { store.rows }
  var isResumed: Bool { store.isResumed }
  func write(_ chunks: [Writer.Chunk]) throws { try writer.write(chunks) }
  func commit() throws { try store.commit() }
  func seal(_ ending: Writer.Ending, _ job: JobRecord) throws { try writer.seal(job, ending) }
  func interrupt(_ job: JobRecord) throws { try store.interrupt(job: job) }
}

/// The journal of a shard.
struct JournalSink<Writer: ChunkWriter>: ChunkSink {
  let journal: ShardJournal
  let isResumed: Bool

  var chunks: Int { journal.chunks }
  var rows: Int { journal.rows }
  func write(_ chunks: [Writer.Chunk]) throws { try journal.append(chunks) }
  func commit() {}
  func seal(_ ending: Writer.Ending, _: JobRecord) throws { try journal.finish(ending) }
  func interrupt(_: JobRecord) {}
}
