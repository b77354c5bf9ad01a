import Geography
import Results
import Routing
import StreetNetwork

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

/// Every place on its street, in the order of `places`; each different point is looked up once.
func snapped(
  _ places: [InputPlace], on network: StreetNetwork, _ job: Job, workers: Int
) throws -> [SnappedPlace] {
  var numbers: [FixedCoordinate: Int] = [:]
  var points: [FixedCoordinate] = []
  for place in places where numbers[place.coordinate] == nil {
    numbers[place.coordinate] = points.count
    points.append(place.coordinate)
  }
  let coverage = try job.coverage.map { try Coverage(path: $0) }
  let isInside = coverage?.area.contains(points.map(\.coordinate))
  let ends = try tripEnds(at: points, on: network, job.options, workers: workers)
  return places.map { place in
    let number = numbers[place.coordinate]!
    return SnappedPlace(end: ends[number], isOutside: isInside?[number] == false)
  }
}

/// Points put on streets, in their order.
func tripEnds(
  at points: [FixedCoordinate], on network: StreetNetwork, _ options: Directions.Options, workers: Int
) throws -> [TripEnd?] {
  var ends: [TripEnd?] = []
  ends.reserveCapacity(points.count)
  let size = max(1024, (points.count + workers - 1) / workers)
  try Pipeline.run(
    chunks(of: points.count, size: size), workers: workers,
    makeWorker: {
      let router = Router(network, options)
      return { part in router.ends(at: points[part].map(\.coordinate)) }
    },
    write: { ends += $0.joined() })
  return ends
}

/// The places as rows of their table.
func placeRows(_ places: [InputPlace], _ snapped: [SnappedPlace], on network: StreetNetwork) -> [PlaceRow] {
  // Streets that are alike share their label, and making one costs more than all else.
  var labels: [UInt32: String] = [:]
  return zip(places, snapped).map { place, snapped in
    let end = snapped.end
    let label = end.map { end -> String in
      let attributes = network.street(end.snap.street).attributes
      if let known = labels[attributes] { return known }
      let label = network.label(of: end.snap.street)
      labels[attributes] = label
      return label
    }
    return PlaceRow(
      id: place.id, role: place.role.rawValue, name: place.name, coordinate: place.coordinate,
      snapped: end?.snap.point, snapDistance: end.map { ($0.snap.distance * 100).rounded() / 100 }, street: label,
      status: snapped.status, weight: place.weight)
  }
}
