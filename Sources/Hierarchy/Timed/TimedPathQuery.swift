/// A query for the fastest trips between places at a given time: a time-dependent search with the distances in a
/// hierarchy of minimum street times as its potential. Agrees with `TimedDijkstra` to the millisecond and centimetre.
/// Times are in milliseconds of the week, as in `StreetClock`.
///
///     let windows = TimedWindows(customizable, arcProfiles: timed.profiles, timed.clock.profiles)
///     let path = TimedPathQuery(timed, windows).path(from: [TimedSeed(a)], to: [TimedSeed(b)], departingAt: eight)
///
/// Each thread needs its own object, which takes 8 bytes per state and 32 per reached state. Source: A* (P. E. Hart, N.
/// J. Nilsson, B. Raphael 1968) with potentials of a customizable hierarchy (B. Strasser, T. Zeitz 2021).
public final class TimedPathQuery {
  /// The graph; it may be replaced by one with the same arcs and profiles but the closures of another day.
  public var timed: TimedGraph {
    didSet {
      precondition(timed.graph.stateCount == oldValue.graph.stateCount, "a query on another graph")
      unlimitedClock = timed.clock.withoutWaitLimit
    }
  }
  /// The graph's clock with unlimited waits.
  private var unlimitedClock: StreetClock
  /// Whether the last search met a street that opens too late.
  private var isLimited = false
  package let windows: TimedWindows
  var potential: HierarchyPotential
  var heap = SearchHeap()
  let labels: PagedLabels<Label>
  /// The settled states, in the order of the search.
  var settled: [UInt32] = []

  struct Label {
    /// Milliseconds from the departure, or to the arrival; `.max` if not reached.
    var time: UInt32 = .max
    /// The length of the shortest of the fastest paths, and the minimum waiting time among equally short ones; computed
    /// once times are known.
    var length: Int = .max
    var waiting: UInt32 = 0
    /// The path's last arc, and the state before it; `seed` and the seed's index if the path has no arc.
    var arc: UInt32 = 0
    var previous: UInt32 = 0
  }

  static let seed = UInt32.max

  /// A query on `timed`; `windows` must have the same arcs and profiles.
  public init(_ timed: TimedGraph, _ windows: TimedWindows) {
    (self.timed, self.windows, unlimitedClock) = (timed, windows, timed.clock.withoutWaitLimit)
    potential = HierarchyPotential(stateCount: timed.graph.stateCount)
    labels = PagedLabels(stateCount: timed.graph.stateCount, Label())
  }

  /// The bytes in use during the largest search so far.
  package var memory: Int { labels.memory + TimedPathQuery.memory(stateCount: timed.graph.stateCount) }

  /// Returns the bytes for `stateCount` states, without the labels of reached states.
  package static func memory(stateCount: Int) -> Int { HierarchyPotential.memory(stateCount: stateCount) }

  deinit {
    potential.deallocate()
    heap.deallocate()
    labels.deallocate()
  }

  /// Returns the fastest trip from any of `sources` at `time` to any of `targets`; nil if there is none.
  public func path(from sources: [TimedSeed], to targets: [TimedSeed], departingAt time: UInt32) -> TimedPath? {
    path(Question(direction: .departing, time: time, starts: sources, ends: targets))
  }

  /// Returns the last trip from any of `sources` to any of `targets` that arrives by `time`; nil if there is none.
  public func path(from sources: [TimedSeed], to targets: [TimedSeed], arrivingBy time: UInt32) -> TimedPath? {
    path(Question(direction: .arriving, time: time, starts: targets, ends: sources))
  }

  /// A search from a trip's given time: forward from its sources, or backward from its targets.
  struct Question {
    var direction: LaneGraph.Direction
    var time: UInt32
    var starts: [TimedSeed]
    var ends: [TimedSeed]
  }

  private func path(_ question: Question) -> TimedPath? {
    milliseconds(question).flatMap { path(question, taking: $0) }
  }

