import Geography
import Results

/// A job ready to be forecast or run: places snapped, chunks cut, a few rows computed and measured. Shared by all threads.
protocol PreparedJob: Sendable {
  associatedtype Chunks: Sequence where Chunks.Element: Sendable
  associatedtype Writer: ChunkWriter
  /// Where the results are, for their backdrop: the box around what they start from, and how far from it they reach, in
  /// metres.
  var extent: (box: BoundingBox, reach: Double) { get }
  /// Rows that can be computed.
  var rows: Int { get }
  /// What a row is counted as: the cells of a matrix's row.
  var unitsPerRow: Int { get }
  /// What rows are counted as while they are computed, where that is not what the task counts.
  var rowUnit: String? { get }
  /// Cut by the input alone: where one chunk ends depends on nothing else.
  var chunks: Chunks { get }
  /// What the job takes in addition to the program, the network and its places.
  var cost: JobCost { get }
  /// How the engine computes the rows, and what that takes; nil where there is only one way.
  var explanation: String? { get }
  /// What whoever runs the job should know of its input, in sentences without an end.
  var notes: [String] { get }
  /// What is in the tables before the first chunk.
  func head(rejected: [RejectedRow], streets: [StreetRow]) -> ResultsHead
  /// What computes the chunks of one thread. It throws where a chunk could not be read.
  func makeWorker() -> (Chunks.Element) throws -> Writer.Chunk
  func makeWriter(_ store: ResultsStore) throws -> Writer
  /// Called with each answer that was written.
  func release(_ answer: Writer.Chunk)
}

extension PreparedJob {
  var unitsPerRow: Int { 1 }
  var rowUnit: String? { nil }
  var notes: [String] { [] }
  var explanation: String? { nil }
  func release(_ answer: Writer.Chunk) {}
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
  /// Places that are read, snapped and written.
  var places: Int
}

extension JobCost {
  /// From a few of the job's own rows, computed for the purpose.
  struct Sample {
    /// Seconds of this thread that their answer took, writing included.
    var seconds: Double
    var rows: Int
    /// Bytes of their rows in tables, and of their text in files.
    var bytes: Int
  }

  init(_ sample: Sample, rows: Int, chunkRows: Int, places: Int, memory: Int = 0) {
    let scale = Double(rows) / Double(max(1, sample.rows))
    self.init(
      seconds: sample.seconds * scale, memory: memory,
      chunkMemory: 2 * sample.bytes * chunkRows / max(1, sample.rows), disk: Int(Double(sample.bytes) * scale),
      places: places)
  }

  /// How many rows to try: few of few, so that a small job does not take twice as long.
  static func sampleRows(of rows: Int, atMost most: Int = 64) -> Range<Int> { 0..<min(most, max(1, rows / 16), rows) }
}
