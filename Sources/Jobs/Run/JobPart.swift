import Tables

/// What of a job is computed, and what is known of it.
enum JobPart: Sendable {
  case whole
  /// The places that it snaps are kept.
  case shard(Shard, SnapJournal)
  /// Nothing: shards have computed all, and snapped the places.
  case merge(ShardSet)
  /// Rows of finished results, whose places are as these say.
  case again

  var shard: Shard? { if case .shard(let shard, _) = self { shard } else { nil } }
}

extension Shard {
  /// The rows of its chunks.
  func rows(ofChunks chunks: [Range<Int>]) -> Range<Int> {
    let own = chunks[range(of: chunks.count)]
    return own.first.map { $0.lowerBound..<(own.last?.upperBound ?? $0.upperBound) } ?? 0..<0
  }
}

extension [Range<Int>] {
  /// Of chunks that follow one another from row 0.
  var rowCount: Int { last?.upperBound ?? 0 }
}
