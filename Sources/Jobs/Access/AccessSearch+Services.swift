import Hierarchy
import Routing
import Tables

extension AccessSearch {
  /// What all that serves does, by `AccessPlaces.servingStations`, of some origins: every one within a threshold counts,
  /// whichever station is its nearest.
  ///
  /// - Parameters:
  ///   - empty: Before the first origin.
  ///   - some: Of which of them, if not all.
  func services(
    of places: AccessPlaces, from origins: Range<Int>, _ empty: ServiceSums, workers: Int, only some: [Int]? = nil
  ) throws -> ServiceSums {
    let reached = ReachedPlaces(
      reach, self.origins.enumerated().map { origins.contains($0) ? $1.usableEnd : nil })
    let thresholds = task.reach.thresholds.map { UInt32($0) * 1000 }
    let (counts, width) = (places.counts(), places.measures.count)
    var services = empty
    let stations = places.servingStations
    try Pipeline.run(
      some ?? Array(stations.indices), workers: workers,
      makeWorker: {
        let query = ReachedPlaces.Query(reached)
        return { service -> (Int, [Int64]) in
          var sums = [Int64](repeating: 0, count: thresholds.count * width)
          let ends = stations[service].flatMap { entrancesOfStations[$0] }.compactMap { entrances[$0].end }
          query.forEachPlace(around: ends, within: thresholds.last ?? 0) { origin, weight in
            guard let first = thresholds.firstIndex(where: { weight.milliseconds <= $0 }) else { return }
            for measure in 0..<width { sums[first * width + measure] += counts[origin * width + measure] }
          }
          return (service, sums)
        }
      },
      write: { for (service, sums) in $0 { services.add(sums, to: service) } })
    return services
  }
}
