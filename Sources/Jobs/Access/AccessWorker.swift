import Geography
import Hierarchy
import Results
import Routing

/// Finds the stations nearest to the origins of a chunk. One worker per thread.
final class AccessWorker {
  private let search: AccessSearch
  private let places: AccessPlaces
  private let features = FeatureList()
  private let routeFeatures = FeatureList()
  private lazy var router = Router(search.network, search.job.options)

  init(_ search: AccessSearch, _ places: AccessPlaces) {
    self.search = search
    self.places = places
  }

  func compute(_ origins: Range<Int>) -> AccessWriter.Chunk {
    var rows: [AccessRow] = []
    rows.reserveCapacity(origins.count * search.task.nearest)
    var text = TextBuffer()
    var nearest: [NearestTable.Found?] = []
    for origin in origins {
      let place = search.origins[origin]
      let found = place.usableEnd.map(search.nearest.nearest) ?? []
      if found.isEmpty {
        rows.append(AccessRow(origin: origin, rank: 0, status: search.reason(for: place), found: nil))
      }
      for (rank, found) in found.enumerated() {
        let row = AccessRow.Found(
          station: search.entrances[found.target].station, entrance: search.entrances[found.target].own,
          milliseconds: found.weight.milliseconds, centimetres: found.weight.centimetres)
        rows.append(AccessRow(origin: origin, rank: rank + 1, status: .ok, found: row))
      }
      let first = rows[rows.count - max(1, found.count)]
      features.append(&text) { $0.append(first, places) }
      nearest.append(found.first)
    }
    return AccessWriter.Chunk(
      rows: origins.count, nearest: rows, features: features.finishBlock(),
      routes: search.task.hasRoutes ? routes(origins, nearest) : nil)
  }

  /// The routes between origins and their nearest stations, as kind `routes` writes them; an origin's id is the pair's.
  private func routes(_ origins: Range<Int>, _ nearest: [NearestTable.Found?]) -> RouteWriter.Chunk {
    var written: [(row: RouteRow, steps: [StepRow])] = []
    var phrases = ChunkPhrases()
    var text = TextBuffer(capacity: 1 << 16)
    for (origin, found) in zip(origins, nearest) {
      guard let found, let end = search.origins[origin].usableEnd, let entranceEnd = search.entrances[found.target].end,
        let route = search.route(end, entranceEnd, router)
      else { continue }
      precondition(route.weight == found.weight, "the nearest station's trip differs from its route")
      let station = places.stations[search.entrances[found.target].station].id
      let isTo = search.task.reach.direction == .toTargets
      var details = RouteRow.Found(route.weight)
      details.route = RouteRow.Details(route, hasShape: true)
      let row = RouteRow(
        pair: places.origins[origin].id, origin: isTo ? places.origins[origin].id : station,
        destination: isTo ? station : places.origins[origin].id, group: nil, status: .ok,
        transportType: route.transportType.rawValue,
        straightLineCentimetres: Int64((end.place.distance(to: entranceEnd.place) * 100).rounded()), found: details)
      written.append((row, phrases.rows(of: route.steps, in: row, hasGeometry: true)))
      routeFeatures.append(&text) { $0.append(row, shape: route.polyline) }
    }
    return RouteWriter.Chunk(
      rows: origins.count, routes: written, phrases: phrases.rows, features: routeFeatures.finishBlock())
  }
}
