import Foundation
import Geography
import Tables

/// All runs in a folder, grouped by job, with each job's nights in order; read only from tables and logs.
package struct RunHistory: Sendable {
  /// A nightly run, finished or not.
  package struct Night: Sendable {
    /// The run's folder, relative to the history's folder.
    package var folder: String
    /// The start of the run in ISO 8601.
    package var began: String
    /// The reason why it has no results; nil for a finished run.
    package var failure: String?
    package var headline = ""
    package var missing = ""
    package var seconds: Double?
    /// The number of rows with a result; `rows` counts all rows.
    package var answered = 0
    package var rows = 0
    package var rejected = 0
    /// The night's main figure, `Job.measure`, in `Job.unit`; nil if the night measured another one.
    package var value: Double?
    package var p95: Double?
    /// The numbers of verified rows and of differences found; nil without `verify`.
    package var verified: Int?
    package var differences: Int?
    /// The inputs and settings that determine its figures.
    fileprivate var state: [(name: String, value: String)] = []
    fileprivate var figure: Figure?
    /// As in `Job`.
    fileprivate var travelling = ""
    /// Changes since the last finished night: "map", "profile", "input", "settings", "version".
    package fileprivate(set) var changes: [String] = []
    /// The range expected from earlier nights; nil if there are too few.
    package fileprivate(set) var expected: ClosedRange<Double>?
    /// Whether none of its rows has a result.
    package var hasNoAnswer: Bool { failure == nil && rows > 0 && answered == 0 }
    /// Whether the value lies outside the expected range.
    package var drifts: Bool { if let value, let expected { !expected.contains(value) } else { false } }
  }

  /// A job and its nights.
  package struct Job: Sendable {
    package var name: String
    package var kind: JobKind
    /// The mode of travel in words. Mode and measure are those of the newest finished night, since profiles may differ.
    package var travelling: String
    fileprivate var transportType: String
    /// The meaning of `Night.value`: "travel time", "share of residents within 10 min".
    package var measure: String
    package var unit: Unit
    package fileprivate(set) var nights: [Night]
  }

  package enum Unit: String, Sendable { case seconds, share, squareMetres = "square_metres", ratio }

  /// The main figure of a night, with its 95th percentile. Figures are comparable if they have the same `key`, even if
  /// their `measure` is worded differently.
  typealias Figure = (value: Double?, p95: Double?, measure: String, unit: Unit, key: String)

  /// The jobs, sorted by name.
  package let jobs: [Job]
  /// Folders with unreadable results and no log that names their job.
  package let unreadable: [String]
  private let folder: String

  /// *Throws*: `ResultsError` if there is no such folder.
  package init(of folder: String) throws {
    self.folder = folder
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw ResultsError(
        path: folder, problem: "no such folder; expected a folder that contains results folders", cause: .input)
    }
    var (jobs, unreadable) = ([String: Job](), [String]())
    for path in RunHistory.folders(in: folder) {
      guard let (job, night) = RunHistory.run(in: folder, path) else {
        if ResultsFolder(path: "\(folder)/\(path)").isFinished { unreadable.append(path) }
        continue
      }
      let key = "\(job.name)|\(job.kind.rawValue)|\(job.transportType)"
      jobs[key, default: job].nights.append(night)
    }
    self.jobs = jobs.sorted { $0.key < $1.key }.map { $0.value.compared() }
    self.unreadable = unreadable
  }

  /// Returns the run whose results are in a folder; nil if the history has none.
  package func night(in results: ResultsFolder) -> Night? {
    let path = RunHistory.resolved(results.path)
    return jobs.lazy.flatMap(\.nights).first { RunHistory.resolved("\(folder)/\($0.folder)") == path }
  }

  private static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

  /// Returns subfolders to a depth of three, without following links.
  private static func folders(in folder: String) -> [String] {
    func below(_ path: String, _ depth: Int) -> [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)"))?.sorted() ?? []
      return names.filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
        let next = path.isEmpty ? name : "\(path)/\(name)"
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(next)")
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else { return [] }
        return [next] + (depth > 1 ? below(next, depth - 1) : [])
      }
    }
    return below("", 3)
  }

  /// Returns the run in a folder; nil if there is none.
  private static func run(in folder: String, _ path: String) -> (Job, Night)? {
    let results = ResultsFolder(path: "\(folder)/\(path)")
    // A finished shard is a part of a run, and any shard next to merged results is a leftover of one.
    let isPart =
      results.hasShard && (!results.hasUnfinishedShard || ResultsFolder(path: results.path.folder).isFinished)
    guard results.isFinished else { return isPart ? nil : failure(in: results, path) }
    do {
      return try night(ResultsDatabase(path: results.database), path)
    } catch {
      return failure(in: results, path, because: "its results cannot be read")
    }
  }

  private static func night(_ results: ResultsDatabase, _ path: String) throws -> (Job, Night) {
    let record = results.record
    var night = Night(folder: path, began: record.run[.started] ?? "")
    let counts = try results.statusCounts()
    (night.rows, night.answered) = (counts.total, counts.ok)
    (night.headline, night.missing) = (try results.headline, try results.missing)
    night.rejected = record.figures.integer(.rejected) ?? 0
    night.seconds = record.run.number(.seconds)
    night.verified = record.figures.integer(.verifiedRows)
    night.differences = record.figures.integer(.verifiedDifferences)
    // Dates are different every night.
    let dates: [IdentityKey] = [.date, .departureDate, .arrivalDate]
    func text(_ isIncluded: (IdentityKey) -> Bool) -> String {
      record.identity.keys.filter(isIncluded).map { "\($0.rawValue)=\(record.identity[$0] ?? "")" }.sorted()
        .joined(separator: " ")
    }
    night.state = [
      ("map", text { $0 == .mapSHA256 }), ("profile", text { $0 == .profileSHA256 }),
      ("input", text { $0.isDigest && ![.mapSHA256, .profileSHA256, .networkSHA256].contains($0) }),
      ("settings", text { $0.meaning(in: record) == .setting && !dates.contains($0) }),
      ("version", text { $0 == .version }),
    ]
    let figure = try results.kind.results.figure(results)
    (night.value, night.p95, night.figure, night.travelling) = (figure.value, figure.p95, figure, record.travelling)
    let job = Job(
      name: name(record.run[.jobFile] ?? path), kind: results.kind, travelling: record.travelling,
      transportType: record.identity[.transportType] ?? "", measure: figure.measure, unit: figure.unit, nights: [])
    return (job, night)
  }

  private static func name(_ file: String) -> String { (lastPathComponent(file) as NSString).deletingPathExtension }

  /// Returns a run without results; nil if no log names its kind. The failure is `reason`, else the error in the log,
  /// else "not finished".
  private static func failure(
    in results: ResultsFolder, _ path: String, because reason: String? = nil
  ) -> (Job, Night)? {
    let events = results.logEvents
    func text(_ event: [String: Any]?, _ key: String) -> String? { event?[key] as? String }
    guard let start = events.last(where: { text($0, "event") == "start" }), let last = events.last,
      let kind = text(start, "kind").flatMap(JobKind.init(rawValue:))
    else { return nil }
    var record = JobRecord()
    for key in [IdentityKey.profile, .transportType, .pace, .elevationSHA256] {
      record.identity[key] = text(start, key.rawValue)
    }
    var night = Night(folder: path, began: text(start, "started") ?? text(start, "time") ?? "")
    night.failure = reason ?? (text(last, "event") == "failed" ? text(last, "problem") ?? "failed" : "not finished")
    let job = Job(
      name: name(text(start, "job_file") ?? path), kind: kind, travelling: record.travelling,
      transportType: record.identity[.transportType] ?? "", measure: "typical travel time", unit: .seconds, nights: [])
    return (job, night)
  }
}

