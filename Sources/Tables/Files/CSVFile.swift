/// A CSV file in one gzip member, written from separately compressed chunks.
package final class CSVFile: ResumableFile {
  package let path: String
  private var member: GzipMember

  /// Creates the file at `path` with its header line, or resumes it from `checkpoint`. *Throws*: `ResultsError`.
  package init(path: String, columns: String, from checkpoint: Checkpoint?) throws {
    self.path = path
    let part = path.unfinished
    if let checkpoint {
      member = try GzipMember(path: part, from: checkpoint)
    } else {
      member = try GzipMember(path: part)
      try member.append(stored: columns + "\n")
    }
  }

  package var checkpoint: Checkpoint { member.checkpoint }
  package func append(_ lines: DeflatedBlock) throws { try member.append(lines) }
  package func synchronize() throws { try member.synchronize() }
  package func finish() throws { try member.finish() }
}
