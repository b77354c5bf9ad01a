import Hierarchy

/// The arrivals of a window's vehicles at each destination. Shared by all threads of a job.
package struct TransitDestinations: Sendable {
  /// The first arrival at each destination, then the total number of arrivals.
  private(set) var first: Column<UInt64>
  /// The arrivals at each destination, by ascending time.
  let arrivals: Column<Arrival>
  /// The last ride and walk to each arrival, for single trips; empty if the graph has no trips.
  let ends: Column<End>

  package var count: Int { first.count - 1 }
  /// The memory of all arrivals in bytes.
  package var memory: Int { arrivals.count * MemoryLayout<Arrival>.stride }

  /// An arrival at a destination, on foot from a stop at which riders may alight.
  ///
  /// Milliseconds count from the first requested departure; `node` is the position of the riding node.
  typealias Arrival = (milliseconds: UInt32, node: UInt32)

  /// The last ride to an arrival, and the walk from its stop in milliseconds.
  typealias End = (event: UInt32, walked: UInt32)

  /// Collects the arrivals. An arrival of a run is omitted if riders who stay in the vehicle until a later call reach
  /// the destination no later.
  ///
  /// - Parameter walks: For each destination, the stops from which it is reached on foot.
  package init(_ graph: TransitGraph, walks: StopWalks, workers: Int) {
    let all = graph.events.alighting(stopCount: graph.firstStanding.count - 1)
    let destinations = Array(0..<walks.count)
    let lists = inParallel(destinations, workers: workers) { TransitDestinations.arrivals(graph, walks[$0], all) }
    var first: [UInt64] = [0]
    for list in lists { first.append(first[first.count - 1] + UInt64(list.count)) }
    self.first = Column(first)
    arrivals = Column(
      lists.joined().map { Arrival(milliseconds: $0.milliseconds, node: graph.ridingPositions[Int($0.end.event)]) })
    ends = Column(graph.trips == nil ? [] : lists.flatMap { $0.map(\.end) })
  }

  private static func arrivals(
    _ graph: TransitGraph, _ walks: Slice<Column<StopWalks.Walk>>, _ eventsOfStops: Grouped<UInt32>
  ) -> [(milliseconds: UInt32, end: End)] {
    let (start, end) = (graph.departures[0], graph.lastMoment)
    var all: [(milliseconds: UInt32, end: End)] = []
    for walk in walks {
      for event in eventsOfStops[walk.stop] {
        let time = Int(graph.events[Int(event)].alighting) * 1000 + graph.alightingSlack + Int(walk.milliseconds)
        guard time <= end else { continue }
        all.append((UInt32(time - start), End(event: event, walked: walk.milliseconds)))
      }
    }
    // From the last event of each run to its first; within an event, the earliest arrival first.
    all.sort { ($1.end.event, $0.milliseconds) < ($0.end.event, $1.milliseconds) }
    var (run, earliest): (UInt32?, UInt32) = (nil, .max)
    all.removeAll { arrival in
      let own = graph.events[Int(arrival.end.event)].run
      if own != run { (run, earliest) = (own, .max) }
      guard arrival.milliseconds < earliest else { return true }
      earliest = arrival.milliseconds
      return false
    }
    all.sort { ($0.milliseconds, $0.end.event) < ($1.milliseconds, $1.end.event) }
    return all
  }

  /// Returns a range of the destinations, with the same arrivals.
  package func part(_ destinations: Range<Int>) -> TransitDestinations {
    var part = self
    part.first = Column(first[destinations.lowerBound...destinations.upperBound])
    return part
  }

  subscript(destination: Int) -> Range<Int> { Int(first[destination])..<Int(first[destination + 1]) }
}