extension RunHistory.Job {
  private static let (maximumNights, minimumNights) = (14, 5)

  /// Adds to each night the changes since the previous one, and the expected range.
  fileprivate func compared() -> Self {
    var job = self
    job.nights.sort { ($0.began, $0.folder) < ($1.began, $1.folder) }
    if let newest = job.nights.last(where: { $0.failure == nil }) { job.travelling = newest.travelling }
    if let figure = job.nights.last(where: { $0.value != nil })?.figure {
      (job.measure, job.unit) = (figure.measure, figure.unit)
      // Shares within another threshold are not comparable.
      for index in job.nights.indices where job.nights[index].figure?.key != figure.key {
        (job.nights[index].value, job.nights[index].p95) = (nil, nil)
      }
    }
    var previous: RunHistory.Night?
    for index in job.nights.indices where job.nights[index].failure == nil {
      let night = job.nights[index]
      if let previous {
        job.nights[index].changes = zip(previous.state, night.state).filter { $0 != $1 }.map(\.1.name)
      }
      job.nights[index].expected = expected(after: job.nights[..<index].compactMap(\.value))
      previous = night
    }
    return job
  }

  /// Returns the range expected from the last nights: their median, plus or minus three times their median absolute
  /// deviation. The margin is at least 0.5 % of the median (for shares, 0.5 percentage points), in case all nights are
  /// equal.
  private func expected(after values: [Double]) -> ClosedRange<Double>? {
    let values = values.suffix(Self.maximumNights)
    guard values.count >= Self.minimumNights else { return nil }
    let middle = values.median
    let spread = 3 * values.map { abs($0 - middle) }.median
    let margin = max(spread, unit == .share ? 0.005 : abs(middle) * 0.005)
    return middle - margin...middle + margin
  }
}
