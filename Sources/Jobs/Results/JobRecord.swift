import Foundation
import Input
import Routing
import StreetNetwork
import Tables

/// The entries of a run's table `job`, by purpose.
package struct JobRecord: Sendable {
  /// The identity: an unfinished run is resumed only if all of it is unchanged.
  package var identity: Entries<IdentityKey>
  /// The time, place and speed of the run: these differ even between runs with equal results.
  package var run: Entries<RunKey>
  /// The outcome, in numbers.
  package var figures: Entries<FigureKey>

  package init(
    identity: Entries<IdentityKey> = .init(), run: Entries<RunKey> = .init(), figures: Entries<FigureKey> = .init()
  ) { (self.identity, self.run, self.figures) = (identity, run, figures) }

  static let table = Table<(key: String, value: String)>(
    "job", "property of the run",
    [
      .textKey("key", "name of the property, such as a setting, digest, count or time") { $0.key },
      .optionalText("value", "text; list items are separated by commas, items with a comma are quoted") { $0.value },
    ])

  /// Returns the kind of job. *Throws*: `ResultsError` if the database at `path` has no known kind.
  func kind(of path: String) throws -> JobKind {
    guard let kind = identity[.kind].flatMap(JobKind.init(rawValue:)) else {
      throw ResultsError(path: path, problem: "not a results database", cause: .input)
    }
    return kind
  }

  package var provenance: Provenance {
    Provenance(
      version: identity[.version] ?? "", map: identity[.map].map(lastPathComponent) ?? "",
      mapDate: identity[.mapDate] ?? "", profile: identity[.profile] ?? "")
  }

  /// Returns a difference from an earlier run that shows that the runs belong to different jobs, in kind, transport
  /// mode or job file name, such as "kind was etas, now routes"; nil for the same job.
  func mismatch(with earlier: JobRecord) -> String? {
    func phrase(_ key: String, _ now: String?, _ before: String?) -> String? {
      guard let now, let before, now != before else { return nil }
      return "\(key) was \(before), now \(now)"
    }
    return phrase(IdentityKey.kind.rawValue, identity[.kind], earlier.identity[.kind])
      ?? phrase(IdentityKey.transportType.rawValue, identity[.transportType], earlier.identity[.transportType])
      ?? phrase(
        RunKey.jobFile.rawValue, run[.jobFile].map(lastPathComponent), earlier.run[.jobFile].map(lastPathComponent))
  }

  /// Returns the differences from an earlier run's identity, one phrase per key.
  package func changes(from earlier: JobRecord) -> [String] {
    let gone = earlier.identity.keys.filter { identity[$0] == nil }
    return (identity.keys + gone).compactMap { key in
      if key.identifyingPart(of: identity[key]) == key.identifyingPart(of: earlier.identity[key]) { return nil }
      guard let before = earlier.identity[key] else { return "\(key.rawValue) is new" }
      let now = identity[key] ?? ""
      if before == now { return nil }
      guard !key.isDigest else { return "the content of \(key.subject) changed" }
      let (old, new) = JobRecord.shortened(before, now)
      return "\(key.rawValue) was \(old.isEmpty ? "not set" : old), now \(new.isEmpty ? "not set" : new)"
    }
  }

  /// Returns both values; long ones, such as lists of departures, are shortened to a part that begins just before their
  /// first difference.
  private static func shortened(_ a: String, _ b: String) -> (String, String) {
    guard max(a.count, b.count) > 80 else { return (a, b) }
    let start = max(0, zip(a, b).prefix { $0 == $1 }.count - 10)
    func part(_ value: String) -> String {
      "\(start > 0 ? "…" : "")\(value.dropFirst(start).prefix(40))\(value.count > start + 40 ? "…" : "")"
    }
    return (part(a), part(b))
  }
}

extension JobRecord {
  /// Creates a record from the entries of a table `job`.
  package init(entries: [(key: String, value: String)]) {
    self.init()
    for (key, value) in entries {
      if let key = RunKey(rawValue: key) {
        run[key] = value
      } else if FigureKey.isKnown(key) {
        figures[FigureKey(key)] = value
      } else {
        identity[IdentityKey(key)] = value
      }
    }
  }

  /// Returns the record with only the keys that `other` has: some are unknown before the network is loaded.
  func withKeys(of other: JobRecord) -> JobRecord {
    var record = self
    for key in identity.keys where other.identity[key] == nil { record.identity[key] = nil }
    return record
  }

