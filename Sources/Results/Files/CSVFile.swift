/// A CSV in one gzip member, written from chunks that were deflated on their own.
final class CSVFile: ResumableFile {
  let path: String
  private var member: GzipMember

  /// The file at `path`, begun with its first line, or resumed from `checkpoint`. *Throws*: `ResultsError`.
  init(path: String, columns: String, from checkpoint: Checkpoint?) throws {
    self.path = path
    let part = ResultsFolder.unfinished(path)
    if let checkpoint {
      member = try GzipMember(path: part, from: checkpoint)
    } else {
      member = try GzipMember(path: part)
      try member.append(stored: columns + "\n")
    }
  }

  var checkpoint: Checkpoint { member.checkpoint }
  func append(_ lines: DeflatedBlock) throws { try member.append(lines) }
  func synchronize() throws { try member.synchronize() }
  func finish() throws { try member.finish() }
}
