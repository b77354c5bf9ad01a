import Geography
import Hierarchy
import Routing
import StreetNetwork
import Transit

/// The data shared by the transit trips of pairs: the window's graph, and the walks of all places. Immutable, shared by
/// all threads.
package struct TransitTrips: Sendable {
  private let graph: TransitGraph
  /// The number of departures or arrivals.
  private let departures: Int
  /// Whether sweeps begin at destinations.
  private let isArrival: Bool
  /// From and to each place of the pairs.
  private let walks: TransitWalks

  /// - Parameter places: Those of the pairs; nil for places without a street.
  package init(_ stops: TransitStops, _ places: [TripEnd?], on network: StreetNetwork, workers: Int) {
    let walks = TransitWalks(stops, from: places, to: places, on: network, workers: workers)
    self.init(stops.schedule, walks, TransitTrips.graph(of: stops, walks.between))
  }

  /// - Parameter graph: The graph of the schedule and the walks between stops, for trips.
  init(_ schedule: TransitSchedule, _ walks: TransitWalks, _ graph: TransitGraph) {
    (departures, isArrival) = (schedule.window.departures.count, schedule.window.isArrival)
    (self.walks, self.graph) = (walks, graph)
  }

  /// The graph of a window in which trips are found.
  static func graph(of stops: TransitStops, _ between: StopWalks) -> TransitGraph {
    TransitGraph(
      stops.schedule.timetable, stops.schedule.window, walks: between, stops: stops.areUsable,
      trips: stops.schedule.usableTrips, hasTrips: true)
  }

  /// Bytes per thread.
  package var workerMemory: Int { graph.sweepMemory + graph.nodeCount * 32 }
  /// Bytes shared by all threads.
  package var sharedMemory: Int { graph.arcCount * 8 + graph.nodeCount * 32 + walks.count * 8 }

  /// Finds trips on one thread.
  package final class Query {
    private let trips: TransitTrips
    private let sweep: TransitSweep

    package init(_ trips: TransitTrips) {
      self.trips = trips
      sweep = TransitSweep(trips.graph)
    }

    /// A pair of places, by their indices, and the walk all the way between them; nil if there is none.
    package struct Pair {
      var origin: Int
      var destination: Int
      package var walk: Weight?

      package init(origin: Int, destination: Int, walk: Weight?) {
        (self.origin, self.destination, self.walk) = (origin, destination, walk)
      }
    }

    /// The result for a pair.
    package struct Found {
      /// At every departure; nil if no trip is within the limit.
      package var times: [UInt32?]
      /// By departure: those within the limit, or only those used for percentiles.
      package var trips: [Int: TransitTrip] = [:]
    }

    /// The trips of each pair. Consecutive origins are computed together: neighbours are faster. With arrivals, origins
    /// are the ends of trips.
    ///
    /// - Parameter choose: The departures for which trips are needed, from the times at all of them; nil for all.
    package func trips(of pairs: [Pair], choosing choose: (([UInt32?]) -> [Int])? = nil) -> [Found] {
      let (origin, destination) =
        trips.isArrival ? (\Pair.destination, \Pair.origin) : (\Pair.origin, \Pair.destination)
      let (origins, destinations) = (
        Places(pairs.map { $0[keyPath: origin] }), Places(pairs.map { $0[keyPath: destination] })
      )
      let (from, to) =
        trips.isArrival ? (trips.walks.egress, trips.walks.access) : (trips.walks.access, trips.walks.egress)
      let access = StopWalks(origins.places.map { Array(from[$0]) })
      let egress = StopWalks(destinations.places.map { Array(to[$0]) })
      let arrivals = TransitDestinations(trips.graph, walks: egress, workers: 1)
      let pairsOfOrigins = Dictionary(grouping: pairs.indices) { origins.index[pairs[$0][keyPath: origin]]! }
      var found = pairs.map { _ in Found(times: []) }
      for start in stride(from: 0, to: access.count, by: TransitSweep.lanes) {
        let lanes = start..<min(start + TransitSweep.lanes, access.count)
        sweep.run(lanes, of: access)
        for lane in lanes {
          for pair in pairsOfOrigins[lane] ?? [] {
            let place = destinations.index[pairs[pair][keyPath: destination]]!
            let walk = pairs[pair].walk.map { Int($0.milliseconds) }
            let times = (0..<trips.departures).map {
              sweep.time(lane: lane - start, to: place, of: arrivals, departure: $0, walking: walk)
            }
            found[pair].times = times
            for departure in choose?(times) ?? Array(times.indices) where times[departure] != nil {
              found[pair].trips[departure] = sweep.trip(
                lane: lane - start, to: place, of: arrivals, departure: departure, walking: walk)
            }
          }
        }
      }
      return found
    }
  }

  /// Places in the order in which they first occur, each once.
  private struct Places {
    var places: [Int] = []
    var index: [Int: Int] = [:]

    init(_ all: [Int]) {
      for place in all where index[place] == nil {
        index[place] = places.count
        places.append(place)
      }
    }
  }
}
