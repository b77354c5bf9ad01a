import Foundation
import Routing
import Settings
import StreetNetwork
import Tables

extension Job {
  /// The job of a run, as its record has it. *Throws*: `SettingsError`; `ResultsError` where the record has none.
  ///
  /// - Parameter files: Where its map and profile are now; nil for the very paths of the job file.
  package init(
    of record: JobRecord, in path: String, output: String? = nil, at files: LocatedFiles? = nil
  ) throws {
    guard let text = record.run[.jobText], let name = record.run[.jobFile] else {
      throw ResultsError(
        path: path, problem: "its table job has no job_text: a version that did not keep it wrote these results",
        cause: .input)
    }
    let settings = try SettingsFile(name: name, bytes: Data(text.utf8))
    try self.init(files?.settings(of: record, name).patching(settings) ?? settings, output: output)
    writesLinks = record.identity.flag(.links) ?? false
    // Before there was a limit, trips waited for as long as it took.
    if record.identity[.waitLimit] == nil { waitLimit = Directions.Options.largestWaitLimit / 60 }
  }

  /// The same of finished results, with its hours. *Throws*: also `InputError`.
  init(of database: ResultsDatabase, on network: StreetNetwork) throws {
    let record = database.record
    self = try Job(of: record, in: database.path, output: database.path.folder, at: LocatedFiles())
      .resolved(on: network, now: record.started ?? Date())
  }

  /// The job whose shards are merged. *Throws*: `SettingsError`.
  package init(of shards: ShardSet, output: String? = nil) throws {
    let name = shards.header.record.run[.jobFile] ?? "the shards' job file"
    try self.init(SettingsFile(name: name, bytes: Data(shards.header.jobText)), output: output)
    writesLinks = shards.header.writesLinks
  }
}

/// Where a run's map and profile are now, if they have moved; else they are found through the run's record.
package struct LocatedFiles: Sendable {
  package var map: String?
  package var profile: String?
  package init(map: String? = nil, profile: String? = nil) { (self.map, self.profile) = (map, profile) }

  /// Keys of the job file that say so.
  fileprivate func settings(of record: JobRecord, _ name: String) throws -> SettingsFile {
    let identity = record.identity
    var keys: [String: String] = [:]
    keys["map"] = map ?? (identity.text(.networkFile) ?? identity.text(.map)).map(record.located)
    keys["transportType"] = identity.text(.transportType)
    keys["profile"] =
      profile ?? identity.text(.profileFile).map { Profile.stockNames.contains($0) ? $0 : record.located($0) }
    keys["elevation"] = identity.text(.elevation).map(record.located)
    return try SettingsFile(name: name, bytes: JSONEncoder().encode(keys))
  }
}

extension JobRecord {
  /// The path of a file of the run: in the folder where it ran, if the file is there; else as the record has it.
  func located(_ file: String) -> String {
    guard !file.hasPrefix("/"), let folder = run[.workingFolder] else { return file }
    let there = (folder as NSString).appendingPathComponent(file)
    return FileManager.default.fileExists(atPath: there) ? there : file
  }
}
