import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables

extension AccessTask {
  /// Verifies the nearest stations of origins against all stations, not only those found. Origins at the same hour are
  /// computed together if searches start at the stations.
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let (network, options, departures) = (results.network, results.job.options, results.job.departures)
    let (limit, axis, count) = (limit, results.job.rowAxis, max(1, results.job.rowAxis.count))
    let all = try results.database.places(.origin)
    let origins = try results.indices(of: all.count * count).map { index in
      let (place, hour) = (all[index / count], departures == nil ? nil : index % count)
      return (place: place, hour: hour, nearest: try results.database.nearest(place.row, at: hour.map { $0 + 1 }))
    }
    let stations = try Stations(results.database)
    if let check = try TransitCheck(results.context) {
      return try results.differences(of: origins) {
        let (router, search) = (Router(network, options), TransitCheck.Search(check))
        let ends = stations.ends(router)
        let walks = ends.map { search.egress(to: $0.end) }
        return { origin in
          let times = router.end(of: origin.place).map { search.times(from: $0, to: ends.map(\.end), walks) }
          let weights = times?.map { $0.map { Weight(time: $0) } }
          return stations.differences(origin.place, origin.nearest, ends, weights ?? [], origin.hour ?? 0, axis, limit)
        }
      }
    }
    let (isTo, makeOracle) = (reach.direction == .toTargets, results.oracles())
    if let departures, axis.column == .percentile {
      return try results.differences(of: origins) {
        let (router, oracle) = (Router(network, options), makeOracle())
        let ends = stations.ends(router)
        return { origin in
          guard let place = router.end(of: origin.place) else { return [] }
          let atHours = departures.times.map { time in
            isTo
              ? oracle.weights(from: [place], to: ends.map(\.end), at: time)[0]
              : oracle.weights(from: ends.map(\.end), to: [place], at: time).map { $0[0] }
          }
          let weights = ends.indices.map { end in atHours.map { $0[end] } }
          return stations.differences(origin.place, origin.nearest, ends, weights, origin.hour ?? 0, axis, limit)
        }
      }
    }
    let groups =
      departures.map { $0.isArrival != isTo } ?? true
      ? origins.map { [$0] }
      : Dictionary(grouping: origins) { $0.hour ?? 0 }.sorted { $0.key < $1.key }.map(\.value)
    var rows = try results.differences(of: groups) {
      let (router, oracle) = (Router(network, options), makeOracle())
      let ends = stations.ends(router)
      return { origins in
        let hour = origins[0].hour.flatMap { departures?.hours[$0] }
        let snapped = origins.indices.compactMap { index in router.end(of: origins[index].place).map { (index, $0) } }
        let (places, entrances) = (snapped.map(\.1), ends.map(\.end))
        let trips =
          isTo
          ? oracle.weights(from: places, to: entrances, at: hour?.time)
          : oracle.weights(from: entrances, to: places, at: hour?.time)
        var weights = [[Weight?]](repeating: [], count: origins.count)
        for (number, (index, _)) in snapped.enumerated() {
          weights[index] = isTo ? trips[number] : trips.map { $0[number] }
        }
        let text = hour.flatMap { departures?.text(of: $0) }.map { ", \($0)" } ?? ""
        return zip(origins, weights).flatMap { origin, weights in
          stations.differences("origin \(origin.place.id)\(text)", origin.nearest, zip(ends, weights), within: limit)
        }
      }
    }
    rows.count = origins.count
    return rows
  }

  /// The stations of the results, and their entrances.
  private struct Stations: Sendable {
    private let places: [ReportedPlace]
    /// Whether to check that no station is nearer than the nearest: only if stations have no separate entrances.
    private let checksNearest: Bool

    init(_ database: ResultsDatabase) throws {
      let entrances = try database.places(.entrance)
      (places, checksNearest) = (try database.places(.station) + entrances, entrances.isEmpty)
    }

    typealias End = (row: Int, end: TripEnd)

    /// Returns the snapped stations and entrances, with their rows in table `place`.
    func ends(_ router: Router) -> [End] {
      places.compactMap { place in router.end(of: place).map { (place.row, $0) } }
    }

    /// Returns the differences in a row of a job with hours or percentiles, from the weights of each end at all hours.
    func differences(
      _ origin: ReportedPlace, _ nearest: [ResultsDatabase.NearestToVerify], _ ends: [End], _ atHours: [[Weight?]],
      _ row: Int, _ axis: RowAxis, _ limit: UInt32?
    ) -> [Difference] {
      let weights = zip(ends, atHours).map { end, weights -> Weight? in
        guard axis.column == .percentile else { return weights[row] }
        let found = nearest.first { ($0.entrance ?? $0.station) == end.row }?.found
        let time = axis.time(row, of: weights.map { $0?.milliseconds })
        // Percentiles are per station, and results do not record an entrance's station, so the time found only has to
        // match the time at some hour.
        let expected = checksNearest ? time.map { Int($0) } : found?.milliseconds ?? time.map { Int($0) }
        return found.weight(expected, among: weights)
      }
      return differences(
        "origin \(origin.id), \(axis.asDepartures[row].text)", nearest, zip(ends, weights), within: limit)
    }

    /// Returns the differences between the stations found for an origin and the weights of all stations and entrances;
    /// none if the origin has no street.
    func differences(
      _ item: String, _ nearest: [ResultsDatabase.NearestToVerify], _ weights: Zip2Sequence<[End], [Weight?]>,
      within limit: UInt32?
    ) -> [Difference] {
      let weightOfRow = Dictionary(weights.map { ($0.row, $1) }) { first, _ in first }
      var differences: [Difference] = []
      let minimum = weights.compactMap(\.1).min().flatMap { $0.milliseconds <= limit ?? .max ? $0 : nil }
      if checksNearest { differences += ResultsToVerify.differences(item, nearest.first?.found, minimum) }
      for nearest in nearest {
        guard let found = nearest.found, let row = nearest.entrance ?? nearest.station else { continue }
        differences += ResultsToVerify.differences(item, found, weightOfRow[row] ?? nil)
      }
      return differences
    }
  }
}

extension Router {
  /// Returns a place of the results, snapped; nil if it has no usable street.
  fileprivate func end(of place: ReportedPlace) -> TripEnd? {
    place.status == .ok ? end(at: place.point.coordinate) : nil
  }
}
