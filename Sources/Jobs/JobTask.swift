import Geography
import Hierarchy
import Settings
import StreetNetwork
import Tables

/// The settings and methods of a kind of job. Each kind has its own folder, with its input, its job and its
/// verification.
///
///     task --read--> input --prepare on a network--> job --forecast, run
protocol JobTask: Sendable {
  /// Returns the purpose of the kind, in one line for help and documentation.
  static func summary(of kind: JobKind) -> String
  /// Returns the kind-specific part of the results.
  static func results(of kind: JobKind) -> any KindResults.Type
  /// Shared keys that the kind does not use.
  static var keysWithoutEffect: Set<String> { get }
  /// Reads the kind's keys. *Throws*: `OdometerError`.
  init(_ keys: inout KeyReader) throws
  /// Shared keys that only some kinds use, including this one.
  var optionalKeys: Set<String> { get }
  /// Whether rows may have their own times.
  var rowsMayHaveTimes: Bool { get }
  /// Whether the job summarizes waits.
  var summarizesWaits: Bool { get }
  /// Whether the job summarizes the departures of a day.
  var summarizesHours: Bool { get }
  /// The thresholds and direction of areas; nil for kinds that compute trips.
  var areas: ReachTask? { get }
  /// Whether the results have rows of trips.
  var hasTrips: Bool { get }
  /// The input files of the kind, such as pairs, places or traces.
  var files: [String] { get }
  /// The same as the job file names them: files, or folders of files.
  var paths: [String] { get }
  /// Whether `files` are read until the end of the run.
  var isStreamed: Bool { get }
  /// Checks the kind's keys together with those of transit. *Throws*: `OdometerError`.
  func check(_ keys: KeyReader, with transit: TransitTask) throws
  /// Returns the part of the job's identity that does not come from keys of the kind, but from the rest of the job or
  /// the network.
  func identity(of job: Job, on network: StreetNetwork) -> Entries<IdentityKey>
  /// Returns the unit of counts, such as "routes" or "cells".
  func unit(of job: Job) -> String
  /// Returns the paths of the files that the job writes next to the database.
  func outputs(of job: Job, in folder: ResultsFolder) -> [String]
  /// Reads the input. The context is nil if no network is loaded yet. *Throws*: `OdometerError`.
  func read(for job: Job, in context: JobContext?) throws -> JobInput
  /// Verifies a sample of finished results. *Throws*: `ResultsError`.
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows
}

extension JobTask {
  static var keysWithoutEffect: Set<String> { [] }
  var optionalKeys: Set<String> { [] }
  var rowsMayHaveTimes: Bool { false }
  var summarizesWaits: Bool { false }
  var summarizesHours: Bool { false }
  var areas: ReachTask? { nil }
  var hasTrips: Bool { false }
  var paths: [String] { files }
  var isStreamed: Bool { false }
  func check(_ keys: KeyReader, with transit: TransitTask) throws {}
  func identity(of job: Job, on network: StreetNetwork) -> Entries<IdentityKey> { Entries() }
}

/// The input of a job, read once.
struct JobInput {
  let rejected: [RejectedRow]
  /// Notes for the user, without full stops.
  let notes: [String]
  var weightColumns: [WeightOwner: String?] = [:]
  /// The plan, in lines of text.
  let summary: String
  /// Snaps the places and prepares everything else needed before the first row.
  let prepare: (JobContext) throws -> any PreparedJob
}

extension JobKind {
  /// The purpose of the kind, in one line.
  package var summary: String { task.summary(of: self) }

  var task: any JobTask.Type {
    switch self {
    case .routes, .etas: TripTask.self
    case .matrix: MatrixTask.self
    case .access: AccessTask.self
    case .isochrones: IsochroneTask.self
    case .traces: TraceTask.self
    }
  }
}

/// The settings of job kinds with thresholds.
struct ReachTask: Sendable {
  /// In seconds, ascending.
  var thresholds: [Int]
  /// Whether trips lead to or from the stations or the centres of isochrones.
  var direction: NearestTable.Direction

  static let maximumMinutes = 1440.0

  var longest: Int { thresholds.last ?? 0 }
}

extension KeyReader {
  static let thresholds = SettingKey(
    "thresholds",
    SettingType<[Double]>.numbers(of: "minutes", over: 0, atMost: ReachTask.maximumMinutes).map { minutes in
      Set(minutes.map { max(1, Int(($0 * 60).rounded())) }).sorted()
    }, default: [5, 10, 15], "travel times in minutes for counts or areas")

  mutating func thresholds() throws -> [Int] { try setting(KeyReader.thresholds) }

  /// - Parameter defaultText: The default, "to" or "from".
  mutating func direction(_ defaultText: String, _ summary: String) throws -> NearestTable.Direction {
    enum Choice: String, CaseIterable, IdentityValue { case to, from }
    let choice = try setting("direction", SettingType<Choice>.choice, default: .text(defaultText), summary)
    return choice == .to ? .toTargets : .fromTargets
  }
}
