import Foundation
import Routing
import StreetNetwork

/// A job of any kind, run or planned.
package struct JobRun {
  private let job: Job
  private let options: RunOptions

  package init(_ job: Job, _ options: RunOptions) {
    self.job = job
    self.options = options
  }

  package func run() throws -> JobOutcome {
    let outcome =
      switch job.task {
      case .routes(let trips): try RouteJob(job, trips, hasRoutes: true, options).run()
      case .etas(let trips): try RouteJob(job, trips, hasRoutes: false, options).run()
      case .matrix(let matrix): try MatrixJob(job, matrix, options).run()
      case .access(let access): try AccessJob(job, access, options).run()
      case .isochrones(let isochrones): try IsochroneJob(job, isochrones, options).run()
      }
    // A report of earlier results goes, too: it is made anew.
    if outcome.isFinished { outcome.folder.removeAll(but: outcome.files) }
    return outcome
  }

  /// What the job would read and write, in lines for a person; nothing is built or written.
  package func plan() throws -> String {
    let path = try StreetNetwork.path(map: job.map, profile: job.loadProfile(), cache: options.cache)
    if let coverage = job.coverage { _ = try Coverage(path: coverage) }
    let isBuilt = FileManager.default.fileExists(atPath: path)
    let task =
      switch job.task {
      case .routes(let trips): try RouteJob(job, trips, hasRoutes: true, options).plan()
      case .etas(let trips): try RouteJob(job, trips, hasRoutes: false, options).plan()
      case .matrix(let matrix): try MatrixJob(job, matrix, options).plan()
      case .access(let access): try AccessJob(job, access, options).plan()
      case .isochrones(let isochrones): try IsochroneJob(job, isochrones, options).plan()
      }
    return """
      \(job.kind) on \(job.map) by \(job.transportType.rawValue)
      network: \(isBuilt ? "built already, \(path)" : "to be built, \(path)")
      \(task)
      results: \(job.output)
      """
  }
}
