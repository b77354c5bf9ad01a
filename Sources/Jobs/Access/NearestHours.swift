import Hierarchy
import Tables

/// The stations nearest to some origins at each hour, and what stations and lines serve of them: out of the same cells. One
/// object per thread.
final class NearestHours {
  private let search: AccessSearch
  private let places: AccessPlaces
  private let hours: AccessHours
  private let fill: (Range<Int>) -> AccessHours.Cells
  private let order: DepartureOrder?
  private let stationsOfServices: [[Int]]
  private let counts: [Int64]
  /// In milliseconds.
  private let thresholds: [UInt32]
  private let empty: ServiceSums

  init(_ search: AccessSearch, _ hours: AccessHours, _ places: AccessPlaces, _ empty: ServiceSums) {
    (self.search, self.hours, self.places, self.empty) = (search, hours, places, empty)
    fill = hours.makeFill()
    order = hours.order
    stationsOfServices = places.servingStations
    counts = places.counts()
    thresholds = search.task.reach.thresholds.map { UInt32($0) * 1000 }
  }

  /// Of an origin at an hour.
  struct Answer {
    /// The nearest first; equal to those of a table of the nearest.
    var nearest: [NearestTable.Found]
    /// Whether any station can be reached, however far.
    var reachesAny: Bool
  }

  /// By origin, then hour. *Throws*: `DepartureOrder.Violation`.
  func compute(_ origins: Range<Int>) throws -> (answers: [Answer], sums: ServiceSums) {
    let cells = fill(origins)
    var (answers, sums): ([Answer], ServiceSums) = ([], empty)
    answers.reserveCapacity(origins.count * hours.departures.hours.count)
    for origin in origins {
      if let order, origin % DepartureOrder.interval == 0 { try check(order, origin, cells) }
      for hour in hours.departures.hours.indices {
        let found = search.entrancesOfStations.map { entrances in
          entrances.lazy.map { entrance in
            NearestTable.Found(
              weight: cells.weight(origin: origin, hour: hour, entrance: entrance), target: entrance)
          }.min() ?? NearestTable.Found(weight: .infinity, target: 0)
        }
        answers.append(Answer(nearest: nearest(of: found), reachesAny: found.contains { $0.weight.isFinite }))
        count(origin, hour, found, in: &sums)
      }
    }
    return (answers, sums)
  }

  /// The first of all stations within the limit.
  private func nearest(of stations: [NearestTable.Found]) -> [NearestTable.Found] {
    let limit = search.task.limit ?? Weight.infinity.milliseconds - 1
    var nearest: [NearestTable.Found] = []
    for found in stations where found.weight.milliseconds <= limit {
      if nearest.count == search.task.nearest {
        guard let last = nearest.last, found < last else { continue }
        nearest.removeLast()
      }
      nearest.insert(found, at: nearest.firstIndex { found < $0 } ?? nearest.count)
    }
    return nearest
  }

  /// Every origin within a threshold counts, whichever station is its nearest.
  private func count(_ origin: Int, _ hour: Int, _ stations: [NearestTable.Found], in sums: inout ServiceSums) {
    let width = places.measures.count
    let counted = counts[origin * width..<(origin + 1) * width]
    for (service, members) in stationsOfServices.enumerated() {
      let least = members.reduce(Weight.infinity.milliseconds) { min($0, stations[$1].weight.milliseconds) }
      guard let threshold = thresholds.firstIndex(where: { least <= $0 }) else { continue }
      sums.add(counted, hour: hour, service: service, threshold: threshold)
    }
  }

  private func check(_ order: DepartureOrder, _ origin: Int, _ cells: AccessHours.Cells) throws {
    for (index, entrance) in search.entrances.enumerated() {
      let times = hours.departures.hours.indices.map {
        cells.weight(origin: origin, hour: $0, entrance: index).milliseconds
      }
      let (place, station) = (places.origins[origin].id, places.stations[entrance.station].id)
      let isTo = search.task.reach.direction == .toTargets
      try order.check(
        times, missing: Weight.infinity.milliseconds, from: isTo ? place : station, to: isTo ? station : place)
    }
  }
}
