import Hierarchy
import Results
import Routing

extension AccessServices {
  /// Every origin within a threshold counts, whichever station is its nearest.
  init(_ search: AccessSearch, _ places: AccessPlaces, workers: Int) throws {
    let reached = ReachedPlaces(search.reach, search.origins.map(\.usableEnd))
    let thresholds = search.task.reach.thresholds.map { UInt32($0) * 1000 }
    let (counts, width) = (places.counts(), places.measures.count)
    var services: [Service] = []
    try Pipeline.run(
      places.servingStations, workers: workers,
      makeWorker: {
        let query = ReachedPlaces.Query(reached)
        return { stations in
          var service = Service(thresholds: thresholds.count, measures: width)
          let ends = stations.flatMap { search.entrancesOfStations[$0] }.compactMap { search.entrances[$0].end }
          query.forEachPlace(around: ends, within: thresholds.last ?? 0) { origin, weight in
            guard let first = thresholds.firstIndex(where: { weight.milliseconds <= $0 }) else { return }
            for measure in 0..<width { service.values[first][measure] += counts[origin * width + measure] }
          }
          service.accumulate()
          return service
        }
      },
      write: { services += $0 })
    self.init(services, of: places)
  }
}