  /// Returns the duration of the fastest trip in milliseconds, and leaves its labels in place; nil if there is none.
  ///
  /// Within a window, states are settled in order of time. Beyond it, a state may first be settled with too late a
  /// time. Settling the state again corrects the time, unless the wait at a street exceeds the limit at the earlier
  /// time but not at the later one (`isLimited`): then a window must cover the whole trip.
  private func milliseconds(_ question: Question) -> UInt32? {
    isLimited = false
    let first = windows.window(at: question.time, question.direction)
    var best = search(question, within: first)
    guard let found = best else {
      // Arcs that are too slow in this window may be fast in others.
      return search(question, within: windows.week)
    }
    if isWithin(first, found, question) { return found }
    if !isLimited {
      // The bound covered only the first window, so a faster trip may have been missed; the bound for this trip's
      // duration covers such a trip.
      let (window, slack) = windows.lowerBound(at: question.time, lasting: found, question.direction)
      best = search(question, within: window, slack: slack)
      precondition(isLimited || best ?? .max <= found, "a trip found before was not found again")
      if !isLimited { return best }
    }
    let all = windows.window(at: question.time, lasting: found, question.direction)
    best = search(question, within: all)
    if let best, isWithin(all, best, question) { return best }
    return search(question, within: windows.week)
  }

  private func isWithin(_ window: TimedWindows.Window, _ milliseconds: UInt32, _ question: Question) -> Bool {
    milliseconds <= windows.reach(of: window, from: question.time, question.direction)
  }

  /// Returns the time, counted from the start of the search, at the end of a street that is reached at `time`; nil if
  /// the street does not open in time.
  @inline(__always)
  func time(_ question: Question, after time: UInt32, _ street: TimedWeight) -> UInt32? {
    if let end = timed.clock.offset(street, after: time, at: question.time, question.direction) { return end }
    isLimited =
      isLimited || unlimitedClock.offset(street, after: time, at: question.time, question.direction) != nil
    return nil
  }

  /// Returns the waiting time on a street between two times of a query.
  func waiting(_ question: Question, on street: TimedWeight, after time: UInt32, until end: UInt32) -> UInt32 {
    timed.clock.waiting(on: street, after: time, until: end, at: question.time, question.direction)
  }

  /// Returns the time at the state of a start seed, counted from the start of the search; nil if its street does not
  /// open in time.
  func start(_ question: Question, _ seed: TimedSeed) -> UInt32? {
    time(question, after: seed.leg.milliseconds, seed.street)
  }

  /// Returns the duration of a trip that takes `time` to an end seed's state; nil if the trip is not possible.
  func end(_ question: Question, _ seed: TimedSeed, after time: UInt32) -> UInt32? {
    guard let street = self.time(question, after: time, seed.street) else { return nil }
    let (total, overflow) = street.addingReportingOverflow(seed.leg.milliseconds)
    guard !overflow, question.direction == .departing || total <= question.time else { return nil }
    return total < Weight.infinity.milliseconds ? total : nil
  }

  /// Returns the shortest trip with the duration `best`: lengths are computed along tight arcs, in order of time.
  private func path(_ question: Question, taking best: UInt32) -> TimedPath? {
    measure(question)
    let ends = question.ends.enumerated().compactMap { index, seed -> (length: Int, waiting: UInt32, end: Int)? in
      let label = labels[seed.state.index]
      guard label.length != .max, end(question, seed, after: label.time) == best else { return nil }
      let street = best - seed.leg.milliseconds
      let waiting = label.waiting + waiting(question, on: seed.street, after: label.time, until: street)
      return (label.length + seed.length, waiting, index)
    }
    guard let (length, _, end) = ends.min(by: { $0 < $1 }) else { return nil }
    var arcs: [ArcID] = []
    var label = labels[question.ends[end].state.index]
    var times = [label.time]
    while label.arc != TimedPathQuery.seed {
      arcs.append(ArcID(label.arc))
      label = labels[label.previous]
      times.append(label.time)
    }
    let start = Int(label.previous)
    let weight = Weight(milliseconds: best, centimetres: UInt32(min(length, Int(UInt32.max))))
    // The result of a forward search is read from its end.
    return question.direction == .departing
      ? TimedPath(
        weight: weight, arcs: arcs.reversed(), moments: times.reversed().map { question.time + $0 }, source: start,
        target: end)
      : TimedPath(weight: weight, arcs: arcs, moments: times.map { question.time - $0 }, source: end, target: start)
  }

