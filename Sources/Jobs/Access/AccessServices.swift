import Hierarchy
import Results
import Routing

extension AccessServices {
  /// Every origin within a threshold counts, whichever station is its nearest.
  init(_ search: AccessSearch, _ places: AccessPlaces, workers: Int) throws {
    var stationsOfLines: [String: [Int]] = [:]
    for (station, lines) in places.lines.enumerated() {
      for line in lines { stationsOfLines[line, default: []].append(station) }
    }
    let sorted = stationsOfLines.sorted { $0.key < $1.key }
    let groups = places.stations.indices.map { [$0] } + sorted.map(\.value)
    let reached = ReachedPlaces(search.reach, search.origins.map(\.usableEnd))
    let thresholds = search.task.reach.thresholds.map { UInt32($0) * 1000 }
    let (counts, width) = (places.counts(), places.measures.count)
    var services: [Service] = []
    try Pipeline.run(
      groups, workers: workers,
      makeWorker: {
        let query = ReachedPlaces.Query(reached)
        return { stations in
          var service = Service(thresholds: thresholds.count, measures: width)
          let ends = stations.flatMap { search.entrancesOfStations[$0] }.compactMap { search.entrances[$0].end }
          query.forEachPlace(around: ends, within: thresholds.last ?? 0) { origin, weight in
            guard let first = thresholds.firstIndex(where: { weight.milliseconds <= $0 }) else { return }
            // Each counts where it is first within; thresholds are added up afterwards.
            for measure in 0..<width { service.values[first][measure] += counts[origin * width + measure] }
          }
          for threshold in 1..<max(1, thresholds.count) {
            for measure in 0..<width { service.values[threshold][measure] += service.values[threshold - 1][measure] }
          }
          return service
        }
      },
      write: { services += $0 })
    self.init(
      stations: Array(services.prefix(places.stations.count)),
      lines: zip(sorted, services.dropFirst(places.stations.count)).map { line, service in
        Line(name: line.key, stations: line.value.count, service: service)
      })
  }
}