  /// Returns the part of a network that differs from the run's: "map" or "profile"; nil for neither.
  func mismatch(with network: NetworkLocation) -> String? {
    if network.mapDigest != identity[.mapSHA256] { return "map" }
    return network.profileDigest == identity[.profileSHA256] ? nil : "profile"
  }

  /// The entries in the format of table `job`.
  package var entries: [(key: String, value: String)] { identity.entries + run.entries + figures.entries }
}

extension JobRecord {
  /// Creates the record of a new run. *Throws*: `OdometerError`.
  init(of job: Job, on network: StreetNetwork, version: String) throws {
    try self.init(of: job, by: network.profile, map: network.fingerprints.map, version: version)
    // A network file names its map, to which the results belong.
    identity[.map] = job.networkProfile == nil ? job.map : network.mapName
    identity[.mapDate] = network.mapDate
    identity[.profileSHA256] = network.fingerprints.profile
    identity[.networkSHA256] = network.fingerprints.network
    if network.drivesOnLeft { identity[.drivingSide] = IdentityKey.left }
    if let accessibility = network.accessibility { identity[.accessibility] = accessibility }
    identity.merge(job.task.identity(of: job, on: network))
    if let departures = job.departures {
      identity.merge(departures.identity(of: job.hours))
    } else if let clock = job.hours.clock {
      identity[.timeZone] = clock.timeZone
    }
  }

  /// Creates a record with only the job's name: its kind, mode and file name.
  init(naming job: Job) {
    self.init()
    identity[.kind] = job.kind.rawValue
    identity[.transportType] = job.transportName
    run[.jobFile] = job.nameInRecord
  }

  /// Creates the part of a run's record that is known before the network is loaded. *Throws*: `OdometerError`.
  ///
  /// - Parameter map: The digest of the map.
  init(of job: Job, by profile: Profile, map: String, version: String) throws {
    self.init()
    identity[.kind] = job.kind.rawValue
    identity[.version] = version
    identity[.map] = job.networkProfile == nil ? job.map : nil
    identity[.networkFile] = job.networkProfile == nil ? nil : job.map
    identity[.mapSHA256] = map
    identity[.profile] = profile.name
    if let digest = profile.elevationDigest { identity[.elevationSHA256] = digest }
    identity[.transportType] = job.transportName
    try identity.merge(job.identity)
    identity.set(.snapLegs, job.snapLegs ?? profile.countsSnapLegs)
    identity.set(.links, job.writesLinks)
    run[.jobFile] = job.nameInRecord
    run[.jobFileSHA256] = Digest.of(job.text.bytes).hexadecimal
    run[.jobText] = String(decoding: job.text.bytes, as: UTF8.self)
    run[.workingFolder] = FileManager.default.currentDirectoryPath
  }

  /// Returns the SHA-256 of a file's content; empty for a missing file, which is reported when it is read. *Throws*:
  /// `OdometerError`.
  static func digest(of path: String) throws -> String { try InputFile.digest(of: path)?.hexadecimal ?? "" }

  /// Returns the entries known at the end of a run, which computed `new` of the `rows` written.
  static func ending(rows: Int, new: Int, rejected: Int, seconds: Double, workers: Int) -> JobRecord {
    var record = JobRecord()
    record.figures.set(.rows, rows)
    record.figures.set(.rejected, rejected)
    record.run[.finished] = Date().formatted(.iso8601)
    record.run.set(.seconds, (seconds * 1000).rounded() / 1000)
    record.run.set(.rate, (Double(new) / seconds * 10).rounded() / 10)
    record.run.set(.workers, workers)
    return record
  }
}

extension Entries<IdentityKey> {
  /// Sets the path of an input under its key, and the digest of its content. *Throws*: `OdometerError`.
  mutating func setFile(_ key: String, _ file: String) throws {
    self[IdentityKey(key)] = file
    // The digest includes the name of a GeoPackage's table.
    self[IdentityKey(digestOf: key)] =
      try JobRecord.digest(of: FeatureTable.file(of: file)) + FeatureTable.suffix(of: file)
  }

  /// Sets the paths of several inputs under one key, and the digests of their contents. *Throws*: `OdometerError`.
  mutating func setFiles(_ key: String, _ files: [String]) throws {
    set(IdentityKey(key), files)
    try set(IdentityKey(digestOf: key), files.map(JobRecord.digest))
  }
}

extension Job {
  /// The name that distinguishes the job: the path of its file; for standard input also its table.
  fileprivate var nameInRecord: String {
    guard file == Job.standardInputName, let table = task.files.first else { return file }
    return "\(file) (\((table as NSString).lastPathComponent))"
  }
}

