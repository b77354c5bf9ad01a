import Hierarchy
import Results
import Routing

extension AccessSearch {
  /// What all that serves does, by `AccessPlaces.servingStations`: every origin within a threshold counts, whichever
  /// station is its nearest.
  func services(of places: AccessPlaces, workers: Int) throws -> [Service] {
    let reached = ReachedPlaces(reach, origins.map(\.usableEnd))
    let thresholds = task.reach.thresholds.map { UInt32($0) * 1000 }
    let (counts, width) = (places.counts(), places.measures.count)
    var services: [Service] = []
    try Pipeline.run(
      places.servingStations, workers: workers,
      makeWorker: {
        let query = ReachedPlaces.Query(reached)
        return { stations in
          var service = Service(thresholds: thresholds.count, measures: width)
          let ends = stations.flatMap { entrancesOfStations[$0] }.compactMap { entrances[$0].end }
          query.forEachPlace(around: ends, within: thresholds.last ?? 0) { origin, weight in
            guard let first = thresholds.firstIndex(where: { weight.milliseconds <= $0 }) else { return }
            for measure in 0..<width { service.values[first][measure] += counts[origin * width + measure] }
          }
          service.accumulate()
          return service
        }
      },
      write: { services += $0 })
    return services
  }
}
