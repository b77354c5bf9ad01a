/// A CSV in one gzip member, written from chunks that were deflated on their own.
final class CSVFile: GrowingFile {
  let path: String
  private var member: GzipMember

  /// The file at `path`, begun with its first line, or gone on with from `mark`. *Throws*: `ResultsError`.
  init(path: String, columns: String, _ provenance: Provenance, from mark: FileMark?) throws {
    self.path = path
    let part = ResultsFolder.unfinished(path)
    if let mark {
      member = try GzipMember(path: part, from: mark)
    } else {
      member = try GzipMember(path: part, comment: provenance.description)
      try member.append(stored: columns + "\n")
    }
  }

  var mark: FileMark { member.mark }
  func append(_ lines: DeflatedBlock) throws { try member.append(lines) }
  func synchronize() throws { try member.synchronize() }
  func finish() throws { try member.finish() }
}
