import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables
import Transit

/// What the transit trips of pairs share: the window's graph, and the walks of all places. Immutable, shared by all threads.
struct TransitTrips: Sendable {
  let graph: TransitGraph
  /// The number of departures or arrivals.
  let departures: Int
  /// Whether sweeps begin at destinations.
  private let isArrival: Bool
  /// From and to each place of the pairs.
  private let walks: TransitWalks

  /// - Parameter places: Those of the pairs; nil for places without a street.
  init(_ stops: TransitStops, _ places: [TripEnd?], in context: JobContext) {
    (departures, isArrival) = (stops.schedule.window.departures.count, stops.schedule.window.isArrival)
    walks = TransitWalks(stops, from: places, to: places, on: context.network, workers: context.workers)
    graph = TransitGraph(
      stops.schedule.timetable, stops.schedule.window, walks: walks.between, stops: stops.areUsable,
      trips: stops.schedule.usableTrips, hasTrips: true)
  }

  /// Bytes that a thread holds.
  var workerMemory: Int { graph.sweepMemory + graph.nodeCount * 32 }
  /// Bytes that all threads share.
  var sharedMemory: Int { graph.arcCount * 8 + graph.nodeCount * 32 + walks.count * 8 }

  /// Finds trips on one thread.
  final class Query {
    private let trips: TransitTrips
    private let sweep: TransitSweep

    init(_ trips: TransitTrips) {
      self.trips = trips
      sweep = TransitSweep(trips.graph)
    }

    /// A pair of places, by their indices, and the walk all the way between them; nil where there is none.
    struct Pair {
      var origin: Int
      var destination: Int
      var walk: Weight?
    }

    /// What was found for a pair.
    struct Found {
      /// At every departure; nil where no trip is within the limit.
      var times: [UInt32?]
      /// By departure: those within the limit, or of them those behind percentiles alone.
      var trips: [Int: TransitTrip] = [:]
    }

    /// The trips of each pair. Origins that follow one another are computed together: neighbours are quicker. With
    /// arrivals origins are where trips end.
    func trips(of pairs: [Pair], behind percentiles: PercentileTrips?) -> [Found] {
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
            for departure in percentiles?.hours(of: times) ?? Array(times.indices) where times[departure] != nil {
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

/// The parts of a transit trip's time, in milliseconds; with the waits they are all of it.
package struct TransitParts: Sendable, Equatable {
  /// Vehicles taken; none on a walk all the way.
  package var rides = 0
  /// On foot to the first stop, or all the way.
  package var access: Int64 = 0
  package var riding: Int64 = 0
  /// On foot between vehicles.
  package var transfer: Int64 = 0
  /// On foot from the last stop.
  package var egress: Int64 = 0
  package init() {}
}

extension TransitParts: JournaledFields {
  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&rides, &access, &riding, &transfer, &egress)
  }
}

extension RouteRow.Found {
  /// - Parameter walk: All the way; its length is that of a trip without rides.
  init(_ trip: TransitTrip, walk: Weight?) {
    let isWalk = trip.rides == 0
    self.init(
      centimetres: isWalk ? Int64(walk?.centimetres ?? 0) : 0, milliseconds: Int64(trip.milliseconds))
    waitingMilliseconds = Int64(trip.waiting)
    var parts = TransitParts()
    (parts.rides, parts.access, parts.riding) = (trip.rides, Int64(trip.access), Int64(trip.riding))
    (parts.transfer, parts.egress) = (Int64(trip.transfer), Int64(trip.egress))
    transit = parts
  }

  /// Whether its length is known: without their ways rides have none.
  var hasLength: Bool { transit.map { $0.rides == 0 || route != nil } ?? true }
}
