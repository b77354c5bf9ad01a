import Routing
import StreetNetwork

/// The trips that a calibration uses, each with its fastest way, and those that it leaves out.
struct TripSample: Sendable {
  /// A trip that counts.
  struct Member: Sendable {
    var trip: ObservedTrip
    var time: TimeOfWeek
    /// On the clocks of the map, since 1970.
    var day: Int
    var origin: TripEnd
    var destination: TripEnd
    var way: TripTimes
  }

  private(set) var members: [Member] = []
  /// Lines of the trips that are left out, by reason.
  private(set) var omitted: [TripOmission: [Int]] = [:]
  private let network: StreetNetwork
  private let workers: Int

  /// Trips per chunk: where they end does not decide answers.
  private static let chunkSize = 32

  init(_ trips: [ObservedTrip], on network: StreetNetwork, workers: Int) throws {
    (self.network, self.workers) = (network, workers)
    var options = Directions.Options()
    options.snapLimit = TripOmission.snapLimit
    guard let clock = LocalClock(timeZone: network.timeZone) else {
      throw InputError(file: network.path, problem: "nothing is known of its time zone, \(network.timeZone)")
    }
    var found: [Result<Member, Omitted>] = []
    try Pipeline.run(
      Pipeline.chunks(of: trips.count, size: TripSample.chunkSize), workers: workers,
      makeWorker: { [options] in
        let (router, ways) = (Router(network, options), TripWays(network))
        return { chunk in
          trips[chunk].map { trip in Result { () throws(Omitted) in try TripSample.member(trip, clock, router, ways) } }
        }
      }, write: { for members in $0 { found += members } })
    for (trip, result) in zip(trips, found) {
      switch result {
      case .success(let member): members.append(member)
      case .failure(let omitted): self.omitted[omitted.reason, default: []].append(trip.line)
      }
    }
  }

  private struct Omitted: Error { var reason: TripOmission }

  private static func member(
    _ trip: ObservedTrip, _ clock: LocalClock, _ router: Router, _ ways: TripWays
  ) throws(Omitted) -> Member {
    if let omission = TripOmission(trip) { throw Omitted(reason: omission) }
    guard let origin = router.end(at: trip.origin.coordinate),
      let destination = router.end(at: trip.destination.coordinate)
    else { throw Omitted(reason: .offStreets) }
    guard let way = ways.times(from: origin, to: destination) else { throw Omitted(reason: .unreachable) }
    if let omission = TripOmission(trip, way) { throw Omitted(reason: omission) }
    let departure = Int(trip.departure.rounded(.down))
    let local = clock.localSeconds(at: departure)
    let second = ((local % 86_400) + 86_400) % 86_400
    let time = TimeOfWeek(weekday: clock.weekday(at: departure), minute: second / 60)
    return Member(
      trip: trip, time: time, day: (local - second) / 86_400, origin: origin, destination: destination, way: way)
  }

  /// Leaves out the trips that are in none of the bands.
  mutating func keep(_ bands: HourBands) {
    let outside = members.filter { bands.band(of: $0.time) == nil }
    guard !outside.isEmpty else { return }
    omitted[.outsideBands] = outside.map(\.trip.line)
    members.removeAll { bands.band(of: $0.time) == nil }
  }

  /// The ways that are fastest where each band has a slowness for each class.
  func ways(at slowness: [ClassSlowness], _ bands: HourBands) throws -> [TripTimes] {
    let (members, network) = (members, network)
    let order = members.indices.sorted { (band($0, bands), $0) < (band($1, bands), $1) }
    let graphs = slowness.map { SlowedGraph(network, $0) }
    var ways = members.map(\.way)
    try Pipeline.run(
      Pipeline.chunks(of: order.count, size: TripSample.chunkSize), workers: workers,
      makeWorker: {
        let search = TripWays(network)
        return { chunk in
          order[chunk].map { index in
            let member = members[index]
            let graph = graphs[bands.band(of: member.time)!]
            return (index, search.times(from: member.origin, to: member.destination, at: graph) ?? member.way)
          }
        }
      }, write: { for (index, way) in $0.joined() { ways[index] = way } })
    return ways
  }

  private func band(_ index: Int, _ bands: HourBands) -> Int { bands.band(of: members[index].time) ?? 0 }
}
