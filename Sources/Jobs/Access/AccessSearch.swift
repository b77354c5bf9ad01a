import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables

/// What the workers of an access job share: places on their streets, and what finds the stations nearest to them. Immutable.
struct AccessSearch: Sendable {
  let network: StreetNetwork
  let job: Job
  let task: AccessTask
  let origins: SnappedPlaces
  let entrances: [Entrance]
  /// The indices of each station's entrances.
  let entrancesOfStations: [[Int]]
  let engine: Engine
  private let networks: TimedNetworks
  private let time: LocalTime?

  /// What finds the nearest stations.
  enum Engine {
    /// Of any place; and whether there is a station at all, however far, where a limit is set.
    case table(TripNearest, anywhere: TripNearest?)
    /// At each hour of the job.
    case hours(AccessHours)
  }

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
    // Without hours all stays as it is at one moment.
    let network = context.job.departures == nil ? context.network.slowed(at: context.job.localTime) : context.network
    (self.network, job, self.task, origins) = (network, context.job, task, ends.origins)
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
    networks = context.timedNetworks
    if let departures = context.job.departures {
      engine = .hours(
        AccessHours(task, ends.origins.map(\.usableEnd), found.map(\.end), at: departures, in: context))
      return
    }
    func table(count: Int, within limit: UInt32) -> TripNearest {
      TripNearest(
        network, task.reach.direction, to: found.map(\.end), groups: found.map { UInt32($0.station) },
        count: count, within: limit, at: time)
    }
    engine = .table(
      table(count: task.nearest, within: task.limit ?? Weight.infinity.milliseconds - 1),
      anywhere: task.limit.map { _ in table(count: 1, within: Weight.infinity.milliseconds - 1) })
  }

  /// The hours of each origin; nil in a job without hours.
  var hours: AccessHours? { if case .hours(let hours) = engine { hours } else { nil } }

  func makeRouter() -> Router { Router(network, job.options, networks) }

  /// The trip between an origin and an entrance, at an hour of the job where it has hours.
  func route(_ origin: TripEnd, _ entrance: TripEnd, at hour: Departures.Hour?, _ router: Router) -> Route? {
    let (from, to) = task.reach.direction == .toTargets ? (origin, entrance) : (entrance, origin)
    return hour.map { router.route(from: from, to: to, at: $0.time) }
      ?? router.route(from: from, to: to, frozenAt: time)
  }

  var reach: TripReach { TripReach(network, task.reach.direction, at: time) }
}
