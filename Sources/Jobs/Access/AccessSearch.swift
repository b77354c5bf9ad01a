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
  let doors: [Door]
  /// The doors of each station, by number.
  let doorsOfStations: [[Int]]
  let nearest: TripNearest
  /// Whether there is a station at all, however far; nil where no limit is set.
  private let anywhere: TripNearest?
  private let time: LocalTime?

  struct Door: Sendable {
    var station: Int
    /// Its number among the entrances; nil where the station is its own door.
    var entrance: UInt32?
    var end: TripEnd?
  }

  init(
    _ network: StreetNetwork, _ job: Job, _ task: AccessTask, _ lists: AccessLists, _ origins: [SnappedPlace],
    _ doors: [SnappedPlace], workers: Int
  ) {
    self.network = network
    self.job = job
    self.task = task
    self.origins = origins
    var entrances: UInt32 = 0
    var numbered: [Door] = []
    var doorsOfStations = [[Int]](repeating: [], count: lists.stations.stations.count)
    for (number, (door, place)) in zip(lists.stations.entrances, doors).enumerated() {
      let isEntrance = door.place.role == .entrance
      numbered.append(Door(station: door.station, entrance: isEntrance ? entrances : nil, end: place.usableEnd))
      doorsOfStations[door.station].append(number)
      if isEntrance { entrances += 1 }
    }
    self.doors = numbered
    self.doorsOfStations = doorsOfStations
    let (ends, groups) = (numbered.map(\.end), numbered.map { UInt32($0.station) })
    let time = job.localTime
    self.time = time
    func table(count: Int, within limit: UInt32) -> TripNearest {
      TripNearest(
        network, task.reach.direction, to: ends, groups: groups, count: count, within: limit, at: time, workers: workers
      )
    }
    nearest = table(count: task.nearest, within: task.limit ?? Weight.infinity.milliseconds - 1)
    anywhere = task.limit.map { _ in table(count: 1, within: Weight.infinity.milliseconds - 1) }
  }

  /// Why an origin has no station.
  func reason(for origin: SnappedPlace) -> RowStatus {
    guard let end = origin.usableEnd else { return origin.status }
    return anywhere?.nearest(to: end).isEmpty == false ? .beyondLimit : .directionsNotFound
  }

  /// The trip between an origin and a door.
  func route(_ origin: TripEnd, _ door: TripEnd, _ router: Router) -> Route? {
    task.reach.direction == .toTargets
      ? router.route(from: origin, to: door, at: time) : router.route(from: door, to: origin, at: time)
  }

  var reach: TripReach { TripReach(network, task.reach.direction, at: time) }
}
