import Geography
import Hierarchy
import Routing
import StreetNetwork
import Synchronization
import Transit

/// An hour of a day, for trips that depart or arrive in it. All trips in the hour share a window, which does not depend
/// on trips in other hours.
package struct TransitHour: Hashable, Comparable, Sendable {
  /// The day, in days since 1970.
  package var day: Int
  /// The number of whole hours elapsed since midnight, which differs from the clock's hour after a clock change.
  package var number: Int
  package var isArrival: Bool

  package init(day: Int, number: Int, isArrival: Bool) {
    (self.day, self.number, self.isArrival) = (day, number, isArrival)
  }

  package static func < (a: TransitHour, b: TransitHour) -> Bool {
    (a.day, a.number, a.isArrival ? 1 : 0) < (b.day, b.number, b.isArrival ? 1 : 0)
  }
}

/// One graph per hour, built on first use. Shared by all threads.
private final class HourGraphs: Sendable {
  private let cache = Mutex(RecentlyUsed<TransitHour, TransitGraph>())
  private let capacity: Int
  private let make: @Sendable (TransitHour) -> TransitGraph?

  init(capacity: Int, _ make: @escaping @Sendable (TransitHour) -> TransitGraph?) {
    (self.capacity, self.make) = (capacity, make)
  }

  /// The graph of an hour; nil without a schedule. Built under the lock, since other threads mostly wait for the same
  /// graph.
  subscript(hour: TransitHour) -> TransitGraph? {
    cache.withLock { graphs in
      if let graph = graphs.value(for: hour) { return graph }
      let graph = make(hour)
      if let graph { graphs.store(graph, for: hour, capacity: capacity) }
      return graph
    }
  }
}

