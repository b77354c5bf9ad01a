/// What an earlier run has left in a results folder.
package enum Leftover: Sendable {
  case nothing
  /// Rows up to the end of some chunk.
  case unfinished
  /// Everything but the names.
  case sealed

  /// *Throws*: `ResultsError` where it is of another job, with what has changed.
  package init(in folder: ResultsFolder, of job: JobRecord) throws {
    let path = ResultsFolder.unfinished(folder.database)
    self = .nothing
    guard folder.isUnfinished else { return }
    do {
      let database = try SQLite(path: path, .writing)
      try database.run(ResultsStore.holding)
      guard try ResultsDatabase(database).hasTable("job") else { return }
      let facts = try ResultsDatabase(database).facts()
      let changes = job.changes(from: facts)
      guard changes.isEmpty else {
        throw ResultsError(
          path: folder.path,
          problem: "an unfinished run lies here, and since it began \(changes.joined(separator: "; ")); "
            + "give that back to go on with it, or start over with --fresh")
      }
      self = facts["state"] == "finished" ? .sealed : .unfinished
      // As one file: what is still beside it goes into it.
      if case .sealed = self { try database.run("PRAGMA journal_mode = DELETE;") }
      try database.close()
    } catch let error as ResultsError where error.path == path {
      throw ResultsError(
        path: path,
        problem: "what an unfinished run left cannot be gone on with: \(error.problem); start over with --fresh")
    }
  }
}
