import Geography
import Hierarchy

/// Builds states and arcs from streets and turns.
///
/// First every arrival (a street's end, a layer, and its pending restrictions) gets its row: the permitted turns and
/// their costs. Then arrivals at one junction with equal rows become one state.
struct StateBuilder {
  private let streets: [Street]
  private let ends: StreetEnds
  private let costs: TurnCosts
  private let restricted: RestrictedTurns
  private let allowsUTurn: (_ junction: Int, _ arriving: DirectedStreet) -> Bool
  /// Whether a junction has a street from which, or to which, trips need no access-restricted streets.
  private let isLeftOpenly: [Bool]
  private let isEnteredOpenly: [Bool]

  private var arrivals: [Arrival] = []
  private var turns: [Turn] = []
  /// The U-turns of the current arrival that may be forbidden.
  private var uTurns: [Turn] = []
  /// For each directed street, whether restrictions begin on it.
  private let startsRestriction: [Bool]
  /// The start of each arrival's turns.
  private var firstTurn: [UInt32] = []
  /// The index of each arrival without pending restrictions, by street and layer: through or leaving, then entering.
  private var plainArrivals: [Int32]
  private var contextArrivals: [Arrival: Int32] = [:]
  /// Sets of pending restrictions, by index; 0 is the empty set.
  private var contexts = Interner<[PendingRestriction]>([[]])
  /// The texts of conditions, and sets of them, by index; 0 is the empty set.
  private var conditionTexts = Interner<String>()
  private var conditionSets = Interner<[UInt32]>([[]])

  private struct PendingRestriction: Hashable {
    var pattern: Int
    /// The number of the pattern's streets travelled so far, except the first.
    var progress: Int
  }

  /// The kind of streets used so far, which determines the kinds still permitted.
  private enum Layer: UInt8 { case leaving, through, entering }

  private struct Arrival: Hashable {
    var street: DirectedStreet
    var layer: Layer
    /// An index into `contexts`.
    var context: UInt32
  }

  private struct Turn: Equatable {
    /// The index of the street end at which the turn leaves.
    var end: UInt16
    var layer: Layer
    var milliseconds: UInt32
    var context: UInt32
    /// An index into `conditionSets`: the conditions under which the turn is closed.
    var conditions: UInt32
  }

  init(
    _ streets: [Street], _ ends: StreetEnds, _ costs: TurnCosts, _ restricted: RestrictedTurns,
    allowsUTurn: @escaping (_ junction: Int, _ arriving: DirectedStreet) -> Bool
  ) {
    self.streets = streets
    self.ends = ends
    self.costs = costs
    self.restricted = restricted
    self.allowsUTurn = allowsUTurn
    func junctions(without flag: StreetFlags) -> [Bool] {
      var isFound = [Bool](repeating: false, count: ends.junctionCount)
      for street in streets where street.flags.isDisjoint(with: [flag, .endsOnlyAtTimes]) {
        isFound[Int(street.tail)] = true
        isFound[Int(street.head)] = true
      }
      return isFound
    }
    isLeftOpenly = junctions(without: .restrictedExit)
    isEnteredOpenly = junctions(without: .restrictedEntry)
    plainArrivals = Array(repeating: -1, count: streets.count * 4)
    var starts = [Bool](repeating: false, count: streets.count * 2)
    for street in restricted.starting.keys { starts[Int(street.index)] = true }
    startsRestriction = starts
  }

  /// Returns the graph and its closures. `closings` returns the closings of each directed street, in the format of
  /// `Closing`; empty if it never closes.
  mutating func build(
    closings: (DirectedStreet) -> DirectionTimes<String>
  ) -> (states: StateGraph, closed: ClosedParts) {
    // More than most maps need: the system allocates memory only when it is written.
    arrivals.reserveCapacity(streets.count * 3)
    for (id, record) in streets.enumerated() {
      for isReversed in [false, true] where record.isOpen(isReversed: isReversed) {
        let street = DirectedStreet(StreetID(id), isReversed: isReversed)
        for layer in layers(of: record) { _ = index(of: Arrival(street: street, layer: layer, context: 0)) }
      }
    }
    // The space reserved for turns into closed streets suffices for the few trips with pending restrictions.
    turns.reserveCapacity(arrivals.reduce(0) { $0 + ends.count(at: junction(of: $1)) })
    firstTurn.reserveCapacity(arrivals.count * 33 / 32 + 1)
    var next = 0
    while next < arrivals.count {
      firstTurn.append(UInt32(turns.count))
      appendTurns(of: arrivals[next])
      next += 1
    }
    firstTurn.append(UInt32(turns.count))
    return graph(closings)
  }

