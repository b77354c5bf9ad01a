import Foundation
import Tables

/// A folder of results that is another one each night: `reports/{date}`.
///
///     let template = try OutputTemplate("reports/{date}")
///     template?.folder(of: "2026-11-22")     // reports/2026-11-22
package struct OutputTemplate: Sendable {
  package static let word = "{date}"
  private let before: String
  private let behind: String
  /// What follows the day in the name of its folder.
  private var end: Substring { behind.prefix { $0 != "/" } }

  /// Nil for a folder that is the same every night.
  package init?(_ path: String) {
    guard let word = path.range(of: OutputTemplate.word) else { return nil }
    (before, behind) = (String(path[..<word.lowerBound]), String(path[word.upperBound...]))
  }

  /// What of a path cannot be told, as in `reports/{dat}`; nil for nothing.
  static func unknownWord(in path: String) -> String? {
    let rest = OutputTemplate(path).map { $0.before + $0.behind } ?? path
    guard let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") else { return nil }
    return String(rest[start...end])
  }

  /// A day on the clocks of this machine: 2026-11-22.
  package static func day(of moment: Date) -> String {
    moment.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
  }

  package func folder(of day: String) -> ResultsFolder { ResultsFolder(path: before + day + behind) }

  /// The days that have a folder, ascending.
  package var days: [String] {
    let parent = before.hasSuffix("/") ? before : (before as NSString).deletingLastPathComponent
    let start = before.hasSuffix("/") ? "" : (before as NSString).lastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(start), name.hasSuffix(end), name.count == start.count + 10 + end.count else { return nil }
      let day = String(name.dropFirst(start.count).dropLast(end.count))
      return OutputTemplate.isDay(day) && FileProblem.isFolder(folder(of: day).path) ? day : nil
    }.sorted()
  }

  /// The day whose run of a job has not ended, the last one of several; nil where all have.
  ///
  /// - Parameter shard: The folder of a shard within that of the day, if it is one that has not ended.
  func unfinishedDay(of job: JobRecord, shard: String? = nil) -> String? {
    days.last { folder(of: $0).isUnfinished(of: job, shard: shard) }
  }

  /// Folders in which others have left unfinished runs: of another job, or such as cannot be read.
  package func othersUnfinished(than job: JobRecord) -> [ResultsFolder] {
    days.map(folder).filter { $0.isUnfinished && !$0.isUnfinished(of: job) }
  }

  /// Whether this is a day as `day(of:)` has them, and of the calendar: not 2026-02-30.
  private static func isDay(_ text: String) -> Bool {
    let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
    return (try? Date(text, strategy: style)).map { $0.formatted(style) == text } ?? false
  }
}

extension OutputTemplate {
  /// Links `reports/latest` to the last finished results of a job that are not dated after `today`. *Throws*: `ResultsError`.
  func linkLatest(of job: JobRecord, today: String) throws {
    guard let day = days.last(where: { $0 <= today && folder(of: $0).hasResults(of: job) }) else { return }
    let link = before + "latest" + end
    let name = (before + day + end as NSString).lastPathComponent
    // Several jobs may end at once.
    let part = "\(link).\(getpid()).part"
    unlink(part)
    // A link replaces a link, whole or not at all; all else of that name stays, and says so.
    let isTaken = access(link, F_OK) == 0 && !FileProblem.isLink(link)
    guard !isTaken, symlink(name, part) == 0, rename(part, link) == 0 else {
      let other = FileProblem.isFolder(link) ? "a folder" : "another file"
      let problem = isTaken ? "\(other) has the name of the link" : String(cString: strerror(errno))
      unlink(part)
      throw ResultsError(path: link, problem: "cannot link the latest results: \(problem)", cause: .output)
    }
  }

  /// Removes the finished results of a job but for the last `count` days up to `today`.
  ///
  /// - Returns: What stays although it is older or dated after today, in sentences.
  package func keep(_ count: Int, of job: JobRecord, today: String) -> [String] {
    let finished = days.filter { !folder(of: $0).isUnfinished && folder(of: $0).hasResults(of: job) }
    let future = finished.filter { $0 > today }.map { "\(folder(of: $0).path): these results are dated after today" }
    let old = finished.filter { $0 <= today }.dropLast(count)
    return future
      + old.compactMap { day in
        let folder = folder(of: day)
        guard !FileProblem.isLink(before + day + end), !FileProblem.isLink(folder.path) else {
          return "\(folder.path): older than keep allows, and left, for it is a symbolic link"
        }
        guard let lock = try? folder.lock() else { return nil }
        let others = withExtendedLifetime(lock) { folder.remove() }
        return others.first.map { "\(folder.path): older than keep allows, and left, for it has other files (\($0))" }
      }
  }
}
