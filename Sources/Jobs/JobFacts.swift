import Foundation
import Results
import StreetNetwork

/// What table `job` tells about a run.
struct JobFacts {
  /// What decides the results, and what is noted when the run begins.
  let record: JobRecord
  private let started = ContinuousClock.now
  private let workers: Int

  init(_ job: Job, _ options: RunOptions, on network: StreetNetwork) {
    workers = options.workers
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
    let files = (input + [("coverage", job.coverage ?? "")]).filter {
      ["pairs", "origins", "destinations", "stations", "coverage"].contains($0.0)
    }
    let identity =
      [
        ("kind", job.kind.rawValue), ("version", options.version),
        ("map", job.map), ("map_sha256", network.fingerprints.map), ("map_date", network.mapDate),
        ("profile", network.profile.name), ("profile_file", job.profile ?? ""),
        ("profile_sha256", network.fingerprints.profile),
        ("network_sha256", network.fingerprints.network), ("transport_type", job.transportType.rawValue),
      ] + input + files.map { ("\($0.0)_sha256", digest($0.1)) } + [
        ("snap_limit", String(job.snapLimit)), ("snap_legs", String(job.snapLegs ?? network.profile.countsSnapLegs)),
        ("coverage", job.coverage ?? ""), ("departure_date", job.departure?.text ?? ""),
        ("arrival_date", job.arrival?.text ?? ""), ("alternate_routes", String(job.wantsAlternates)),
        ("toll_preference", job.avoids.contains(.tolls) ? "avoid" : "any"),
        ("highway_preference", job.avoids.contains(.highways) ? "avoid" : "any"), ("language", job.language.name),
        ("links", String(job.writesLinks)),
      ]
    let course = [
      ("job_file", job.file), ("job_file_sha256", digest(job.file)), ("started", Date().formatted(.iso8601)),
    ]
    record = JobRecord(identity: identity, course: course)
  }

  /// - Parameter rows: Those of this run.
  func ending(rows: Int, total: Int, rejected: Int) -> [(key: String, value: String)] {
    let seconds = max(0.001, (ContinuousClock.now - started) / .seconds(1))
    return [
      ("rows", String(total)), ("rejected", String(rejected)),
      ("finished", Date().formatted(.iso8601)), ("seconds", String((seconds * 1000).rounded() / 1000)),
      ("rate", String((Double(rows) / seconds * 10).rounded() / 10)), ("workers", String(workers)),
    ]
  }
}

/// The SHA-256 of a file's content; empty for what is no file: reading it will tell.
private func digest(_ path: String) -> String { (try? Digest.of(file: path).hexadecimal) ?? "" }