  private func layers(of street: Street) -> [Layer] {
    if street.flags.contains(.endsOnlyAtTimes) { return [.leaving, .entering, .through] }
    return [Layer.through, .leaving, .entering].reduce(into: []) { layers, from in
      if let layer = layer(behind: from, into: street.flags), !layers.contains(layer) { layers.append(layer) }
    }
  }

  // MARK: Rows

  private mutating func index(of arrival: Arrival) -> Int32 {
    // A street that is access-restricted at certain times has one more arrival.
    let isPlain =
      arrival.context == 0
      && (arrival.layer != .through || !streets[arrival.street].flags.contains(.endsOnlyAtTimes))
    let isSecond =
      arrival.layer == .entering
      || arrival.layer == .through && streets[arrival.street].flags.contains(.restrictedExit)
    let slot = Int(arrival.street.index) * 2 + (isSecond ? 1 : 0)
    if let known = isPlain ? plainArrivals[slot] : contextArrivals[arrival], known >= 0 { return known }
    let index = Int32(arrivals.count)
    arrivals.append(arrival)
    if isPlain { plainArrivals[slot] = index } else { contextArrivals[arrival] = index }
    return index
  }

  private mutating func appendTurns(of arrival: Arrival) {
    let (junction, arriving) = streets.end(of: arrival.street)
    let active = active(at: arrival)
    let start = turns.count
    uTurns.removeAll(keepingCapacity: true)
    // A U-turn that is not generally allowed is possible only if the trip cannot continue otherwise.
    let allowsUTurn = allowsUTurn(junction, arrival.street)
    var hasOpenTurn = false
    let costs = costs.row(at: junction, from: arriving)
    for leaving in 0..<ends.count(at: junction) {
      let to = ends[junction, leaving]
      guard streets.isOpen(to) else { continue }
      var turn = Turn(
        end: UInt16(leaving), layer: .through, milliseconds: costs[costs.startIndex + leaving], context: 0,
        conditions: 0)
      if !active.isEmpty {
        guard let conditions = conditions(for: to, active) else { continue }
        turn.milliseconds += delay(into: to, active)
        turn.context = UInt32(contexts.index(of: advanced(active, into: to)))
        turn.conditions = UInt32(conditionSets.index(of: conditions.map { UInt32(conditionTexts.index(of: $0)) }))
      }
      let isUTurn = streets.isSame(to, arrival.street.opposite)
      let isEndsAtTimes = streets[to].flags.contains(.endsOnlyAtTimes)
      for layer in layers(behind: arrival.layer, into: streets[to]) {
        turn.layer = layer
        // A trip with a pending restriction has a separate arrival at the street's end.
        if turn.context != 0 { _ = index(of: Arrival(street: to, layer: layer, context: turn.context)) }
        if isUTurn && !allowsUTurn {
          uTurns.append(turn)
        } else {
          turns.append(turn)
          if !isUTurn, !isEndsAtTimes, layer == .through || arrival.layer != .through { hasOpenTurn = true }
        }
      }
    }
    guard !hasOpenTurn else { return }
    for uTurn in uTurns { turns.insert(uTurn, at: turns[start...].firstIndex { $0.end > uTurn.end } ?? turns.count) }
  }

  /// Returns the pending restrictions of a trip, including those that begin with its current street.
  private func active(at arrival: Arrival) -> [PendingRestriction] {
    let pending = contexts[Int(arrival.context)]
    guard startsRestriction[Int(arrival.street.index)] else { return pending }
    return pending + restricted.starting[arrival.street]!.map { .init(pattern: $0, progress: 0) }
  }

