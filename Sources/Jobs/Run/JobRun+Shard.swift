import Foundation
import Results
import Settings

extension Job {
  /// The job of a run, as its record has it. *Throws*: `SettingsError`; `ResultsError` where the record has none.
  package init(of record: JobRecord, in path: String, output: String? = nil) throws {
    guard let text = record.run[.jobText], let name = record.run[.jobFile] else {
      throw ResultsError(
        path: path, problem: "its table job has no job_text: a version that did not keep it wrote these results",
        cause: .input)
    }
    try self.init(SettingsFile(name: name, bytes: Data(text.utf8)), output: output)
    writesLinks = record.identity.flag(.links) ?? false
  }

  /// The job whose shards are merged. *Throws*: `SettingsError`.
  package init(of shards: ShardSet, output: String? = nil) throws {
    let name = shards.header.record.run[.jobFile] ?? "the shards' job file"
    try self.init(SettingsFile(name: name, bytes: Data(shards.header.jobText)), output: output)
    writesLinks = shards.header.writesLinks
  }
}