/// The data for transit trips of pairs: one graph per window, and the walks from and to all places. Shared by all
/// threads.
package struct TransitTrips: Sendable {
  private let graph: TransitGraph
  /// The number of departures or arrivals.
  private let departures: Int
  /// Whether sweeps begin at destinations.
  private let isArrival: Bool
  /// Walks from and to each place of the pairs.
  private let walks: TransitWalks
  private let hours: HourGraphs
  /// The maximum number of graphs in memory.
  private let maximumGraphs: Int

  /// - Parameters:
  ///   - places: The places of the pairs; nil for places without a street.
  ///   - hours: The schedule of each hour, for pairs with their own departures.
  ///   - memory: The memory for the graphs of `hours`, in bytes; at least one graph per worker is kept.
  package init(
    _ stops: TransitStops, _ places: [TripEnd?], on network: StreetNetwork, workers: Int,
    hours: [TransitHour: TransitSchedule] = [:], memory: Int = 0
  ) {
    let walks = TransitWalks(stops, from: places, to: places, on: network, workers: workers)
    self.init(stops.schedule, walks, stops.graph(walks.between, hasTrips: true), hours, memory, workers) {
      stops.with($0).graph(walks.between, hasTrips: true)
    }
  }

  /// - Parameter graph: The graph for the schedule and the walks between stops, with trips.
  init(
    _ schedule: TransitSchedule, _ walks: TransitWalks, _ graph: TransitGraph,
    _ hours: [TransitHour: TransitSchedule] = [:], _ memory: Int = 0, _ workers: Int = 1,
    _ make: @escaping @Sendable (TransitSchedule) -> TransitGraph? = { _ in nil }
  ) {
    let capacity = max(workers, memory / max(1, graph.memory))
    self.hours = HourGraphs(capacity: capacity) { hours[$0].flatMap(make) }
    maximumGraphs = min(hours.count, capacity) + 1
    (departures, isArrival) = (schedule.window.departures.count, schedule.window.isArrival)
    (self.walks, self.graph) = (walks, graph)
  }

  /// Bytes per thread.
  package var workerMemory: Int { graph.sweepMemory + graph.nodeCount * 32 }
  /// Bytes shared by all threads.
  package var sharedMemory: Int { graph.memory * maximumGraphs + walks.count * 8 }

  /// A search for trips, confined to one thread.
  package final class Query {
    private let trips: TransitTrips
    private lazy var sweep = TransitSweep(trips.graph)
    /// The sweep of the most recently queried hour.
    private var hourSweep: (hour: TransitHour, sweep: TripSweep)?

    package init(_ trips: TransitTrips) { self.trips = trips }

    /// The departures or arrivals of the job, in milliseconds from midnight.
    package var moments: [Int] { trips.graph.window.departures }

    /// A pair of places, by index.
    package struct Pair {
      var origin: Int
      var destination: Int
      /// The walk between the places; nil if there is none.
      package var walk: Weight?

      package init(origin: Int, destination: Int, walk: Weight?) {
        (self.origin, self.destination, self.walk) = (origin, destination, walk)
      }
    }

    /// The result for a pair.
    package struct Found {
      /// The travel time in milliseconds at every departure; nil if no trip is within the limit.
      package var times: [UInt32?]
      /// Trips by index of the departure: all trips within the limit, or only the trips used for percentiles.
      package var trips: [Int: TransitTrip] = [:]
    }

    /// Returns the trip of each pair at its own time, in milliseconds from midnight, within an hour; nil if no trip is
    /// within the limit.
    package func trips(of pairs: [(pair: Pair, moment: Int)], in hour: TransitHour) -> [TransitTrip?] {
      if hourSweep?.hour != hour { hourSweep = trips.hours[hour].map { (hour, TripSweep($0)) } }
      guard let sweep = hourSweep?.sweep else { preconditionFailure("an hour without a schedule") }
      let walks = trips.walks
      return sweep.trips(
        pairs.map { pair, moment in
          let (from, to) = (walks.access[pair.origin], walks.egress[pair.destination])
          return TripSweep.Question(
            access: hour.isArrival ? to : from, egress: hour.isArrival ? from : to, moment: moment,
            walking: pair.walk.map { Int($0.milliseconds) })
        })
    }

    /// Returns the trips of each pair. Each sweep covers several consecutive origins (or destinations, if trips have
    /// arrivals), and is faster if they are near each other.
    ///
    /// - Parameter choose: Returns the departures for which trips are needed, given the times at all departures. If nil,
    ///   all departures have trips.
    package func trips(of pairs: [Pair], choosing choose: (([UInt32?]) -> [Int])? = nil) -> [Found] {
      let (origin, destination) =
        trips.isArrival ? (\Pair.destination, \Pair.origin) : (\Pair.origin, \Pair.destination)
      let (origins, destinations) = (
        Interner(pairs.map { $0[keyPath: origin] }), Interner(pairs.map { $0[keyPath: destination] })
      )
      let (from, to) =
        trips.isArrival ? (trips.walks.egress, trips.walks.access) : (trips.walks.access, trips.walks.egress)
      let access = StopWalks(origins.values.map { Array(from[$0]) })
      let egress = StopWalks(destinations.values.map { Array(to[$0]) })
      let arrivals = TransitDestinations(trips.graph, walks: egress, workers: 1)
      let pairsOfOrigins = Dictionary(grouping: pairs.indices) { origins.index(ifKnown: pairs[$0][keyPath: origin])! }
      var found = pairs.map { _ in Found(times: []) }
      for lanes in (0..<access.count).batches(of: TransitSweep.lanes) {
        sweep.run(lanes, of: access)
        for lane in lanes {
          for pair in pairsOfOrigins[lane] ?? [] {
            let place = destinations.index(ifKnown: pairs[pair][keyPath: destination])!
            let walk = pairs[pair].walk.map { Int($0.milliseconds) }
            let times = (0..<trips.departures).map {
              sweep.time(lane: lane - lanes.lowerBound, to: place, of: arrivals, departure: $0, walking: walk)
            }
            found[pair].times = times
            for departure in choose?(times) ?? Array(times.indices) where times[departure] != nil {
              found[pair].trips[departure] = sweep.trip(
                lane: lane - lanes.lowerBound, to: place, of: arrivals, departure: departure, walking: walk)
            }
          }
        }
      }
      return found
    }
  }
}
