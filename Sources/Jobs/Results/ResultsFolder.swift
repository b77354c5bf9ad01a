import Foundation
import Geography
import Tables

/// The folder of a job's results. Files get their final names only once they are complete.
package struct ResultsFolder: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  package var database: String { "\(path)/results.sqlite" }
  package var report: String { "\(path)/report.html" }
  /// The log, one event per line; next to the results, but not one of them.
  package var log: String { "\(path)/log.jsonl" }

  /// The results of a shard, in its own folder.
  package var journal: String { "\(path)/shard.journal" }

  /// A file with a result's name in a folder without a run; nil if there is none.
  var foreignFile: String? {
    guard !hasShard, !isFinished, !isUnfinished, Foundation.access(log, F_OK) != 0 else { return nil }
    return allFiles.first { Foundation.access($0, F_OK) == 0 }
  }

  /// Returns whether another path leads to the same folder.
  package func isSame(as other: ResultsFolder) -> Bool { ResultsFolder.isSameFile(path, asAnyOf: [other.path]) }

  /// Returns the path of a file that a kind of job writes.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The files of all kinds of jobs, except the database.
  var allFiles: [String] {
    var files: [String] = []
    for file in JobKind.allCases.flatMap({ $0.results.files(in: self) }) where !files.contains(file) {
      files.append(file)
    }
    return files + [report]
  }

  /// Returns the first of the given files that a run here would replace.
  package func replaced(of files: [String]) -> String? {
    let final = [database, log, journal] + allFiles
    let runFiles = Set((final + final.map(\.unfinished)).compactMap(FileNumber.init))
    return files.first { FileNumber($0).map(runFiles.contains) == true }
  }

  /// Returns whether a file is the same as one of several, independent of how their paths are written.
  static func isSameFile(_ path: String, asAnyOf files: [String]) -> Bool {
    FileNumber(path).map(files.compactMap(FileNumber.init).contains) ?? false
  }

  /// The identity of a file, independent of its path; nil if it is missing.
  private struct FileNumber: Hashable {
    var device: dev_t
    var inode: ino_t

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode) = (status.st_dev, status.st_ino)
    }
  }

  /// Whether there is an unfinished run here.
  package var isUnfinished: Bool { Foundation.access(database.unfinished, F_OK) == 0 }

  /// Whether there is an unfinished shard here.
  var hasUnfinishedShard: Bool { Foundation.access(journal.unfinished, F_OK) == 0 }

  /// Whether there is a shard here, finished or not.
  var hasShard: Bool { hasUnfinishedShard || Foundation.access(journal, F_OK) == 0 }

  /// Free space on the folder's disk.
  package var freeBytes: Int {
    var (path, status) = (path, statvfs())
    while statvfs(path, &status) != 0 {
      guard path.contains("/"), path != "/" else { return statvfs(".", &status) == 0 ? availableBytes(status) : .max }
      path = path.folder
      if path.isEmpty { path = "." }
    }
    return availableBytes(status)
  }

  private func availableBytes(_ status: statvfs) -> Int { Int(status.f_bavail) * Int(status.f_frsize) }

  /// Space for results: free space plus the files of an unfinished run.
  var bytesForResults: Int {
    let (sum, overflows) = freeBytes.addingReportingOverflow(unfinishedBytes)
    return overflows ? .max : sum
  }

  /// The size of an unfinished run's files.
  private var unfinishedBytes: Int {
    ([database, journal] + allFiles).reduce(0) { $0 + (FileManager.size(of: $1.unfinished) ?? 0) }
  }

  /// Checks that the folder can be created and written to. *Throws*: `ResultsError`.
  func checkWritable() throws {
    var existing = path
    while !FileManager.default.fileExists(atPath: existing) {
      existing = existing.folder.isEmpty ? "." : existing.folder
    }
    guard FileProblem.isFolder(existing) else {
      throw ResultsError(
        path: path,
        problem: "the output folder cannot be created: "
          + (existing == path ? "there is a file of that name" : "\(existing) is a file"), cause: .output)
    }
    guard Foundation.access(existing, W_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw ResultsError(path: path, problem: "the output folder cannot be written: \(reason)", cause: .output)
    }
  }

  /// Checks that the path of the database is not too long for SQLite. *Throws*: `ResultsError`.
  func checkLength() throws {
    let length = URL(fileURLWithPath: database.unfinished).resolvingSymlinksInPath().path.utf8.count
    guard length > SQLite.longestPath else { return }
    throw ResultsError(
      path: path,
      problem: "the path of results.sqlite.part here has \(length) bytes, expected at most \(SQLite.longestPath), the "
        + "limit of SQLite; name another folder with --output", cause: .output)
  }

  /// Creates the folder, checks that files can be written there, and locks it. *Throws*: `ResultsError`.
  package func lock() throws -> FolderLock {
    try checkWritable()
    do {
      try FileManager.makeFolder(path)
    } catch {
      throw ResultsError(
        path: path, problem: "the output folder cannot be created: \(FileProblem.reason(of: error, writing: path))",
        cause: .output)
    }
    return try FolderLock(path)
  }

  /// Checks that the result files can be written under their names, which must not be links to other files. *Throws*:
  /// `ResultsError`.
  func checkNames() throws {
    for file in [database, journal] + allFiles {
      for (name, isUnfinished) in [(file, false), (file.unfinished, true)] {
        var status = stat()
        guard lstat(name, &status) == 0 else { continue }
        let kind = status.st_mode & S_IFMT
        // A link under a final name is replaced.
        guard kind != S_IFREG, isUnfinished || kind == S_IFDIR else { continue }
        let description = kind == S_IFLNK ? "a symbolic link" : FileManager.irregularity(of: name) ?? "not a file"
        throw ResultsError(
          path: name,
          problem: "results are written here, but this is \(description); move it away, or name another folder",
          cause: .output)
      }
    }
  }

  /// Removes the files of an unfinished run.
  package func discard() {
    let part = database.unfinished
    // The database first: without it, the other files belong to no run.
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(part + suffix) }
    for file in allFiles { unlink(file.unfinished) }
  }

  /// Removes a shard, finished or not.
  func discardShard() {
    for file in [journal, journal.unfinished] { unlink(file) }
  }

  /// Gives sealed results their final names, the database last, and removes files of an earlier job of another kind or
  /// format, which would look like a part of these results. Can be repeated. *Throws*: `ResultsError`.
  package func publish(_ files: [String]) throws {
    for file in allFiles {
      if files.contains(file) { try rename(file.unfinished, to: file) } else { unlink(file) }
    }
    try rename(database.unfinished, to: database)
    // An empty journal is left by a run that was killed between its last commit and its end.
    unlink(database.unfinished + "-journal")
    // SQLite's temporary files stay only if it could not remove them.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where name.hasPrefix("etilqs_") {
      unlink("\(path)/\(name)")
    }
    synchronize()
  }

  /// Gives a finished shard its final name. Can be repeated. *Throws*: `ResultsError`.
  func publishShard() throws {
    try rename(journal.unfinished, to: journal)
    synchronize()
  }

  private func synchronize() {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    // Some file systems cannot synchronize a folder; the names are correct anyway.
    _ = fsync(folder)
  }

  /// Renames a file; does nothing if it already has its final name.
  private func rename(_ part: String, to file: String) throws {
    guard Foundation.rename(part, file) == 0 || errno == ENOENT && Foundation.access(file, F_OK) == 0 else {
      throw ResultsError(path: file, problem: String(cString: strerror(errno)), cause: .output)
    }
  }
}

