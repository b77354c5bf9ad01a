import Foundation
import Tables

/// Results in a new folder each day.
extension Job {
  /// The template of the output; nil for a folder without a date.
  package var template: OutputTemplate? { OutputTemplate(writtenOutput) }

  /// The folder above the outputs of all days, where each run writes an index; nil unless key `index` is true.
  package var indexedFolder: String? {
    guard updatesIndex else { return nil }
    let parts = writtenOutput.split(separator: "/", omittingEmptySubsequences: false)
    let end = parts.firstIndex { $0.contains(OutputTemplate.placeholder) } ?? parts.lastIndex { !$0.isEmpty } ?? 0
    let folder = parts[..<end].joined(separator: "/")
    return folder.isEmpty ? (writtenOutput.hasPrefix("/") ? "/" : ".") : folder
  }

  /// Returns the days with an unfinished run, ascending; none for a folder without a date.
  ///
  /// - Parameter shard: The folder of a shard within the results folder, if any.
  package func unfinishedDays(shard: String?) -> [String] {
    template?.unfinishedDays(of: JobRecord(naming: self), shard: shard) ?? []
  }

  /// Returns the jobs of a run, each with its own folder: that of the last unfinished day first, then today's.
  ///
  /// - Parameter moment: The start of the run.
  package func runs(resuming unfinished: [String] = [], at moment: Date = Date()) -> [Job] {
    guard let template else { return [self] }
    let today = OutputTemplate.day(of: moment)
    return (unfinished.last == today ? [today] : unfinished.suffix(1) + [today]).map { day in
      var job = self
      job.output = template.folder(of: day).path
      return job
    }
  }

  /// Returns sentences about unfinished runs that are not resumed: of other jobs, and all but the latest of this one.
  package func notes(onUnfinished days: [String]) -> [String] {
    guard let template else { return [] }
    let others = template.unfinishedFolders(notOf: JobRecord(naming: self)).map(\.path).map { path in
      // The database of a run in progress is locked.
      FolderLock.isHeld(path)
        ? "\(path): a run in this folder is still in progress"
        : "\(path): an unfinished run of another job, or one that cannot be read, is kept"
    }
    return others
      + days.dropLast().map {
        "\(template.folder(of: $0).path): an older unfinished run is kept; each run resumes only the latest one"
      }
  }

  /// Links the latest results after a run, and removes all but the newest `keep` results.
  ///
  /// - Returns: Warnings about failures, which do not affect the results.
  func linkAndPrune(_ record: JobRecord) -> [String] {
    guard let template else { return [] }
    let today = OutputTemplate.day(of: Date())
    var sentences: [String] = []
    do { try template.linkLatest(of: record, today: today) } catch { sentences.append("\(error)") }
    return (sentences + (keep.map { template.keep($0, of: record, today: today) } ?? [])).map {
      RunOptions.warningPrefix + $0
    }
  }
}

extension Job {
  /// The files that the job reads.
  var inputs: [String] {
    [map, profile, coverage, sentinels].compactMap(\.self) + task.files.map(FeatureTable.file) + speeds.paths
      + (transit?.gtfs ?? [])
  }

  /// Checks that the job neither reads nor writes a file. *Throws*: `ResultsError`.
  func checkInputs(replacing path: String) throws {
    let folder = ResultsFolder(path: output)
    guard ResultsFolder.isSameFile(path, asAnyOf: inputs + [file]) || folder.replaced(of: [path]) != nil else { return }
    throw ResultsError(path: path, problem: "the job reads or writes this file; name another one", cause: .output)
  }

  /// Checks that the results would not replace a file that the job reads. *Throws*: `ResultsError`.
  func checkInputs(_ folder: ResultsFolder) throws {
    // The next run would read these results as input.
    let isRead = ResultsFolder.isSameFile(folder.path, asAnyOf: task.paths)
    let written = isRead ? task.outputs(of: self, in: folder).min() : nil
    guard let input = folder.replaced(of: inputs + [file]) ?? written else { return }
    throw ResultsError(
      path: folder.path,
      problem: "results here would replace \(input), which the job reads; name another folder with --output",
      cause: .output)
  }
}
