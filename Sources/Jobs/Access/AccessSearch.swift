import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// What the workers of an access job share: places on their streets, and the stations nearest to any place. Immutable.
struct AccessSearch: Sendable {
  let network: StreetNetwork
  let job: Job
  let task: AccessTask
  let origins: [SnappedPlace]
  let entrances: [Entrance]
  /// The indices of each station's entrances.
  let entrancesOfStations: [[Int]]
  let nearest: TripNearest
  /// Whether there is a station at all, however far; nil where no limit is set.
  private let anywhere: TripNearest?
  private let time: LocalTime?

  struct Entrance: Sendable {
    /// The station's index.
    var station: Int
    /// Its index among the entrances that are places of their own; nil where the station is its own entrance.
    var own: Int?
    var end: TripEnd?
  }

  init(
    _ task: AccessTask, _ ends: AccessJob.Ends, _ entrances: [StationTable.Entrance], stationCount: Int,
    in context: JobContext
  ) {
    (network, job, self.task, origins) = (context.network, context.job, task, ends.origins)
    var ownCount = 0
    var found: [Entrance] = []
    var ofStations = [[Int]](repeating: [], count: stationCount)
    for (entrance, end) in zip(entrances, ends.entrances) {
      let isOwn = entrance.place.role == .entrance
      ofStations[entrance.station].append(found.count)
      found.append(Entrance(station: entrance.station, own: isOwn ? ownCount : nil, end: end.usableEnd))
      if isOwn { ownCount += 1 }
    }
    (self.entrances, entrancesOfStations) = (found, ofStations)
    let time = context.job.localTime
    self.time = time
    func table(count: Int, within limit: UInt32) -> TripNearest {
      TripNearest(
        context.network, task.reach.direction, to: found.map(\.end), groups: found.map { UInt32($0.station) },
        count: count, within: limit, at: time)
    }
    nearest = table(count: task.nearest, within: task.limit ?? Weight.infinity.milliseconds - 1)
    anywhere = task.limit.map { _ in table(count: 1, within: Weight.infinity.milliseconds - 1) }
  }

  /// Why an origin has no station.
  func reason(for origin: SnappedPlace) -> RowStatus {
    guard let end = origin.usableEnd else { return origin.status }
    return anywhere?.nearest(to: end).isEmpty == false ? .beyondLimit : .directionsNotFound
  }

  /// The trip between an origin and an entrance.
  func route(_ origin: TripEnd, _ entrance: TripEnd, _ router: Router) -> Route? {
    task.reach.direction == .toTargets
      ? router.route(from: origin, to: entrance, frozenAt: time)
      : router.route(from: entrance, to: origin, frozenAt: time)
  }

  var reach: TripReach { TripReach(network, task.reach.direction, at: time) }
}
