import Foundation
import Results

/// Results that have another folder each night.
extension Job {
  /// Nil where the folder is the same every night.
  package var template: OutputTemplate? { OutputTemplate(writtenOutput) }

  /// The jobs of a run that begins now, each into its own folder: an unfinished one of an earlier day first, then today's.
  ///
  /// - Parameters:
  ///   - isFresh: Whether what is unfinished is left behind.
  ///   - moment: When the run began.
  package func runs(isFresh: Bool, at moment: Date = Date()) -> [Job] {
    guard let template else { return [self] }
    let today = OutputTemplate.day(of: moment)
    let unfinished = isFresh ? nil : template.unfinishedDay
    let days = [unfinished, today].compactMap(\.self)
    return (unfinished == today ? [today] : days).map { day in
      var job = self
      job.output = template.folder(of: day).path
      return job
    }
  }

  /// After a run: has the link lead to the latest results, and removes those that `keep` does not allow.
  ///
  /// - Returns: Folders that have other files, too, which stay.
  func tidy(_ record: JobRecord) throws -> [ResultsFolder] {
    guard let template else { return [] }
    try template.linkLatest()
    return keep.map { template.keep($0, of: record) } ?? []
  }
}
