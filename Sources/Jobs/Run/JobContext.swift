import Geography
import Results
import Routing
import StreetNetwork

/// What a job is prepared on: its network, its coverage and its threads.
struct JobContext: Sendable {
  let job: Job
  let network: StreetNetwork
  let workers: Int
  private let coverage: Coverage?

  /// *Throws*: `CoverageError`.
  init(_ job: Job, on network: StreetNetwork, workers: Int) throws {
    (self.job, self.network, self.workers) = (job, network, workers)
    coverage = try job.coverage.map { try Coverage(path: $0) }
  }

  /// Every place on its street, in the order of `places`; each different point is looked up once.
  func snap(_ places: [InputPlace]) throws -> [SnappedPlace] {
    var points = Interner<FixedCoordinate>()
    let indices = places.map { points.index(of: $0.coordinate) }
    let isInside = coverage?.area.contains(points.values.map(\.coordinate))
    let ends = try JobContext.ends(at: points.values, on: network, job.options, workers: workers)
    return indices.map { SnappedPlace(end: ends[$0], isOutside: isInside?[$0] == false) }
  }

  /// Points snapped to streets, in their order.
  static func ends(
    at points: [FixedCoordinate], on network: StreetNetwork, _ options: Directions.Options, workers: Int
  ) throws -> [TripEnd?] {
    var ends: [TripEnd?] = []
    ends.reserveCapacity(points.count)
    let size = max(1024, (points.count + workers - 1) / workers)
    try Pipeline.run(
      Pipeline.chunks(of: points.count, size: size), workers: workers,
      makeWorker: {
        let router = Router(network, options)
        return { part in router.ends(at: points[part].map(\.coordinate)) }
      },
      write: { ends += $0.joined() })
    return ends
  }

  /// The places as rows of their table.
  func rows(of places: [InputPlace], _ snapped: [SnappedPlace]) -> [PlaceRow] {
    // Streets that are alike share their label, and making one costs more than all else.
    var labels: [UInt32: String] = [:]
    return zip(places, snapped).map { place, snapped in
      let label = snapped.end.map { end -> String in
        let attributes = network.street(end.snap.street).attributes
        if let known = labels[attributes] { return known }
        let label = network.label(of: end.snap.street)
        labels[attributes] = label
        return label
      }
      return PlaceRow(
        id: place.id, role: place.role, name: place.name, coordinate: place.coordinate,
        snapped: snapped.end?.snap.point, snapDistance: snapped.end.map { ($0.snap.distance * 100).rounded() / 100 },
        street: label, status: snapped.status, weight: place.weight)
    }
  }
}

/// A place of the input on its street.
struct SnappedPlace: Sendable {
  /// Nil where no street is near enough.
  var end: TripEnd?
  /// Whether it lies outside of the job's coverage.
  var isOutside = false

  var status: RowStatus { isOutside ? .outsideCoverage : end == nil ? .placemarkNotFound : .ok }
  /// Where trips start or end; nil where none may.
  var usableEnd: TripEnd? { isOutside ? nil : end }
}
