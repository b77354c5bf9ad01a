import Geography
import Hierarchy
import Routing
import Tables

/// Finds the stations nearest to the origins of a chunk, at each hour where the job has hours. One worker per thread.
final class AccessWorker {
  private let search: AccessSearch
  private let places: AccessPlaces
  private let hours: NearestHours?
  private let departures: [DepartureRow]
  private let features = FeatureList()
  private let routeFeatures = FeatureList()
  private lazy var router = search.makeRouter()

  /// - Parameter sums: Those before the first origin, in a job with hours.
  init(_ search: AccessSearch, _ places: AccessPlaces, _ sums: ServiceSums?) {
    self.search = search
    self.places = places
    departures = search.hours?.departures.rows ?? []
    hours = search.hours.flatMap { hours in sums.map { NearestHours(search, hours, places, $0) } }
  }

  /// The stations of an origin at an hour of the job, by its index; at none in a job without.
  private struct Answer {
    var origin: Int
    var hour: Int?
    var status: RowStatus
    var nearest: [NearestTable.Found]
  }

  /// *Throws*: `DepartureOrder.Violation`.
  func compute(_ origins: Range<Int>) throws -> AccessWriter.Chunk {
    let (answers, sums) = try answers(to: origins)
    var rows: [AccessRow] = []
    rows.reserveCapacity(answers.count * search.task.nearest)
    var text = TextBuffer()
    for answer in answers {
      let departure = answer.hour.map { $0 + 1 }
      let first = rows.count
      if answer.nearest.isEmpty {
        rows.append(
          AccessRow(origin: answer.origin, departure: departure, rank: 0, status: answer.status, found: nil))
      }
      for (rank, found) in answer.nearest.enumerated() {
        let row = AccessRow.Found(
          station: search.entrances[found.target].station, entrance: search.entrances[found.target].own,
          milliseconds: found.weight.milliseconds, centimetres: found.weight.centimetres)
        rows.append(
          AccessRow(origin: answer.origin, departure: departure, rank: rank + 1, status: .ok, found: row))
      }
      features.append(&text) { $0.append(rows[first], at: answer.hour.map { departures[$0] }, places) }
    }
    return AccessWriter.Chunk(
      rows: origins.count, nearest: rows, features: features.finishBlock(),
      routes: search.task.hasRoutes ? routes(origins, answers) : nil, sums: sums)
  }

  /// By origin, then hour.
  private func answers(to origins: Range<Int>) throws -> (answers: [Answer], sums: ServiceSums?) {
    switch search.engine {
    case .table(let table, let anywhere):
      let answers = origins.map { origin in
        let place = search.origins[origin]
        let nearest = place.usableEnd.map(table.nearest) ?? []
        let status = status(of: place, nearest) { anywhere?.nearest(to: $0).isEmpty == false }
        return Answer(origin: origin, hour: nil, status: status, nearest: nearest)
      }
      return (answers, nil)
    case .hours:
      guard let found = try hours?.compute(origins) else { preconditionFailure("a job with hours has sums") }
      let answers = found.answers.enumerated().map { index, answer in
        let origin = origins.lowerBound + index / departures.count
        let status = status(of: search.origins[origin], answer.nearest) { _ in answer.reachesAny }
        return Answer(origin: origin, hour: index % departures.count, status: status, nearest: answer.nearest)
      }
      return (answers, found.sums)
    }
  }

  /// Why an origin has no station, where it has none.
  private func status(
    of origin: SnappedPlace, _ nearest: [NearestTable.Found], reachesAny: (TripEnd) -> Bool
  ) -> RowStatus {
    guard nearest.isEmpty else { return .ok }
    guard let end = origin.usableEnd else { return origin.status }
    return reachesAny(end) ? .beyondLimit : .directionsNotFound
  }

  /// The routes between origins and their nearest stations, as kind `routes` writes them; an origin's id is the pair's.
  private func routes(_ origins: Range<Int>, _ answers: [Answer]) -> RouteWriter.Chunk {
    var written: [RouteWriter.Answer] = []
    var phrases = ChunkPhrases()
    var text = TextBuffer(capacity: 1 << 16)
    for answer in answers {
      let hour = answer.hour.flatMap { search.hours?.departures.hours[$0] }
      guard let found = answer.nearest.first, let end = search.origins[answer.origin].usableEnd,
        let entranceEnd = search.entrances[found.target].end,
        let route = search.route(end, entranceEnd, at: hour, router)
      else { continue }
      precondition(route.weight == found.weight, "the nearest station's trip differs from its route")
      let (origin, station) = (
        places.origins[answer.origin].id, places.stations[search.entrances[found.target].station].id
      )
      let isTo = search.task.reach.direction == .toTargets
      var row = RouteRow(
        pair: origin, origin: isTo ? origin : station, destination: isTo ? station : origin, group: nil, status: .ok,
        transportType: route.transportType.rawValue,
        straightLineCentimetres: TripEnd.straightLine(end, entranceEnd),
        found: RouteRow.Found(route))
      if let hour = answer.hour, let departures = search.hours?.departures { row.setHour(hour, of: departures) }
      written.append(.init(row, phrases.rows(of: route.steps, in: row, hasGeometry: true)))
      routeFeatures.append(&text) { $0.append(row, shape: route.polyline) }
    }
    return RouteWriter.Chunk(
      rows: origins.count, routes: written, phrases: phrases.rows, features: routeFeatures.finishBlock())
  }
}