/// The kinds of jobs, with the tables and files of their results.
package enum JobKind: String, Sendable, CaseIterable {
  /// Every pair's route: time, distance, steps and shape.
  case routes
  /// Every pair's time and distance only.
  case etas
  /// Every time and distance between two lists of places.
  case matrix
  /// The stations nearest to each origin.
  case access
  /// The areas around places within given travel times.
  case isochrones
  /// Recorded traces, matched to streets.
  case traces

  var results: any KindResults.Type { task.results(of: self) }

  /// The noun for a row of the results.
  package var noun: String { results.noun }
  /// The kind's own tables and views, with descriptions.
  package var tables: [TableDescription] { results.tables }
  /// Whether the results are cells, which may be in files, instead of rows.
  var hasCells: Bool { results.comparison.comparesCells }
}

/// The kind-specific part of results.
protocol KindResults {
  /// The kind's own tables.
  static var tables: [TableDescription] { get }
  /// Returns the paths of the files that the kind may write next to the database.
  static func files(in folder: ResultsFolder) -> [String]
  /// The rows to count by status, in SQL; nil if the writer counts cells.
  static var countedRows: String? { get }
  /// Returns checks of sums that must agree.
  static func sums(_ database: ResultsDatabase) throws -> [SumCheck]
  /// The comparison of the rows of two runs.
  static var comparison: RowComparison { get }
  /// The noun for a row.
  static var noun: String { get }
  /// The role of the places that key `noun` names, and their noun without the key.
  static var namedPlaces: (role: PlaceRole, noun: String) { get }
  /// Returns the number of rows of the main input file that were not rejected.
  static func inputRows(_ results: ResultsDatabase) throws -> Int
  /// Returns the statistics that sentences and key figures use: see `ResultsDatabase.typicalStatistics`.
  static func typicalStatistics(_ results: ResultsDatabase) throws -> [Statistic]
  /// Returns the sentence of the headline.
  static func sentence(_ headline: Headline) throws -> String
  /// Returns the words of the headline about rows without a route; nil for none.
  static func withoutRoute(_ headline: Headline, _ axis: RowAxis, rows: Int) throws -> String?
  /// Returns the main figure of a run, for the history.
  static func figure(_ results: ResultsDatabase) throws -> RunHistory.Figure
  /// Returns sentences about the shares of ok rows, for results with places off the map.
  static func shares(_ results: ResultsDatabase, _ axis: RowAxis, _ atHours: String) throws -> [String]
}

extension KindResults {
  static var noun: String { "trip" }
  static var namedPlaces: (role: PlaceRole, noun: String) { (.station, "stations") }
  static func inputRows(_ results: ResultsDatabase) throws -> Int {
    try results.database.value("SELECT count(*) FROM place WHERE role = 'origin'")
  }
  static func typicalStatistics(_ results: ResultsDatabase) throws -> [Statistic] { try results.statistics() }
  static func withoutRoute(_ headline: Headline, _ axis: RowAxis, rows: Int) throws -> String? {
    try headline.withoutRoute(axis, rows: rows)
  }
  static func figure(_ results: ResultsDatabase) throws -> RunHistory.Figure {
    let times = try results.typical(.expectedTravelTime)?.quantiles
    return (times?[3], times?[5], "typical travel time", .seconds, "")
  }
  static func shares(_ results: ResultsDatabase, _ axis: RowAxis, _ atHours: String) throws -> [String] { [] }
}

