import Foundation
import Jobs
import Results

/// A run that is repeated from its own record: table `job` of its results.
struct RepeatedRun {
  let job: Job
  let record: JobRecord
  private let database: String

  /// - Parameters:
  ///   - folder: The results, or their folder.
  ///   - output: The folder for the new ones; nil for one beside it.
  /// - Throws: `ResultsError` where the record does not say enough.
  init(_ folder: String, output: String?) throws {
    database = RepeatedRun.absolute(try ResultsFolder.database(named: folder))
    record = try ResultsDatabase(path: database).record
    let beside = ResultsFolder(ofDatabase: database).path + "-again"
    job = try Job(of: record, in: database, output: output.map(RepeatedRun.absolute) ?? beside)
  }

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
