import Foundation
import Results
import Routing
import StreetNetwork

/// A job of any kind, run or planned.
package struct JobRun {
  private let job: Job
  private let kind: any KindOfJob
  private let options: RunOptions

  package init(_ job: Job, _ options: RunOptions) {
    self.job = job
    self.options = options
    kind =
      switch job.task {
      case .routes(let trips): RouteJob(job, trips, hasRoutes: true)
      case .etas(let trips): RouteJob(job, trips, hasRoutes: false)
      case .matrix(let matrix): MatrixJob(job, matrix)
      case .access(let access): AccessJob(job, access)
      case .isochrones(let isochrones): IsochroneJob(job, isochrones)
      }
  }

  /// Runs the job, or goes on with it where an earlier run stopped, from the network to the names of the results.
  package func run() throws -> JobOutcome {
    let folder = ResultsFolder(path: job.output)
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    if options.isFresh { folder.discard() }
    let log = RunLog(path: folder.log, goesOn: folder.isUnfinished)
    do {
      let network = try options.network(of: job)
      let facts = JobFacts(job, options, on: network)
      log.note("start", (facts.record.identity + facts.record.course).map { ($0.key, .text($0.value)) })
      let leftover = try Leftover(in: folder, of: facts.record)
      let tally =
        try leftover == .sealed
        ? JobTally(sealed: folder)
        : kind.run(JobCourse(job, options, network, folder, leftover, facts, log))
      let files = kind.files(in: folder)
      var verification: Verification.Outcome?
      if tally.isFinished {
        log.note("sealed", [("rows", .number(tally.rows))])
        verification = try job.verify.map { sample in
          let part = ResultsFolder.unfinished(folder.database)
          return try Verification(of: part, on: network, workers: options.workers).run(sample: sample)
        }
        if let verification { log.note("verified", [("outcome", .text("\(verification)"))]) }
        try options.makeReport?(ResultsFolder.unfinished(folder.database), ResultsFolder.unfinished(folder.report))
        try folder.publish(files + (options.makeReport == nil ? [] : [folder.report]))
      }
      log.note(tally.isFinished ? "finished" : "interrupted", [("rows", .number(tally.rows))])
      var outcome = JobOutcome(folder: folder, files: [folder.database] + files, unit: kind.unit, tally)
      outcome.verification = verification
      return outcome
    } catch {
      log.note("failed", [("problem", .text("\(error)"))])
      throw error
    }
  }

  /// What the job would read and write, and take, in lines for a person; nothing is built or written.
  package func plan() throws -> String {
    let path = try StreetNetwork.path(map: job.map, profile: job.loadProfile(), cache: options.cache)
    if let coverage = job.coverage { _ = try Coverage(path: coverage) }
    let isBuilt = FileManager.default.fileExists(atPath: path)
    func size(_ file: String) -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? nil
    }
    let read = ([job.map, job.profile, job.coverage] + job.task.files).compactMap(\.self).compactMap { file in
      size(file).map { "\((file as NSString).lastPathComponent) \(MemoryLimit.text($0))" }
    }
    // Bytes of a map that are built in a second: turns make more states than junctions.
    let building = max(1, (size(job.map) ?? 0) / (job.transportType == .walking ? 1_200_000 : 400_000))
    return """
      \(job.kind.rawValue) on \(job.map) by \(job.transportType.rawValue)
      reads: \(read.joined(separator: ", "))
      network: \(isBuilt ? "built already, \(path)" : "to be built in about \(building) s, \(path)")
      \(try kind.plan())
      \(isBuilt ? try forecast() : "time, memory, disk: predicted as soon as the network is built (odometer network build)")
      results: \(job.output)
      """
  }

  private func forecast() throws -> String {
    let folder = ResultsFolder(path: job.output)
    let network = try options.network(of: job)
    let course = JobCourse(job, options, network, folder, .nothing, JobFacts(job, options, on: network), nil)
    _ = try kind.run(course)
    guard let forecast = course.forecast else { return "" }
    let limit = MemoryLimit(job.memory)
    return """
      \(forecast.description(workers: options.workers))
      there are: \(MemoryLimit.text(limit.bytes)) of memory\(limit.isChosen ? ", as memory says" : ""), \
      \(MemoryLimit.text(folder.freeBytes)) of disk
      """
  }
}

/// What differs from kind to kind.
protocol KindOfJob {
  /// What is counted in the end: "routes", "etas", "cells".
  var unit: String { get }
  /// The files it writes beside the database.
  func files(in folder: ResultsFolder) -> [String]
  /// Computes what is not computed yet, and seals the results when all is there; a plan ends before the first chunk.
  func run(_ course: JobCourse) throws -> JobTally
  /// What it would read and write, in lines for a person.
  func plan() throws -> String
}

extension JobTally {
  /// Of results that have everything but their names.
  fileprivate init(sealed folder: ResultsFolder) throws {
    let facts = try ResultsDatabase(path: ResultsFolder.unfinished(folder.database)).facts()
    func number(_ key: String) -> Int { facts[key].flatMap { Int($0) } ?? 0 }
    self.init(rows: number("rows"), totalRows: number("rows"), rejected: number("rejected"), isFinished: true)
  }
}