/// The path of a results folder with a new name each day: `reports/{date}`.
///
///     let template = OutputTemplate("reports/{date}")
///     template?.folder(of: "2026-11-22")     // reports/2026-11-22
package struct OutputTemplate: Sendable {
  package static let placeholder = "{date}"
  private let prefix: String
  private let suffix: String
  /// The rest of the folder name after the date.
  private var end: Substring { suffix.prefix { $0 != "/" } }

  /// Nil for a folder without a date.
  package init?(_ path: String) {
    guard let range = path.range(of: OutputTemplate.placeholder) else { return nil }
    (prefix, suffix) = (String(path[..<range.lowerBound]), String(path[range.upperBound...]))
  }

  /// Returns the unknown placeholder of a path, as in `reports/{dat}`; nil if there is none.
  static func unknownPlaceholder(in path: String) -> String? {
    let rest = OutputTemplate(path).map { $0.prefix + $0.suffix } ?? path
    guard let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") else { return nil }
    return String(rest[start...end])
  }

  /// Returns the day of an instant in the machine's time zone, as `date +%F` does: 2026-11-22.
  package static func day(of moment: Date) -> String {
    var (time, local) = (time_t(moment.timeIntervalSince1970.rounded(.down)), tm())
    tzset()
    localtime_r(&time, &local)
    // Foundation knows only names of zones, and takes UTC for other values of TZ, but it needs no time zone files.
    let name = ProcessInfo.processInfo.environment["TZ"].map { String($0.trimmingPrefix(":")) } ?? ""
    let offset = LocalClock.zone(name)?.secondsFromGMT(for: moment) ?? local.tm_gmtoff
    return (moment + Double(offset)).formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
  }

  package func folder(of day: String) -> ResultsFolder { ResultsFolder(path: prefix + day + suffix) }

  /// The days with a folder, ascending.
  package var days: [String] {
    let parent = prefix.hasSuffix("/") ? prefix : (prefix as NSString).deletingLastPathComponent
    let start = prefix.hasSuffix("/") ? "" : (prefix as NSString).lastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(start), name.hasSuffix(end), name.count == start.count + 10 + end.count else { return nil }
      let day = String(name.dropFirst(start.count).dropLast(end.count))
      return OutputTemplate.isDay(day) && FileProblem.isFolder(folder(of: day).path) ? day : nil
    }.sorted()
  }

  /// Returns the days with an unfinished run of the job, ascending.
  ///
  /// - Parameter shard: The folder of an unfinished shard within the day's folder, if any.
  func unfinishedDays(of job: JobRecord, shard: String? = nil) -> [String] {
    days.filter { folder(of: $0).isUnfinished(of: job, shard: shard) }
  }

  /// Returns folders with unfinished runs that belong to another job or are unreadable.
  func unfinishedFolders(notOf job: JobRecord) -> [ResultsFolder] {
    days.map(folder).filter { $0.isUnfinished && !$0.isUnfinished(of: job) }
  }

  /// Returns whether the text is a valid day in the format of `day(of:)`: not 2026-02-30.
  private static func isDay(_ text: String) -> Bool {
    let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
    return (try? Date(text, strategy: style)).map { $0.formatted(style) == text } ?? false
  }
}

extension OutputTemplate {
  /// Links `reports/latest` to the job's last finished results dated no later than `today`. *Throws*: `ResultsError`.
  func linkLatest(of job: JobRecord, today: String) throws {
    guard let day = days.last(where: { $0 <= today && folder(of: $0).hasResults(of: job) }) else { return }
    let link = prefix + "latest" + end
    let name = (prefix + day + end as NSString).lastPathComponent
    // Several jobs may finish at the same time.
    let part = "\(link).\(getpid()).part"
    unlink(part)
    // A link replaces a link atomically; anything else with that name stays, and is reported.
    let isTaken = access(link, F_OK) == 0 && !FileProblem.isLink(link)
    guard !isTaken, symlink(name, part) == 0, rename(part, link) == 0 else {
      let other = FileProblem.isFolder(link) ? "a folder" : "another file"
      let problem = isTaken ? "\(other) has the name of the link" : String(cString: strerror(errno))
      unlink(part)
      throw ResultsError(path: link, problem: "cannot link the latest results: \(problem)", cause: .output)
    }
  }

  /// Removes the job's finished results dated up to `today`, except the newest `count`, and older folders that have
  /// only a log.
  ///
  /// - Returns: Sentences about folders kept although they are older, or dated after today.
  package func keep(_ count: Int, of job: JobRecord, today: String) -> [String] {
    let finished = days.filter { !folder(of: $0).isUnfinished && folder(of: $0).hasResults(of: job) }
    let future = finished.filter { $0 > today }.map { "\(folder(of: $0).path): these results are dated after today" }
    let past = finished.filter { $0 <= today }
    let oldest = past.count < count ? nil : past.suffix(count).first
    let logs = days.filter { day in oldest.map { day < $0 } == true && folder(of: day).hasOnlyLog(of: job) }
    let old = past.dropLast(count) + logs
    return future
      + old.compactMap { day in
        let folder = folder(of: day)
        guard !FileProblem.isLink(prefix + day + end), !FileProblem.isLink(folder.path) else {
          return "\(folder.path): older than keep allows, but kept: it is a symbolic link"
        }
        guard let lock = try? folder.lock() else { return nil }
        let others = withExtendedLifetime(lock) { folder.remove() }
        return others.first.map { "\(folder.path): older than keep allows, but kept: it has other files (\($0))" }
      }
  }
}
