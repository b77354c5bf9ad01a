import Foundation
import Geography
import Results
import Routing
import StreetNetwork

/// How a job is run: what the command line adds to the job file.
package struct RunOptions: Sendable {
  package var workers = 1
  package var cache: String?
  package var isQuiet = false
  package var version = ""
  /// Asked between chunks: true stops the job.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Called with what happens to the network file.
  package var report: @Sendable (NetworkEvent) -> Void = { _ in }
  package init() {}
}

/// What became of a job.
package struct JobOutcome: Sendable {
  package var folder: ResultsFolder
  package var hasRoutes: Bool
  /// Rows written, of so many that can be used.
  package var rows: Int
  package var totalRows: Int
  package var rejected: Int
  package var isFinished: Bool
}

/// Kinds `routes` and `etas`: from a table of pairs to a folder of results, in the order it runs.
package struct RouteJob {
  private let job: Job
  private let options: RunOptions

  package init(_ job: Job, _ options: RunOptions) {
    self.job = job
    self.options = options
  }

  package func run() throws -> JobOutcome {
    let started = Date()
    let network = try StreetNetwork(
      map: job.map, profile: job.loadProfile(), cache: options.cache, workers: options.workers, report: options.report)
    let pairs = try PairTable(path: job.pairs, area: network.box, transportType: job.transportType)
    let places = try snappedPlaces(pairs.places, on: network)
    let folder = ResultsFolder(path: job.output)
    let writer = try ResultsWriter(folder, hasRoutes: job.kind == .routes, job: facts(network, started))
    try writer.write(pairs.rejected)
    try writer.write(zip(pairs.places, places).map { placeRow($0, $1, network) })

    var progress = Progress(total: pairs.pairs.count, unit: job.kind.rawValue, isQuiet: options.isQuiet)
    var written = 0
    let isFinished = try Pipeline.run(
      chunks(of: pairs.pairs.count), workers: options.workers, shouldStop: options.shouldStop,
      makeWorker: { [job, options = job.options] in
        let worker = RouteWorker(job, pairs, places, Router(network, options))
        return { rows in worker.answer(rows) }
      },
      write: { chunk in
        try writer.write(chunk)
        written += chunk.rows
        progress.advance(by: chunk.rows)
      })
    progress.end()

    let ending = endingFacts(rows: written, rejected: pairs.rejected.count, isFinished: isFinished, started)
    if isFinished { try writer.finish(job: ending) } else { try writer.interrupt(job: ending) }
    return JobOutcome(
      folder: folder, hasRoutes: job.kind == .routes, rows: written, totalRows: pairs.pairs.count,
      rejected: pairs.rejected.count, isFinished: isFinished)
  }

  /// What the job would read and write, in lines for a person; nothing is built or written.
  package func plan() throws -> String {
    let path = try StreetNetwork.path(map: job.map, profile: job.loadProfile(), cache: options.cache)
    let pairs = try PairTable(path: job.pairs, area: .earth, transportType: job.transportType)
    if let coverage = job.coverage { _ = try Coverage(path: coverage) }
    let isBuilt = FileManager.default.fileExists(atPath: path)
    return """
      \(job.kind.rawValue) on \(job.map) by \(job.transportType.rawValue)
      network: \(isBuilt ? "built already, \(path)" : "to be built, \(path)")
      \(job.pairs): \(pairs.pairs.count) rows to compute, \(pairs.rejected.count) to be rejected, \
      \(pairs.places.count) places
      results: \(job.output)
      """
  }

  /// Consecutive rows; where one chunk ends and the next begins depends on the number of rows alone.
  private func chunks(of count: Int) -> some Sequence<Range<Int>> {
    let size = job.kind == .routes ? 512 : 4096
    return stride(from: 0, to: count, by: size).lazy.map { $0..<min($0 + size, count) }
  }

  /// Every place on its street, in the order of `places`; each different point is looked up once.
  private func snappedPlaces(_ places: [InputPlace], on network: StreetNetwork) throws -> [SnappedPlace] {
    var numbers: [FixedCoordinate: Int] = [:]
    var points: [FixedCoordinate] = []
    for place in places where numbers[place.coordinate] == nil {
      numbers[place.coordinate] = points.count
      points.append(place.coordinate)
    }
    let coverage = try job.coverage.map { try Coverage(path: $0) }
    let isInside = coverage?.area.contains(points.map(\.coordinate))
    var ends: [TripEnd?] = []
    ends.reserveCapacity(points.count)
    let parts = stride(from: 0, to: points.count, by: 4096).lazy.map { points[$0..<min($0 + 4096, points.count)] }
    try Pipeline.run(
      parts, workers: options.workers,
      makeWorker: { [options = job.options] in
        let router = Router(network, options)
        return { part in part.map { router.end(at: $0.coordinate) } }
      },
      write: { ends.append(contentsOf: $0) })
    return places.map { place in
      let number = numbers[place.coordinate]!
      return SnappedPlace(end: ends[number], isOutside: isInside?[number] == false)
    }
  }

  private func placeRow(_ place: InputPlace, _ snapped: SnappedPlace, _ network: StreetNetwork) -> PlaceRow {
    let end = snapped.end
    return PlaceRow(
      id: place.id, role: place.role.rawValue, name: place.name, coordinate: place.coordinate,
      snapped: end?.snap.point, snapDistance: end.map { ($0.snap.distance * 100).rounded() / 100 },
      street: end.map { network.label(of: $0.snap.street) }, status: snapped.status,
      weight: nil)
  }

  // MARK: Table `job`

  private func facts(_ network: StreetNetwork, _ started: Date) -> [(String, String)] {
    [
      ("kind", job.kind.rawValue), ("state", "running"), ("job_file", job.file), ("version", options.version),
      ("map", job.map), ("map_sha256", network.fingerprints.map),
      ("profile", network.profile.name), ("profile_sha256", network.fingerprints.profile),
      ("network_sha256", network.fingerprints.network), ("transport_type", job.transportType.rawValue),
      ("pairs", job.pairs), ("snap_limit", String(job.snapLimit)),
      ("snap_legs", String(job.snapLegs ?? network.profile.countsSnapLegs)),
      ("coverage", job.coverage ?? ""), ("departure_date", job.departure?.text ?? ""),
      ("arrival_date", job.arrival?.text ?? ""), ("alternate_routes", String(job.wantsAlternates)),
      ("toll_preference", job.avoids.contains(.tolls) ? "avoid" : "any"),
      ("highway_preference", job.avoids.contains(.highways) ? "avoid" : "any"), ("language", job.language.name),
      ("started", started.formatted(.iso8601)),
    ]
  }

  private func endingFacts(
    rows: Int, rejected: Int, isFinished: Bool, _ started: Date
  ) -> [(String, String)] {
    let seconds = max(0.001, Date().timeIntervalSince(started))
    return [
      ("state", isFinished ? "finished" : "interrupted"), ("rows", String(rows)), ("rejected", String(rejected)),
      ("finished", Date().formatted(.iso8601)), ("seconds", String((seconds * 1000).rounded() / 1000)),
      ("rate", String((Double(rows) / seconds * 10).rounded() / 10)), ("workers", String(options.workers)),
    ]
  }
}
