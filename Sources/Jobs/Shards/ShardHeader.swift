import Tables

/// What a shard's journal says of itself: whose shard it is, and which.
package struct ShardHeader: Sendable {
  package var shard: Shard
  /// Of the whole job.
  package var chunkCount: Int
  package var rowCount: Int
  package var rejectedCount: Int
  /// What decides the results, and when and where the shard began.
  package var record: JobRecord
  /// The text of the job file, and what the command line added to it.
  var jobText: [UInt8]
  package var writesLinks: Bool
  /// The names of the lists of places that it has snapped.
  var lists: [String] = []

  /// More chunks or rows no job has: numbers beyond are damaged.
  private static let most = 1 << 40

  package init(
    shard: Shard, chunkCount: Int, rowCount: Int, rejectedCount: Int, record: JobRecord, jobText: [UInt8],
    writesLinks: Bool
  ) {
    (self.shard, self.chunkCount, self.rowCount) = (shard, chunkCount, rowCount)
    (self.rejectedCount, self.record) = (rejectedCount, record)
    (self.jobText, self.writesLinks) = (jobText, writesLinks)
  }

  /// The chunks of the job that are the shard's.
  package var chunks: Range<Int> { shard.range(of: chunkCount) }

  /// Whether another is of a job with as many chunks and rows.
  package func isLike(_ other: ShardHeader) -> Bool {
    (chunkCount, rowCount, rejectedCount) == (other.chunkCount, other.rowCount, other.rejectedCount)
  }
}

extension ShardHeader: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(shard.index)
    journal.put(shard.count)
    journal.put(chunkCount)
    journal.put(rowCount)
    journal.put(rejectedCount)
    let entries = record.entries
    journal.put(entries.map(\.key))
    journal.put(entries.map(\.value))
    journal.put(bytes: jobText)
    journal.put(writesLinks)
    journal.put(lists)
  }

  package init(from journal: inout JournalReader) throws {
    guard let shard = Shard(index: try journal.take(), count: try journal.take()) else { throw JournalReader.Failure() }
    self.shard = shard
    (chunkCount, rowCount, rejectedCount) = (try journal.take(), try journal.take(), try journal.take())
    let (keys, values): ([String], [String]) = (try journal.take(), try journal.take())
    record = JobRecord(entries: Array(zip(keys, values)).map { (key: $0, value: $1) })
    jobText = Array(try journal.takeBytes())
    writesLinks = try journal.take()
    lists = try journal.take()
    guard [chunkCount, rowCount, rejectedCount].allSatisfy((0...ShardHeader.most).contains) else {
      throw JournalReader.Failure()
    }
  }
}
