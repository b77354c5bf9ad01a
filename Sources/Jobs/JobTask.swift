import Geography
import Settings
import StreetNetwork
import Tables

/// What a kind of job asks for: its part of the job file, and what it does with it. Each kind's is in a folder of its
/// own, with its input, its job and its verification.
///
///     task --read--> input --prepare on a network--> job --forecast, run
protocol JobTask: Sendable {
  /// What jobs of the kind compute, in one line for help and documents.
  static func summary(of kind: JobKind) -> String
  /// Those of the keys that other kinds share which mean nothing to this one.
  static var keysWithoutMeaning: Set<String> { get }
  /// Reads its keys. *Throws*: `SettingsError`.
  init(_ keys: inout KeyReader) throws
  /// The files of places that it names.
  var files: [String] { get }
  /// What decides its results beside its keys: what they owe to the rest of the job, or to the network.
  func identity(of job: Job, on network: StreetNetwork) -> Entries<IdentityKey>
  /// What is counted: "routes", "cells".
  var unit: String { get }
  /// The same of a job, which may have hours.
  func unit(of job: Job) -> String
  /// The files that it writes next to the database.
  func outputs(of job: Job, in folder: ResultsFolder) -> [String]
  /// Reads its input; `area` is the map's. *Throws*: `InputError`, `MapError`.
  func read(for job: Job, area: BoundingBox) throws -> any JobInput
  /// Computes a sample of finished results again. *Throws*: `ResultsError`.
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows
}

extension JobTask {
  static var keysWithoutMeaning: Set<String> { [] }
  func identity(of job: Job, on network: StreetNetwork) -> Entries<IdentityKey> { Entries() }
  func unit(of job: Job) -> String { unit }
}

/// The input of a job, read once.
protocol JobInput {
  var rejected: [RejectedRow] { get }
  /// What whoever runs the job should know of it, in sentences without an end.
  var notes: [String] { get }
  /// What is to be computed, in lines for a person.
  var summary: String { get }
  /// The columns that are weights.
  var weightColumns: [WeightOwner: String] { get }
  /// Snaps its places and does whatever else must be done before the first row.
  func prepare(in context: JobContext) throws -> any PreparedJob
}

extension JobInput {
  var weightColumns: [WeightOwner: String] { [:] }
}

extension JobKind {
  /// What jobs of the kind compute, in one line.
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
