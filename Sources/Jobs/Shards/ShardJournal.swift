import Tables

/// The journal of a shard while it is being written: a header, the places that it snapped, then what workers answered, chunk
/// after chunk; in the end what its rows add up to. It gets its final name only once it is complete. Belongs to one thread.
final class ShardJournal {
  private let folder: ResultsFolder
  private let file: OutputFile
  /// Chunks that are written, and their rows.
  package private(set) var chunks: Int
  package private(set) var rows: Int

  /// The journal of a folder: resumed behind its last whole chunk where there is one of the same shard, or new.
  ///
  /// - Parameters:
  ///   - places: The places that it has snapped: lists by name, each in pieces.
  ///   - previous: What an earlier run left; not a complete one.
  package init(in folder: ResultsFolder, _ header: ShardHeader, places: [String: [[UInt8]]], after previous: ShardFile?)
    throws
  {
    self.folder = folder
    let path = folder.journal.unfinished
    (chunks, rows) = (previous?.chunks.count ?? 0, previous?.rows ?? 0)
    if let previous {
      file = try OutputFile(path: path, resumingAt: previous.end)
      return
    }
    file = try OutputFile(path: path)
    var header = header
    header.lists = places.keys.sorted()
    var bytes = JournalWriter()
    bytes.put(header)
    try file.write(ShardFile.magic)
    try write(.header, bytes.bytes)
    for list in header.lists {
      for piece in places[list]! { try write(.places, piece) }
      // An empty piece ends a list.
      try write(.places, [])
    }
    try file.synchronize()
  }

  private func write(_ kind: JournalFrame.Kind, _ payload: [UInt8]) throws {
    try file.write(JournalFrame.head(kind, of: payload))
    try file.write(payload)
  }

  /// Appends what workers answered; on the disk when it returns.
  package func append(_ group: [some RowChunk & Journaled]) throws {
    for chunk in group {
      var bytes = JournalWriter()
      bytes.put(chunk.rows)
      bytes.put(chunk)
      try write(.chunk, bytes.bytes)
      chunks += 1
      rows += chunk.rows
    }
    try file.synchronize()
  }

  /// Ends the journal with what all its rows add up to, and gives it its name.
  package func finish(_ ending: some Journaled) throws {
    var bytes = JournalWriter()
    bytes.put(ending)
    try write(.ending, bytes.bytes)
    try file.synchronize()
    try folder.publishShard()
  }
}
