import Foundation

/// The journal of a shard while it is being written: a header, then what workers answered, chunk after chunk; in the end what
/// its rows add up to. It gets its final name only once it is complete. Belongs to one thread.
package final class ShardJournal {
  private let path: String
  private let file: OutputFile
  /// Chunks that are written, and their rows.
  package private(set) var chunks: Int
  package private(set) var rows: Int

  /// The journal of a folder: resumed behind its last whole chunk where there is one of the same shard, or new.
  ///
  /// - Parameters:
  ///   - places: The places that it has snapped, list by list.
  ///   - previous: What an earlier run left; not a complete one.
  package init(in folder: ResultsFolder, _ header: ShardHeader, places: [[UInt8]], after previous: ShardFile?) throws {
    path = folder.journal
    (chunks, rows) = (previous?.chunks.count ?? 0, previous?.rows ?? 0)
    if let previous {
      file = try OutputFile(path: ResultsFolder.unfinished(path), resumingAt: previous.end)
    } else {
      file = try OutputFile(path: ResultsFolder.unfinished(path))
      var bytes = JournalWriter()
      bytes.put(header)
      try file.write(ShardFile.magic + JournalFrame.bytes(.header, bytes.bytes))
      for list in places { try file.write(JournalFrame.bytes(.places, list)) }
      // What follows tells that all lists are there.
      try file.write(JournalFrame.bytes(.places, []))
      try file.synchronize()
    }
  }

  /// Appends what workers answered; on the disk when it returns.
  package func append(_ group: [some RowChunk & Journaled]) throws {
    for chunk in group {
      var bytes = JournalWriter()
      bytes.put(chunk.rows)
      bytes.put(chunk)
      try file.write(JournalFrame.bytes(.chunk, bytes.bytes))
      chunks += 1
      rows += chunk.rows
    }
    try file.synchronize()
  }

  /// Ends the journal with what all its rows add up to, and gives it its name.
  package func finish(_ ending: [UInt8]) throws {
    try file.write(JournalFrame.bytes(.ending, ending))
    try file.synchronize()
    guard rename(ResultsFolder.unfinished(path), path) == 0 else {
      throw ResultsError(path: path, problem: String(cString: strerror(errno)), cause: .output)
    }
  }
}
