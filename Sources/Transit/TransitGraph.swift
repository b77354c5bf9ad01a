import Hierarchy

/// All trips of a window as a graph, for `TransitSweep`: built once per job and shared by its threads.
///
/// There are two kinds of nodes. *Standing*: riders at a stop, in time for a departure; departures in the same second
/// share a node. *Riding*: riders in a vehicle as it departs from a call. The label of a node is the latest requested
/// departure that reaches it: the maximum of the labels of the sources of its arcs. Arcs lead
///
/// * from standing to riding, where boarding is allowed,
/// * from riding to riding at the vehicle's next call, including when riders stay seated on its next trip,
/// * from standing to standing at the next departure from the stop,
/// * from riding to standing, for each change that is in time for this departure but not for an earlier one. Of a run's
///   arrivals, only the last one in time for a departure has an arc, since labels do not decrease along a run.
///
/// Zero-duration cycles are merged, since the labels of their nodes are equal: the first node has the arcs that enter
/// the cycle.
///
/// If rides are limited, a change leads to the next layer of labels: `changes` holds the arcs from riding to standing,
/// and cycles consist of the other arcs. In a window of arrivals, the graph is mirrored in time: the origins of a sweep
/// are the places of arrival, to which walks lead from stops, and its destinations are the places of departure.
package struct TransitGraph: Sendable {
  package let window: TransitWindow
  /// The requested times in milliseconds; negated if they are arrivals.
  let moments: [Int]
  /// The distinct times, ascending. Ranks count from 1; rank 0 means none.
  let departures: [Int]
  /// The rank of each requested departure.
  let ranks: [Int]
  /// Indices of the requested departures, from the last to the first.
  let descending: [Int]
  let events: [TransitEvents.Event]
  /// The number of runs that are followed by several runs of their block at the same time, so that riders cannot stay
  /// seated.
  package let ambiguousBlocks: Int
  /// The first standing node of each stop, then the total number of standing nodes.
  let firstStanding: Column<UInt32>
  /// For each standing node, stop by stop and ascending: its departure in seconds from midnight of the window's date.
  let standingTimes: Column<Int32>
  /// For each standing node: the position of its label.
  let standingPositions: Column<UInt32>
  /// For each event: the position of its riding node's label.
  let ridingPositions: Column<UInt32>
  /// The first arrival at each stop, then the total number of arrivals.
  private let firstArrivals: Column<UInt32>
  /// For each arrival at which riders may alight, stop by stop and ascending: the alighting time in seconds, and the
  /// event.
  let arrivalTimes: Column<Int32>
  let arrivalEvents: Column<UInt32>
  /// The arcs that determine labels, by target position, padded to pairs.
  let arcs: SourceLists
  /// The arcs from riding nodes in the previous layer to standing nodes, in the same form; nil if rides are unlimited.
  let changes: SourceLists?
  /// The arcs for single trips; nil unless requested.
  let trips: TripArcs?

  /// Builds the graph. *Complexity*: sorting the nodes, and following every walk from every arrival.
  ///
  /// - Parameters:
  ///   - walks: The walks from each stop to others on the walking network; none is needed from a stop to itself.
  ///   - stops: Whether riders may board and alight at each stop; nil if they may do so at all stops.
  ///   - trips: Whether the vehicle of each trip may be used; nil if all vehicles may be used.
  ///   - hasTrips: Whether `TransitSweep.trip` will be called: it needs twice as many arcs.
  package init(
    _ timetable: Timetable, _ window: TransitWindow, walks: StopWalks, stops: [Bool]? = nil,
    trips usable: [Bool]? = nil, hasTrips: Bool = false
  ) {
    precondition(walks.count == timetable.stops.count, "walks of another timetable")
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
      (firstArrivals, arrivalTimes, arrivalEvents) = (Column([]), Column([]), Column([]))
      return
    }
    let byStop = events.alighting(stopCount: timetable.stops.count)
    let arrivals = timetable.stops.indices.flatMap { [events] stop in
      byStop[UInt32(stop)].sorted { (events[Int($0)].alighting, $0) < (events[Int($1)].alighting, $1) }
    }
    (firstArrivals, arrivalEvents) = (Column(byStop.first), Column(arrivals))
    arrivalTimes = Column(arrivals.map { [events] in events[Int($0)].alighting })
    let allArcs = builder.arcs + builder.changes
    trips = TripArcs(
      arcs: allArcs + builder.dominated, in: isLayered ? NodeOrder(times: builder.times, arcs: allArcs) : order,
      labels: order, transfers)
  }

  /// Milliseconds that riders wait at a stop before the graph's first ride; 0 with arrivals, where a trip's first ride
  /// is the graph's last.
  var boardingSlack: Int { window.isArrival ? 0 : window.boardingSlack * 1000 }
  /// Milliseconds between the graph's last ride and the walk after it.
  var alightingSlack: Int { window.isArrival ? window.boardingSlack * 1000 : 0 }
  /// The latest end of any trip, in milliseconds.
  var lastMoment: Int { departures[departures.count - 1] + window.limit }

  /// The number of nodes: a sweep needs 32 bytes for each, or 64 with more than 255 departures.
  package var nodeCount: Int { arcs.first.count - 1 }
  /// The number of arcs, of 4 bytes each.
  package var arcCount: Int { arcs.sources.count + (changes?.sources.count ?? 0) }
  /// Bytes shared by all threads.
  package var memory: Int { arcCount * 4 + (trips?.arcs.sources.count ?? 0) * 4 + nodeCount * 64 }
  /// Bytes of the labels of a sweep.
  package var sweepMemory: Int {
    nodeCount * (departures.count <= UInt8.max ? 32 : 64) * (window.maximumRides == nil ? 1 : 2)
  }

  /// Returns the arrivals at a stop. Requires a graph with trips.
  func arrivals(at stop: Int) -> Range<Int> { Int(firstArrivals[stop])..<Int(firstArrivals[stop + 1]) }

  func standing(at stop: Int) -> Range<Int> { Int(firstStanding[stop])..<Int(firstStanding[stop + 1]) }
}

