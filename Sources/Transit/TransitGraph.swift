import Hierarchy

/// All trips of a window as a graph: what a `TransitSweep` needs, built once a job and shared by its threads.
///
/// Nodes are of two kinds. *Standing*: riders at a stop, long enough before a departure from it; departures of one
/// second share a node. *Riding*: riders in a vehicle as it departs from a call. The label of a node is the latest
/// departure asked for with which one can be there: the greatest label of the sources of its arcs. Arcs lead
///
/// * from standing to riding, where boarding is allowed,
/// * from riding to riding at the next call of the vehicle, also where riders stay seated on its next trip,
/// * from standing to standing at the next departure from the stop,
/// * from riding to standing, over each change in time for a departure and not for an earlier one. Of the arrivals of
///   one run only the last one in time for a departure has an arc: labels do not fall along a run.
///
/// Cycles of no time are merged, since labels of their nodes are equal: the first node has the arcs that enter the
/// cycle.
///
/// Where rides are limited a change leads to the next layer of labels: `changes` has the last kind of arcs alone, and
/// cycles are those of the others. In a window of arrivals the graph is mirrored in time: origins of a sweep are the
/// places of arrival, whose walks lead from stops, and its destinations the places of departure.
package struct TransitGraph: Sendable {
  let window: TransitWindow
  /// The moments asked for in milliseconds; with the other sign where they are arrivals.
  let moments: [Int]
  /// The distinct moments, ascending. Their ranks count from 1; rank 0 is none.
  let departures: [Int]
  /// The rank of each departure asked for.
  let ranks: [Int]
  /// The departures asked for, from the last to the first: indices.
  let descending: [Int]
  let events: [TransitEvents.Event]
  /// Runs of trips that several runs of their block could follow at the same time, so that nobody stays seated.
  package let ambiguousBlocks: Int
  /// The first standing node of each stop, and behind the last one how many there are.
  let firstStanding: Column<UInt32>
  /// For each standing node, stop by stop and ascending: its departure in seconds from midnight of the window's date.
  let standingTimes: Column<Int32>
  /// For each standing node: where its label is.
  let standingPositions: Column<UInt32>
  /// For each event: where the label of its riding node is.
  let ridingPositions: Column<UInt32>
  /// By position: arcs as labels need them, in pairs.
  let arcs: SourceLists
  /// By position: from riding in the layer before to standing, in pairs; nil where rides are not limited.
  let changes: SourceLists?
  /// What single trips need; nil where none are asked for.
  let trips: TripArcs?

  /// Builds the graph. *Complexity*: that of sorting nodes and following every walk from every arrival.
  ///
  /// - Parameters:
  ///   - walks: From each stop to others on the walking network; a stop to itself needs none.
  ///   - stops: Whether riders may board and alight at a stop; nil: at all.
  ///   - trips: Whether the vehicle of a trip may be used; nil: of all.
  ///   - hasTrips: Whether `TransitSweep.trip` is going to be asked for: twice the arcs.
  package init(
    _ timetable: Timetable, _ window: TransitWindow, walks: StopWalks, stops: [Bool]? = nil,
    trips usable: [Bool]? = nil,
    hasTrips: Bool = false
  ) {
    precondition(walks.count == timetable.stops.count, "walks of other stops")
    self.window = window
    let moments = window.departures.map { window.isArrival ? -$0 : $0 }
    let departures = Set(moments).sorted()
    (self.moments, self.departures) = (moments, departures)
    let rankOf = Dictionary(uniqueKeysWithValues: zip(departures, 1...))
    let ranks = moments.map { rankOf[$0]! }
    self.ranks = ranks
    descending = ranks.indices.sorted { (ranks[$1], $0) < (ranks[$0], $1) }
    let all = TransitEvents(timetable, window, stops: stops, trips: usable)
    (events, ambiguousBlocks) = (all.events, all.ambiguous)
    let transfers = Transfers(timetable, walks, window)
    let builder = GraphBuilder(all, transfers, stopCount: timetable.stops.count, keepsAll: hasTrips)
    let isLayered = window.maximumRides != nil
    let order = NodeOrder(times: builder.times, arcs: isLayered ? builder.arcs : builder.arcs + builder.changes)
    let standingCount = builder.standingTimes.count
    func position(_ node: UInt32) -> UInt32 { order.positions[Int(node)] }
    func representative(_ node: UInt32) -> UInt32 { order.representatives[Int(position(node))] }
    func merged(_ arcs: [NodeArc]) -> [NodeArc] {
      arcs.lazy.map { NodeArc(source: representative($0.source), target: representative($0.target)) }
        .filter { $0.source != $0.target }
    }
    var arcs = merged(builder.arcs) + (isLayered ? [] : merged(builder.changes))
    for (position, first) in order.representatives.enumerated() where first != position {
      arcs.append(NodeArc(source: first, target: UInt32(position)))
    }
    self.arcs = SourceLists(count: order.nodes.count, arcs, inPairs: true)
    changes = isLayered ? SourceLists(count: order.nodes.count, merged(builder.changes), inPairs: true) : nil
    (firstStanding, standingTimes) = (Column(builder.firstStanding), Column(builder.standingTimes))
    standingPositions = Column((0..<standingCount).map { representative(UInt32($0)) })
    ridingPositions = Column(events.indices.map { representative(UInt32(standingCount + $0)) })
    guard hasTrips else {
      trips = nil
      return
    }
    let every = builder.arcs + builder.changes
    trips = TripArcs(
      arcs: every + builder.dominated, in: isLayered ? NodeOrder(times: builder.times, arcs: every) : order,
      labels: order, transfers)
  }

  /// Milliseconds that riders stand at a stop before their first ride: with arrivals that is the last one of the graph.
  var boardingSlack: Int { window.isArrival ? 0 : window.boardingSlack * 1000 }
  /// Milliseconds between the last ride of the graph and the walk behind it.
  var alightingSlack: Int { window.isArrival ? window.boardingSlack * 1000 : 0 }
  /// The last millisecond at which anybody travels.
  var lastMoment: Int { departures[departures.count - 1] + window.limit }

  /// The number of nodes: a sweep needs 32 bytes for each, or 64 with more than 255 departures.
  package var nodeCount: Int { arcs.first.count - 1 }
  /// The number of arcs, of 4 bytes each.
  package var arcCount: Int { arcs.sources.count + (changes?.sources.count ?? 0) }
  /// Bytes of the labels of a sweep.
  package var sweepMemory: Int {
    nodeCount * (departures.count <= UInt8.max ? 32 : 64) * (window.maximumRides == nil ? 1 : 2)
  }

  /// The standing nodes of a stop.
  func standing(at stop: Int) -> Range<Int> { Int(firstStanding[stop])..<Int(firstStanding[stop + 1]) }
}

