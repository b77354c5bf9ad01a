import Foundation
import Tables

/// All shards of one job, each exactly once, ready to merge.
package struct ShardSet: Sendable {
  /// The journals, in the order of the job's rows.
  package let files: [ShardFile]

  /// Opens the shards in `folders`, which may be in any order. *Throws*: `ResultsError` that names missing, duplicate,
  /// unfinished, damaged or foreign shards.
  package init(folders: [String]) throws {
    let found = try folders.map { (folder: $0, file: try ShardSet.open($0)) }
    guard let (firstFolder, first) = found.first else { preconditionFailure("there is at least one folder") }
    var folders: [Int: String] = [:]
    for (folder, file) in found {
      let shard = file.header.shard
      guard shard.count == first.header.shard.count else {
        throw ResultsError(
          path: folder,
          problem:
            "shard \(shard) does not match shard \(first.header.shard) in \(firstFolder): expected shards of one split",
          cause: .input)
      }
      if let other = folders.updateValue(folder, forKey: shard.index) {
        throw ResultsError(path: folder, problem: "duplicate of shard \(shard) in \(other)", cause: .input)
      }
      let changes = file.header.record.changes(from: first.header.record)
      guard changes.isEmpty else {
        throw ResultsError(
          path: folder,
          problem:
            "its shard and the one in \(firstFolder) are from different jobs: \(changes.joined(separator: "; "))",
          cause: .input)
      }
      guard file.header.hasSameCounts(as: first.header) else {
        throw ResultsError(
          path: folder, problem: "its chunks differ from those of the shard in \(firstFolder); run both again",
          cause: .input)
      }
    }
    let count = first.header.shard.count
    let missing = (0..<count).filter { folders[$0] == nil }
    guard missing.isEmpty else {
      let names = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
      throw ResultsError(
        path: firstFolder,
        problem: "\(missing.count) of \(count) shards are missing: \(names)\(missing.count > 10 ? ", …" : "")",
        cause: .input)
    }
    files = found.map(\.file).sorted { $0.header.shard.index < $1.header.shard.index }
    let rows = files.reduce(0) { $0 + $1.rows }
    guard rows == header.rowCount else {
      throw ResultsError(
        path: firstFolder,
        problem: "the shards have \(rows) rows, but their job has \(header.rowCount); run them again", cause: .input)
    }
  }

  private static func open(_ path: String) throws -> ShardFile {
    let folder = ResultsFolder(path: path)
    func error(_ problem: String) -> ResultsError { ResultsError(path: path, problem: problem, cause: .input) }
    guard FileProblem.isFolder(path) else { throw error("not a folder; expected one with a shard.journal") }
    guard FileManager.default.fileExists(atPath: folder.journal) else {
      let part = folder.journal.unfinished
      if FileManager.default.fileExists(atPath: part) {
        let file = try ShardFile(path: part)
        let progress = file.map {
          ": shard \($0.header.shard) has \($0.chunks.count) of \($0.header.chunks.count) chunks"
        }
        throw error("its shard is not finished\(progress ?? ""); run it again to resume it")
      }
      throw error(
        FileManager.default.fileExists(atPath: folder.database)
          ? "it contains the results of a whole job; expected a folder with a shard.journal"
          : "it contains no shard.journal; expected the folder of a shard, such as shard-00000-of-00008")
    }
    guard let file = try ShardFile(path: folder.journal) else {
      throw error("its shard.journal is damaged near its beginning; run its shard again with --fresh")
    }
    guard file.ending != nil, file.chunks.count == file.header.chunks.count else {
      throw error("its shard.journal is damaged at byte \(file.end); run shard \(file.header.shard) again with --fresh")
    }
    return file
  }

  package var header: ShardHeader { files[0].header }

  /// The time at which the earliest shard started.
  package var started: Date? { files.compactMap(\.header.record.started).min() }

  /// Checks that the job and its files have not changed since the shards ran. *Throws*: `ResultsError`.
  package func check(_ job: JobRecord) throws {
    let changes = job.changes(from: header.record)
    guard changes.isEmpty else {
      throw ResultsError(
        path: files[0].path,
        problem:
          "cannot merge the shards: since they ran, \(changes.joined(separator: "; ")); undo that, or run them "
          + "again with --fresh", cause: .changed)
    }
  }

  package var size: Int { files.reduce(0) { $0 + $1.size } }
}
