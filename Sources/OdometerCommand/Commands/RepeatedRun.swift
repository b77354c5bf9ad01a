import Foundation
import Jobs
import Tables

/// A run that is repeated from its own record: table `job` of its results.
struct RepeatedRun {
  private let output: String
  let record: JobRecord
  private let database: String

  /// - Parameters:
  ///   - folder: The results, or their folder.
  ///   - output: The folder for the new ones; nil for one beside it.
  /// - Throws: `ResultsError` where there are no results.
  init(_ folder: String, output: String?) throws {
    database = RepeatedRun.absolute(try ResultsFolder.database(named: folder))
    record = try ResultsDatabase(path: database).record
    let beside = ResultsFolder(ofDatabase: database).path + "-again"
    self.output = output.map(RepeatedRun.absolute) ?? beside
  }

  /// The job, whose paths start from the folder that `enter` goes to. *Throws*: `ResultsError` where the record does not say
  /// enough.
  func job() throws -> Job { try Job(of: record, in: database, output: output) }

  /// Goes to the folder that the job's paths start from. *Throws*: `ResultsError`.
  func enter() throws {
    guard let folder = record.run[.workingFolder], FileManager.default.changeCurrentDirectoryPath(folder) else {
      throw ResultsError(
        path: database,
        problem:
          "the run cannot be repeated: its paths start from \(record.run[.workingFolder] ?? "nowhere"), which is gone",
        cause: .changed)
    }
  }

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : (FileManager.default.currentDirectoryPath as NSString).appendingPathComponent(path)
  }
}