extension ResultsFolder {
  /// Whether there are finished results here. An empty file, as `sqlite3 results.sqlite` leaves, does not count.
  package var isFinished: Bool {
    FileManager.default.fileExists(atPath: database) && FileManager.size(of: database) != 0
  }

  /// The record of the finished results here; nil if there are none, or they cannot be read.
  private var finishedRecord: JobRecord? {
    guard isFinished else { return nil }
    SQLite.rollBack(database)
    return try? SQLite(path: database, .reading).jobRecord()
  }

  /// The record of the shard here, finished or not; nil if there is none, or it cannot be read.
  var shardRecord: JobRecord? {
    guard hasShard else { return nil }
    let path = hasUnfinishedShard ? journal.unfinished : journal
    return (try? ShardFile.header(at: path))??.record
  }

  /// Returns whether there is an unfinished run or shard of the same job here.
  func isUnfinished(of job: JobRecord, shard: String? = nil) -> Bool {
    let record: JobRecord?
    if let shard {
      let folder = ResultsFolder(path: file(shard))
      record = folder.hasUnfinishedShard ? folder.shardRecord : nil
    } else {
      record = PreviousRun.record(in: self)
    }
    return record.map { $0.identity[.kind] != nil && job.mismatch(with: $0) == nil } ?? false
  }

  /// Returns whether there are finished results of the same job here.
  func hasResults(of job: JobRecord) -> Bool { finishedRecord.map { job.mismatch(with: $0) == nil } ?? false }

  /// The events in the log.
  var logEvents: [[String: Any]] {
    let lines = (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n") ?? []
    return lines.compactMap { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any] }
  }

  /// Returns whether a run of the same job stopped here before its first rows, and there is no other file.
  func hasOnlyLog(of job: JobRecord) -> Bool {
    guard (try? FileManager.default.contentsOfDirectory(atPath: path)) == [lastPathComponent(log)],
      let start = logEvents.last(where: { $0["event"] as? String == "start" })
    else { return false }
    let record = JobRecord(entries: start.compactMap { key, value in (value as? String).map { (key, $0) } })
    return record.identity[.kind] != nil && job.mismatch(with: record) == nil
  }

  /// Checks that no finished results of another job would be replaced. *Throws*: `ResultsError`.
  func checkFinished(of job: JobRecord) throws {
    guard isFinished else { return }
    guard let finished = finishedRecord, finished.identity[.kind] != nil else {
      throw ResultsError(
        path: database,
        problem:
          "this file does not belong to a job, or cannot be read; name another folder with --output, or replace it with "
          + "--fresh", cause: .output)
    }
    guard let mismatch = job.mismatch(with: finished) else { return }
    throw ResultsError(
      path: path,
      problem: "finished results of another job are in this folder (\(mismatch)); name another folder with --output, "
        + "or replace them with --fresh", cause: .output)
  }

  /// Removes finished results with their folder. *Returns*: Foreign files in it; if there are any, nothing is removed.
  func remove() -> [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let folders = ["compare"] + names.filter(Shard.isFolderName)
    let shards = folders.dropFirst().map { ResultsFolder(path: file($0)) }
    let parts =
      ["compare.sqlite", "compare.html"].map { file("compare/\($0)") } + shards.flatMap { [$0.log, $0.journal] }
    // The database last: without it, the other files belong to no run.
    let runFiles = allFiles + parts + [log, database]
    let removable = Set(runFiles + folders.map(file))
    let others = names.filter {
      // A link's target does not belong to the run.
      !removable.contains(file($0)) || FileProblem.isLink(file($0))
    }
    guard others.isEmpty else { return others.sorted() }
    for file in runFiles { unlink(file) }
    for folder in folders { rmdir(file(folder)) }
    rmdir(path)
    // For reports/{date}/etas, the day's folder is also removed if it is now empty.
    _ = rmdir(path.folder)
    return []
  }
}