  /// Returns the restrictions that are still pending after a turn into `street`.
  private func advanced(_ active: [PendingRestriction], into street: DirectedStreet) -> [PendingRestriction] {
    active.compactMap { item in
      let (streets, progress) = (restricted.patterns[item.pattern].streets, item.progress + 1)
      guard progress <= streets.count - 2, streets[progress] == street else { return nil }
      return PendingRestriction(pattern: item.pattern, progress: progress)
    }
  }

  /// Returns the layers of a trip after a turn into a street: two for a street that is access-restricted at certain
  /// times; none if the turn is not permitted.
  private func layers(behind layer: Layer, into street: Street) -> [Layer] {
    let kinds = street.flags.contains(.endsOnlyAtTimes) ? [[], .endsOnly] : [street.flags]
    return kinds.compactMap { self.layer(behind: layer, into: $0) }
  }

  private func layer(behind layer: Layer, into flags: StreetFlags) -> Layer? {
    switch layer {
    case .leaving: flags.contains(.restrictedExit) ? .leaving : .through
    case .through: flags.contains(.endsOnly) ? .entering : .through
    case .entering: flags.contains(.restrictedEntry) ? .entering : nil
    }
  }

  /// Returns the conditions under which a turn into `street` is closed; nil if it is always closed.
  private func conditions(for street: DirectedStreet, _ active: [PendingRestriction]) -> [String]? {
    var conditions: [String] = []
    for item in active {
      let pattern = restricted.patterns[item.pattern]
      guard pattern.forbids(street, after: item.progress) else { continue }
      guard let condition = pattern.condition else { return nil }
      conditions.append(condition)
    }
    return conditions
  }

  /// Returns the extra cost of a turn into `street` at the end of a sequence of streets (`MedianTurns`).
  private func delay(into street: DirectedStreet, _ active: [PendingRestriction]) -> UInt32 {
    active.lazy.map { ($0, restricted.patterns[$0.pattern]) }
      .filter { $0.progress == $1.streets.count - 2 && $1.streets[$1.streets.count - 1] == street }
      .map(\.1.delay).max() ?? 0
  }

  // MARK: States

  private func turns(of arrival: Int) -> ArraySlice<Turn> {
    turns[Int(firstTurn[arrival])..<Int(firstTurn[arrival + 1])]
  }

  private func junction(of arrival: Arrival) -> Int { streets.end(of: arrival.street).junction }

