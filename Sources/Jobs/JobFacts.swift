import Foundation
import StreetNetwork

/// What table `job` tells about a run.
struct JobFacts {
  let job: Job
  let options: RunOptions
  let started = Date()

  init(_ job: Job, _ options: RunOptions) {
    self.job = job
    self.options = options
  }

  func beginning(on network: StreetNetwork) -> [(String, String)] {
    let input: [(String, String)] =
      switch job.task {
      case .routes(let trips), .etas(let trips): [("pairs", trips.pairs), ("shapes", String(trips.hasShapes))]
      case .matrix(let matrix):
        [
          ("origins", matrix.origins), ("destinations", matrix.destinations ?? matrix.origins),
          ("distances", String(matrix.distances)),
          ("format", matrix.formats.map(\.rawValue).joined(separator: ",")),
          ("summary", matrix.summary?.description ?? ""),
        ]
      case .access(let access): access.facts
      case .isochrones(let isochrones): isochrones.facts
      }
    return [
      ("kind", job.kind), ("state", "running"), ("job_file", job.file), ("version", options.version),
      ("map", job.map), ("map_sha256", network.fingerprints.map),
      ("profile", network.profile.name), ("profile_sha256", network.fingerprints.profile),
      ("network_sha256", network.fingerprints.network), ("transport_type", job.transportType.rawValue),
    ] + input + [
      ("snap_limit", String(job.snapLimit)), ("snap_legs", String(job.snapLegs ?? network.profile.countsSnapLegs)),
      ("coverage", job.coverage ?? ""), ("departure_date", job.departure?.text ?? ""),
      ("arrival_date", job.arrival?.text ?? ""), ("alternate_routes", String(job.wantsAlternates)),
      ("toll_preference", job.avoids.contains(.tolls) ? "avoid" : "any"),
      ("highway_preference", job.avoids.contains(.highways) ? "avoid" : "any"), ("language", job.language.name),
      ("started", started.formatted(.iso8601)),
    ]
  }

  func ending(rows: Int, rejected: Int, isFinished: Bool) -> [(String, String)] {
    let seconds = max(0.001, Date().timeIntervalSince(started))
    return [
      ("state", isFinished ? "finished" : "interrupted"), ("rows", String(rows)), ("rejected", String(rejected)),
      ("finished", Date().formatted(.iso8601)), ("seconds", String((seconds * 1000).rounded() / 1000)),
      ("rate", String((Double(rows) / seconds * 10).rounded() / 10)), ("workers", String(options.workers)),
    ]
  }
}
