import Foundation
import Geography
import Input
import Routing
import Settings
import StreetNetwork
import Tables

/// The settings of kind `traces`. Times are in seconds, distances in metres, speeds in metres per second.
struct TraceTask: JobTask {
  /// The files or folders of traces.
  var traces: [String]
  /// The time between the positions of a polyline.
  var interval: Double?
  var fixes: TraceWriter.Fixes
  var accuracy: TraceAccuracy
  var maximumAge: Double
  var unfilteredFirst: Int
  var minimumDistance: Double
  var maximumSpeed: Double?
  var maximumGap: Double
  var stopTime: Double
  var stopRadius: Double

  static func summary(of kind: JobKind) -> String {
    "cleaned and map-matched GPS traces: their streets, stops and observed speeds"
  }

  /// Keys without effect on traces, which have their own times and places.
  static let keysWithoutEffect: Set = [
    "departures", "arrivals", "week", "date", "departureDate", "arrivalDate", "waitLimit", "holidays", "tollPreference",
    "highwayPreference", "speeds", "traffic", "snapLimit", "snapLegs", "coverage", "duplicates",
  ]

  static func results(of kind: JobKind) -> any KindResults.Type { TraceResults.self }

  init(_ keys: inout KeyReader) throws {
    let traces = try keys.setting(
      .init(
        "traces", SettingType<[String]>.stringOrList,
        "file, list of files, or folder of traces: CSV of points, CSV with polylines, GPX, GeoJSON; gzipped or not",
        example: "traces.csv"))
    self.traces = traces
    keys.enter { $0[.tracesSHA256] = try TraceTask.digest(of: TraceFiles(traces).paths) }
    interval = try keys.setting(
      "interval", .number(of: "seconds", over: 0, atMost: 86_400), otherwise: "none: positions have no times",
      "seconds between the positions of a polyline in a CSV", example: 15)
    fixes = try keys.setting(
      "fixes", .choice, default: "table", "output of fixes: table (in the database), csv (fixes.csv.gz), none",
      decides: .presentation)
    accuracy = try keys.setting(
      "accuracy", TraceAccuracy.type, default: "auto",
      "standard deviation of fixes in metres; auto: each fix's own accuracy, else estimated per trace")
    maximumAge = try keys.setting(
      "maximumAge", BreadcrumbRules.maximumAgeType, default: 60,
      "delay in seconds between recording and reception from which a fix is dropped")
    unfilteredFirst = try keys.setting(
      "unfilteredFirst", BreadcrumbRules.unfilteredFirstType, default: 11,
      "number of initial fixes that are exempt from the distance and speed rules")
    minimumDistance = try keys.setting(
      "minimumDistance", BreadcrumbRules.minimumDistanceType, default: 10,
      "distance in metres from the previous kept fix up to which a fix is dropped")
    maximumSpeed = try keys.setting(
      "maximumSpeed", BreadcrumbRules.maximumSpeedType, otherwise: "none",
      "maximum mean speed in m/s over the last five fixes, recorded or in straight lines; faster fixes are dropped",
      example: 70)
    maximumGap = try keys.setting(
      "maximumGap", MatchOptions.maximumGapType, default: 300,
      "longest gap in seconds between fixes of one part, unless the route between them takes at least a third of it")
    stopTime = try keys.setting(
      "stopTime", MatchOptions.stopTimeType, default: 60, "minimum duration of a stop in seconds")
    stopRadius = try keys.setting(
      "stopRadius", MatchOptions.stopRadiusType, default: 25,
      "radius of a stop in metres; at least three standard deviations of the fixes")
  }

  /// The files, including the files in folders; missing files are reported when they are read.
  var files: [String] { (try? TraceFiles(traces).paths) ?? traces }
  var paths: [String] { traces }
  var isStreamed: Bool { true }
  var rowsMayHaveTimes: Bool { true }
  func unit(of _: Job) -> String { JobKind.traces.rawValue }

  func outputs(of job: Job, in folder: ResultsFolder) -> [String] {
    [folder.traces, folder.observedSpeeds] + (fixes == .csv ? [folder.fixes] : [])
  }

  func identity(of job: Job, on network: StreetNetwork) -> Entries<IdentityKey> {
    var identity = Entries<IdentityKey>()
    identity[.timeZone] = job.hours.clock?.timeZone ?? network.timeZone
    // Traces whose rows are not consecutive are joined only if they fit into memory.
    identity.set(.memory, job.memory.map { String($0) })
    return identity
  }

  /// Returns a digest of all files together. *Throws*: `OdometerError`.
  static func digest(of files: [String]) throws -> String {
    let digests = try files.map(JobRecord.digest)
    return digests.count == 1 ? digests[0] : Digest.of(Array(digests.joined(separator: "\n").utf8)).hexadecimal
  }

  var options: MatchOptions {
    var options = MatchOptions()
    options.breadcrumb.maximumAge = maximumAge
    options.breadcrumb.unfilteredFirst = unfilteredFirst
    options.breadcrumb.minimumDistance = minimumDistance
    options.breadcrumb.maximumSpeed = maximumSpeed
    options.accuracy = accuracy.metres
    options.maximumGap = maximumGap
    options.stopTime = stopTime
    options.stopRadius = stopRadius
    return options
  }

  func read(for job: Job, in context: JobContext?) throws -> JobInput {
    let table = try table(for: job, on: context?.network)
    return JobInput(
      rejected: table.rejected, notes: table.notes,
      summary: """
        \(traces.joined(separator: ", ")): \(table.traceCount.counted("trace")), \(table.fixCount) fixes, \
        \(table.rejectedCount.counted("row")) to be rejected
        """
    ) { TraceJob(task: self, table: table, clock: try $0.job.clock(on: $0.network), context: $0) }
  }

  func table(for job: Job, on network: StreetNetwork?) throws -> TraceTable {
    var format = TraceFormat()
    format.interval = interval
    format.clock = job.hours.clock ?? LocalClock(timeZone: network?.timeZone ?? "Etc/GMT")
    format.area = network?.box ?? .earth
    if let memory = job.memory { format.memory = memory }
    return try TraceTable(traces, format)
  }
}

/// The key `accuracy`: metres, or nil for `auto`.
struct TraceAccuracy: Sendable, CustomStringConvertible {
  var metres: Double?

  static let type = MatchOptions.accuracyType.orWord("auto").map { TraceAccuracy(metres: $0) }

  var description: String { metres.map { String($0) } ?? "auto" }
}