  private mutating func graph(
    _ closings: (DirectedStreet) -> DirectionTimes<String>
  ) -> (StateGraph, ClosedParts) {
    // Sorted by junction, then layer, then index.
    var order = arrivals.indices.map {
      UInt64(junction(of: arrivals[$0])) << 34 | UInt64(arrivals[$0].layer.rawValue) << 32 | UInt64($0)
    }
    order.radixSort()
    var stateOf = [UInt32](repeating: StateGraph.none, count: arrivals.count)
    var states: [UInt32] = []  // one arrival per state
    var junctions: [JunctionStates] = []
    var next = 0
    for junction in 0..<ends.junctionCount {
      let first = states.count
      var record = JunctionStates(first: UInt32(first), lastTarget: 0, free: StateGraph.none)
      while next < order.count, order[next] >> 34 == junction {
        let arrival = Int(UInt32(truncatingIfNeeded: order[next]))
        next += 1
        let layer = arrivals[arrival].layer
        let known = states[first...].firstIndex {
          arrivals[Int($0)].layer == layer && turns(of: Int($0)) == turns(of: arrival)
        }
        if known == nil {
          if layer == startLayer(at: junction) && isFree(arrival, at: junction) { record.free = UInt32(states.count) }
          states.append(UInt32(arrival))
        }
        stateOf[arrival] = UInt32(known ?? states.count - 1)
      }
      let isTarget = { (state: UInt32) in
        !self.isEnteredOpenly[junction] || self.arrivals[Int(state)].layer != .entering
      }
      record.lastTarget = UInt32(first + states[first...].prefix(while: isTarget).count)
      junctions.append(record)
    }
    junctions.append(.init(first: UInt32(states.count), lastTarget: 0, free: StateGraph.none))

    order = []
    let arcCount = states.reduce(0) { $0 + turns(of: Int($1)).count }
    var (firstArc, heads, weights): ([UInt32], [UInt32], [Weight]) = ([0], [], [])
    var travelled: [DirectedStreet] = []
    firstArc.reserveCapacity(states.count + 1)
    heads.reserveCapacity(arcCount)
    weights.reserveCapacity(arcCount)
    travelled.reserveCapacity(arcCount)
    var closed = closedStreets(closings)
    let closingsOf = Dictionary(grouping: closed.streets, by: \.item).mapValues { $0.map(\.closing) }
    for arrival in states {
      let junction = junction(of: arrivals[Int(arrival)])
      for turn in turns(of: Int(arrival)) {
        let to = ends[junction, Int(turn.end)]
        let head = index(of: Arrival(street: to, layer: turn.layer, context: turn.context))
        var weight = streets[to].weight(isReversed: to.isReversed)
        weight = weight + Weight(milliseconds: turn.milliseconds, centimetres: 0)
        if turn.conditions != 0 || !closingsOf.isEmpty {
          let isEndsAtTimes = streets[to].flags.contains(.endsOnlyAtTimes)
          let use = !isEndsAtTimes ? StreetUse.any : turn.layer == .through ? .through : .ends
          let conditions = conditionSets[Int(turn.conditions)] + (closingsOf[use.item(to)] ?? [])
          closed.arcs += conditions.map { Conditions.Entry(item: UInt32(heads.count), closing: $0) }
        }
        heads.append(stateOf[Int(head)])
        weights.append(weight)
        travelled.append(to)
      }
      firstArc.append(UInt32(heads.count))
    }
    let starts = plainArrivals.map { $0 < 0 ? StateGraph.none : stateOf[Int($0)] }
    var startsThrough: [StateGraph.StartThrough] = []
    for (index, arrival) in arrivals.enumerated()
    where arrival.layer == .through && arrival.context == 0 && streets[arrival.street].flags.contains(.endsOnlyAtTimes)
    {
      startsThrough.append(.init(street: arrival.street, state: stateOf[index]))
    }
    startsThrough.sort { $0.street.index < $1.street.index }
    let graph = StateGraph(
      arcs: ArcGraph(firstArc: Column(firstArc), heads: Column(heads), weights: Column(weights)),
      streets: Column(travelled), junctions: Column(junctions), starts: Column(starts),
      startsThrough: Column(startsThrough))
    closed.strings = conditionTexts.values
    return (graph, closed)
  }

  private mutating func closedStreets(_ closings: (DirectedStreet) -> DirectionTimes<String>) -> ClosedParts {
    var closed = ClosedParts()
    for index in 0..<UInt32(streets.count * 2) {
      let street = DirectedStreet(index: index)
      let times = closings(street)
      var uses = [(StreetUse.any, [times.closing])]
      if streets[street].flags.contains(.endsOnlyAtTimes) {
        uses += [(.through, [times.closing, times.closingAsThrough]), (.ends, [times.closing, times.closingAsEnds])]
      }
      for (use, strings) in uses {
        for text in strings where !text.isEmpty {
          closed.streets.append(.init(item: use.item(street), closing: UInt32(conditionTexts.index(of: text))))
        }
      }
    }
    return closed
  }

  /// Returns the layer in which trips start at a junction.
  private func startLayer(at junction: Int) -> Layer { isLeftOpenly[junction] ? .through : .leaving }

  /// Returns whether all streets of the junction can be entered at no cost.
  private func isFree(_ arrival: Int, at junction: Int) -> Bool {
    let turns = turns(of: arrival)
    let isPlain = turns.allSatisfy { $0.milliseconds == 0 && $0.context == 0 && $0.conditions == 0 }
    let open = ends[junction].count(where: streets.isOpen)
    return isPlain && turns.count == open
  }
}

/// The closures of a network.
struct ClosedParts {
  /// As in `Conditions`.
  var arcs: [Conditions.Entry] = []
  var streets: [Conditions.Entry] = []
  /// The text of each closing.
  var strings: [String] = []

  /// Returns the arcs that are closed when no time is given; nil if there are none.
  func withoutDate(arcCount: Int) -> ArcSet? {
    let isClosed = strings.map { Closing($0)?.isClosed(at: nil) == true }
    guard isClosed.contains(true) else { return nil }
    return ArcSet(arcs.lazy.filter { isClosed[Int($0.closing)] }.map(\.item), arcCount: arcCount)
  }
}