/// What single trips need of a graph: every arc, also those that labels do without.
struct TripArcs: Sendable {
  /// By position, each with the position of its source.
  let arcs: SourceLists
  /// By position: a standing node, or behind all of them a riding node for each event.
  let nodes: [UInt32]
  /// By position: the first one of its cycle.
  let representatives: [UInt32]
  /// The position of each node.
  let positions: [UInt32]
  /// By position: where its label is.
  let labels: [UInt32]
  let transfers: Transfers

  /// - Parameter labelled: The order of labels, which may be another one.
  init(arcs: [NodeArc], in order: NodeOrder, labels labelled: NodeOrder, _ transfers: Transfers) {
    let sources = arcs.map {
      NodeArc(source: order.positions[Int($0.source)], target: order.positions[Int($0.target)])
    }
    self.arcs = SourceLists(count: order.nodes.count, sources)
    (nodes, representatives, positions) = (order.nodes, order.representatives, order.positions)
    labels = order.nodes.map { labelled.representatives[Int(labelled.positions[Int($0)])] }
    self.transfers = transfers
  }
}

/// The nodes and arcs of a window: standing nodes first, then a riding node for each event.
struct GraphBuilder {
  private(set) var firstStanding: [UInt32]
  private(set) var standingTimes: [Int32] = []
  /// The time of each node in seconds.
  private(set) var times: [Int32] = []
  private(set) var arcs: [NodeArc] = []
  /// From arrivals to later departures.
  private(set) var changes: [NodeArc] = []
  /// Changes from arrivals that are followed by one of their run which is in time for the same departure, where they are
  /// kept.
  private(set) var dominated: [NodeArc] = []