  /// Returns the trip along a given path at `time`; nil if part of the path does not open in time.
  public func path(
    _ arcs: [ArcID], from source: TimedSeed, to target: TimedSeed, at time: UInt32, isArrival: Bool
  ) -> TimedPath? {
    let (start, end) = isArrival ? (target, source) : (source, target)
    let question = Question(direction: isArrival ? .arriving : .departing, time: time, starts: [start], ends: [end])
    guard var now = self.start(question, start) else { return nil }
    var times = [now]
    var length = start.length + end.length
    for arc in isArrival ? arcs.reversed() : arcs {
      guard let next = self.time(question, after: now, timed.weight(of: arc)) else { return nil }
      times.append(next)
      now = next
      length += Int(timed.graph.weight(of: arc).centimetres)
    }
    guard let total = self.end(question, end, after: now) else { return nil }
    return TimedPath(
      weight: Weight(milliseconds: total, centimetres: UInt32(min(length, Int(UInt32.max)))), arcs: arcs,
      moments: isArrival ? times.reversed().map { time - $0 } : times.map { time + $0 }, source: 0, target: 0)
  }
}

/// The fastest trip at a given time: its weight, its arcs, and its times.
public struct TimedPath: Hashable, Sendable {
  /// Time and length from the given departure, or to the given arrival, including both seeds.
  public var weight: Weight
  /// Its arcs in order; empty if source and target are the same state.
  public var arcs: [ArcID]
  /// The times at its first state and after each arc, in milliseconds of the week.
  public var moments: [UInt32]
  /// The index of its source seed.
  public var source: Int
  /// The index of its target seed.
  public var target: Int
}

/// A graph with time-dependent arcs: the arcs in free flow, with a profile and a closure list each.
public struct TimedGraph: Sendable {
  /// The arcs in free flow; each takes at least a millisecond.
  public let graph: ArcGraph
  /// The speed profile of each arc.
  public let profiles: Column<UInt32>
  /// The closure list of each arc, in `ClosedTimes`.
  public let closings: Column<UInt32>
  /// The clock that evaluates profiles and closures.
  public let clock: StreetClock

  /// A graph with a profile and a closure list per arc.
  public init(_ graph: ArcGraph, profiles: Column<UInt32>, closings: Column<UInt32>, clock: StreetClock) {
    precondition(profiles.count == graph.arcCount && closings.count == graph.arcCount, "columns of different graphs")
    precondition(graph.weights.allSatisfy { $0.milliseconds > 0 }, "an arc takes no time")
    (self.graph, self.profiles, self.closings, self.clock) = (graph, profiles, closings, clock)
  }

  /// Returns the clock's input for an arc.
  public func weight(of arc: ArcID) -> TimedWeight {
    let index = Int(arc.index)
    return TimedWeight(graph.weights[index], profile: profiles[index], closing: closings[index])
  }
}

/// The start or end of a time-dependent search: a state, and the path between it and the place.
///
/// From an origin the path leads along `leg`, then `street`, to the state; to a destination it leads from the state
/// along `street`, then `leg`.
public struct TimedSeed: Hashable, Sendable {
  /// The state.
  public var state: StateID
  /// A part of a street.
  public var street: TimedWeight
  /// The time-independent part: the straight line between the place and its street.
  public var leg: Weight

  /// A seed at `state`; by default without a path.
  public init(_ state: StateID, _ street: TimedWeight = TimedWeight(.zero), leg: Weight = .zero) {
    (self.state, self.street, self.leg) = (state, street, leg)
  }

  /// The length of the path in centimetres.
  var length: Int { Int(street.weight.centimetres) + Int(leg.centimetres) }
}