/// All arcs, including those that labels do not need, for finding single trips.
struct TripArcs: Sendable {
  /// By position of the target: the positions of the sources.
  let arcs: SourceLists
  /// Standing nodes are numbered first, then one riding node per event.
  let order: NodeOrder
  /// For each position, the position of its label.
  let labels: [UInt32]
  let transfers: Transfers

  /// - Parameter labelled: The order of labels, which may differ.
  init(arcs: [NodeArc], in order: NodeOrder, labels labelled: NodeOrder, _ transfers: Transfers) {
    let sources = arcs.map { NodeArc(source: order.positions[Int($0.source)], target: order.positions[Int($0.target)]) }
    self.arcs = SourceLists(count: order.nodes.count, sources)
    self.order = order
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
  /// The arcs from arrivals to later departures.
  private(set) var changes: [NodeArc] = []
  /// The changes from arrivals after which the same run has a later arrival in time for the same departure; empty
  /// unless they are kept.
  private(set) var dominated: [NodeArc] = []

  init(_ all: TransitEvents, _ transfers: Transfers, stopCount: Int, keepsAll: Bool) {
    let events = all.events
    var departures = [[Int32]](repeating: [], count: stopCount)
    for event in events where event.mayBoard { departures[Int(event.stop)].append(event.boarding) }
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

  /// Returns the first standing node of a stop that is not before `time`; if there is none, the first one of the next
  /// stop.
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
        arcs.append(NodeArc(source: standing(at: event.stop, from: event.boarding), target: riding(index)))
      }
      if !all.isFirst(index) { arcs.append(NodeArc(source: riding(index - 1), target: riding(index))) }
    }
    for pair in all.seated { arcs.append(NodeArc(source: riding(pair.from), target: riding(pair.to))) }
  }

  /// Adds the arcs from arrivals to later departures, from the last arrival of each run to its first.
  private mutating func addChanges(_ all: TransitEvents, _ transfers: Transfers, stopCount: Int, keepsAll: Bool) {
    // For each stop, the first standing node that a later arrival of the run reaches in time, and that run.
    var reached = [UInt32](repeating: 0, count: stopCount)
    var runs = [UInt32](repeating: .max, count: stopCount)
    for index in all.events.indices.reversed() where all.events[index].mayAlight {
      let event = all.events[index]
      for change in transfers[Int(event.nextStop)] {
        let stop = Int(change.to)
        let end = firstStanding[stop + 1]
        guard end > firstStanding[stop] else { continue }
        let ready = event.alighting + change.seconds
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

/// The possible changes from each stop with their durations: walks subject to the rules of transfers.txt. In a window
/// of arrivals, which is mirrored in time, the possible changes to each stop.
struct Transfers {
  /// A change to another stop, or to another vehicle at the same stop.
  struct Change {
    var to: UInt32
    /// Seconds from a vehicle's arrival to the earliest departure that can be boarded.
    var seconds: Int32
    /// The walking time included, in milliseconds.
    var walked: UInt32
  }

  /// The changes from each stop.
  private var changes: [[Change]]

  /// Omits changes that take longer than the longest permitted trip.
  init(_ timetable: Timetable, _ walks: StopWalks, _ window: TransitWindow) {
    let rules = Dictionary(grouping: timetable.transfers, by: \.from)
    changes = (0..<timetable.stops.count).map { stop in
      var changes: [Change] = []
      func add(_ to: UInt32, seconds: Int, walked: Int) {
        guard max(seconds * 1000, walked) <= window.limit else { return }
        changes.append(Change(to: to, seconds: Int32(seconds), walked: UInt32(walked)))
      }
      let own = Dictionary((rules[UInt32(stop)] ?? []).map { ($0.to, $0) }) { first, _ in first }
      let stay = StopWalks.Walk(stop: UInt32(stop), milliseconds: 0)
      let walked = [stay] + walks[stop].filter { $0.stop != stop }
      for walk in walked {
        let (milliseconds, rule) = (Int(walk.milliseconds), own[walk.stop])
        let seconds = (milliseconds + 999) / 1000
        switch rule?.type {
        case 1: add(walk.stop, seconds: seconds, walked: milliseconds)
        case 3: break
        default:
          let minimum = rule?.type == 2 ? Int(rule?.seconds ?? 0) : 0
          add(walk.stop, seconds: max(minimum, seconds + window.boardingSlack), walked: milliseconds)
        }
      }
      let onFoot = Set(walked.map(\.stop))
      for rule in own.values.sorted(by: { $0.to < $1.to }) where rule.type == 2 && !onFoot.contains(rule.to) {
        add(rule.to, seconds: max(Int(rule.seconds), window.boardingSlack), walked: Int(rule.seconds) * 1000)
      }
      return changes
    }
    if window.isArrival { mirror() }
  }

  private mutating func mirror() {
    var lists = [[Change]](repeating: [], count: changes.count)
    for (stop, own) in changes.enumerated() {
      for var change in own {
        let to = Int(change.to)
        change.to = UInt32(stop)
        lists[to].append(change)
      }
    }
    changes = lists
  }

  subscript(stop: Int) -> [Change] { changes[stop] }
}

/// An arc of the window graph: a departure that reaches its source also reaches its target.
typealias NodeArc = (source: UInt32, target: UInt32)

/// An order of nodes in which every arc leads forward, except within cycles.
///
/// Nodes are ordered by time. Nodes of the same second are ordered by the strongly connected components of the arcs
/// between them; Tarjan's algorithm (1972) finds these in reverse topological order. A component of several nodes is a
/// zero-duration cycle.
struct NodeOrder: Sendable {
  /// The position of each node.
  private(set) var positions: [UInt32]
  /// The nodes by position.
  private(set) var nodes: [UInt32]
  /// For each position, the first position of its component: the position itself outside cycles.
  private(set) var representatives: [UInt32]

  init(times: [Int32], arcs: some Sequence<NodeArc>) {
    let sameSecond = arcs.filter { times[Int($0.source)] == times[Int($0.target)] }
    let graph = SourceLists(count: times.count, sameSecond.map { NodeArc(source: $0.target, target: $0.source) })
    let components = StrongComponents(
      ArcGraph(
        firstArc: graph.first, heads: graph.sources,
        weights: Column(repeatElement(Weight(milliseconds: 1, centimetres: 0), count: graph.sources.count)))
    ).ofState
    // Time in the upper half, biased to be unsigned; then later components first.
    let keys = times.indices.map { node in
      UInt64(UInt32(bitPattern: times[node]) ^ 1 << 31) << 32 | UInt64(UInt32.max - components[node])
    }
    nodes = times.indices.map { UInt32($0) }
    nodes.sort { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
    positions = Array(repeating: 0, count: times.count)
    representatives = positions
    for (position, node) in nodes.enumerated() {
      positions[Int(node)] = UInt32(position)
      let continues = position > 0 && components[Int(nodes[position - 1])] == components[Int(node)]
      representatives[position] = continues ? representatives[position - 1] : UInt32(position)
    }
  }
}

/// The sources of the arcs into each node.
struct SourceLists: Sendable {
  /// The first source of each node, then the total number of sources.
  let first: Column<UInt32>
  let sources: Column<UInt32>

  /// - Parameter inPairs: Whether to pad each node's sources to an even number by repeating its last one.
  init(count: Int, _ arcs: [NodeArc], inPairs: Bool = false) {
    let unit: UInt32 = inPairs ? 2 : 1
    var first = [UInt32](repeating: 0, count: count + 1)
    for arc in arcs { first[Int(arc.target) + 1] += 1 }
    for node in 0..<count { first[node + 1] = first[node] + (first[node + 1] + unit - 1) / unit * unit }
    var next = first
    var sources = [UInt32](repeating: 0, count: Int(first[count]))
    for arc in arcs {
      sources[Int(next[Int(arc.target)])] = arc.source
      next[Int(arc.target)] += 1
    }
    for node in 0..<count {
      for slot in next[node]..<first[node + 1] { sources[Int(slot)] = sources[Int(next[node]) - 1] }
    }
    (self.first, self.sources) = (Column(first), Column(sources))
  }

  subscript(node: Int) -> Slice<Column<UInt32>> { sources[Int(first[node])..<Int(first[node + 1])] }
}