  init(_ all: TransitEvents, _ transfers: Transfers, stopCount: Int, keepsAll: Bool) {
    let events = all.events
    var departures = [[Int32]](repeating: [], count: stopCount)
    for event in events where event.mayBoard { departures[Int(event.stop)].append(event.departure) }
    firstStanding = [0]
    for times in departures {
      var last: Int32?
      for time in times.sorted() where time != last {
        standingTimes.append(time)
        last = time
      }
      firstStanding.append(UInt32(standingTimes.count))
    }
    times = standingTimes + events.map(\.departure)
    addChains(all, stopCount: stopCount)
    addChanges(all, transfers, stopCount: stopCount, keepsAll: keepsAll)
  }

  private func riding(_ event: Int) -> UInt32 { UInt32(standingTimes.count + event) }

  /// The first standing node of a stop that is not before `time`; where there is none, the first one of the next stop.
  private func standing(at stop: UInt32, from time: Int32) -> UInt32 {
    (firstStanding[Int(stop)]..<firstStanding[Int(stop) + 1]).partitionPoint { standingTimes[Int($0)] >= time }
  }

  /// Adds the arcs at stops, into vehicles, and along runs.
  private mutating func addChains(_ all: TransitEvents, stopCount: Int) {
    for stop in 0..<stopCount {
      for node in firstStanding[stop]..<firstStanding[stop + 1] where node > firstStanding[stop] {
        arcs.append(NodeArc(source: node - 1, target: node))
      }
    }
    for (index, event) in all.events.enumerated() {
      if event.mayBoard {
        arcs.append(NodeArc(source: standing(at: event.stop, from: event.departure), target: riding(index)))
      }
      if !all.isFirst(index) { arcs.append(NodeArc(source: riding(index - 1), target: riding(index))) }
    }
    for pair in all.seated { arcs.append(NodeArc(source: riding(pair.from), target: riding(pair.to))) }
  }

  /// Adds the arcs from arrivals to later departures, from the last arrival of each run to its first.
  private mutating func addChanges(_ all: TransitEvents, _ transfers: Transfers, stopCount: Int, keepsAll: Bool) {
    // The first standing node of a stop that later arrivals of the run are in time for.
    var reached = [UInt32](repeating: 0, count: stopCount)
    var runs = [UInt32](repeating: .max, count: stopCount)
    for index in all.events.indices.reversed() where all.events[index].mayAlight {
      let event = all.events[index]
      for change in transfers[Int(event.nextStop)] {
        let stop = Int(change.to)
        let end = firstStanding[stop + 1]
        guard end > firstStanding[stop] else { continue }
        let ready = event.arrival + change.seconds
        let isNew = runs[stop] != event.run
        var node = isNew ? end : reached[stop]
        if isNew || keepsAll {
          node = standing(at: change.to, from: ready)
        } else {
          while node > firstStanding[stop], standingTimes[Int(node) - 1] >= ready { node -= 1 }
        }
        guard node < end else { continue }
        if isNew || node < reached[stop] {
          changes.append(NodeArc(source: riding(index), target: node))
          (runs[stop], reached[stop]) = (event.run, node)
        } else if keepsAll {
          dominated.append(NodeArc(source: riding(index), target: node))
        }
      }
    }
  }
}
