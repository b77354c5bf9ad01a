/// The quickest trips between places at an hour: a search on the clock, led by the distances in a hierarchy of what
/// streets take at least in the hours of the trip. Equal to `TimedDijkstra` to the millisecond and centimetre.
///
///     let windows = TimedWindows(customizable, arcProfiles: timed.profiles, timed.clock.profiles)
///     let path = TimedPathQuery(timed, windows).path(from: [TimedSeed(a)], to: [TimedSeed(b)], departingAt: eight)
///
/// One object per thread, 28 bytes per state. *Source*: A* (P. E. Hart, N. J. Nilsson, B. Raphael 1968) with potentials
/// of a customizable hierarchy (B. Strasser, T. Zeitz 2021).
public final class TimedPathQuery {
  /// What is searched: on another day the same arcs and profiles may be closed at other times.
  public var timed: TimedGraph {
    didSet { precondition(timed.graph.stateCount == oldValue.graph.stateCount, "a query on another graph") }
  }
  package let windows: TimedWindows
  var potential: HierarchyPotential
  var heap = SearchHeap()
  let labels: UnsafeMutablePointer<Label>
  /// States that were reached, and those whose turn came.
  var touched: [UInt32] = []
  var settled: [UInt32] = []

  /// A state as a search knows it.
  struct Label {
    /// Milliseconds from the departure, or to the arrival; `.max` for a state that was not reached.
    var time: UInt32 = .max
    /// Of the shortest of the quickest ways; found once times are known.
    var length: Int = .max
    /// Its last arc, and the state before; `seed` and the seed's index where it has none.
    var arc: UInt32 = 0
    var before: UInt32 = 0
  }

  static let seed = UInt32.max

  /// A query on `timed`, over windows of the same arcs and profiles.
  public init(_ timed: TimedGraph, _ windows: TimedWindows) {
    (self.timed, self.windows) = (timed, windows)
    potential = HierarchyPotential(stateCount: timed.graph.stateCount)
    labels = .allocate(capacity: max(1, timed.graph.stateCount))
    labels.initialize(repeating: Label(), count: max(1, timed.graph.stateCount))
  }

  deinit {
    potential.deallocate()
    heap.deallocate()
    labels.deallocate()
  }

  /// The quickest trip from any of `sources`, left at `time`, to any of `targets`; nil where there is none.
  public func path(from sources: [TimedSeed], to targets: [TimedSeed], departingAt time: UInt32) -> TimedPath? {
    path(Question(direction: .departing, time: time, starts: sources, ends: targets))
  }

  /// The trip from any of `sources` to any of `targets` that leaves last and arrives by `time`; nil where there is none.
  public func path(from sources: [TimedSeed], to targets: [TimedSeed], arrivingBy time: UInt32) -> TimedPath? {
    path(Question(direction: .arriving, time: time, starts: targets, ends: sources))
  }

  /// A search from a trip's given time on: forward from its sources, or backward from its targets.
  struct Question {
    var direction: TimedDirection
    var time: UInt32
    var starts: [TimedSeed]
    var ends: [TimedSeed]
  }

  private func path(_ question: Question) -> TimedPath? {
    let first = windows.window(at: question.time, question.direction)
    var best = search(question, TimedWindows.Lead(window: first, slack: 0))
    if let found = best, found > windows.reach(of: first, from: question.time, question.direction) {
      // It was led by the hours of its beginning alone, maybe past a quicker one: none takes longer.
      best = search(question, windows.lead(at: question.time, lasting: found, question.direction))
      precondition(best ?? .max <= found, "a trip that is known was not found again")
    } else if best == nil {
      // What is too slow in its hours for any trip may be quick in others.
      best = search(question, TimedWindows.Lead(window: windows.week, slack: 0))
    }
    return best.flatMap { path(question, taking: $0) }
  }

  /// When one is through with a street after `time` of a question; nil where one never is.
  @inline(__always)
  func time(_ question: Question, after time: UInt32, _ street: TimedWeight) -> UInt32? {
    switch question.direction {
    case .departing:
      let (start, overflow) = question.time.addingReportingOverflow(time)
      guard !overflow else { return nil }
      let arrival = timed.clock.arrival(street, at: start)
      return arrival == StreetClock.never ? nil : arrival - question.time
    case .arriving:
      guard time <= question.time else { return nil }
      return timed.clock.departure(street, by: question.time - time).map { question.time - $0 }
    }
  }

  /// When one is at the state of a seed that a question starts at.
  func start(_ question: Question, _ seed: TimedSeed) -> UInt32? {
    time(question, after: seed.leg.milliseconds, seed.street)
  }

  /// What a trip takes that is at the state of one of a question's ends after `time`.
  func end(_ question: Question, _ seed: TimedSeed, after time: UInt32) -> UInt32? {
    guard let street = self.time(question, after: time, seed.street) else { return nil }
    let (all, overflow) = street.addingReportingOverflow(seed.leg.milliseconds)
    guard !overflow, question.direction == .departing || all <= question.time else { return nil }
    return all < Weight.infinity.milliseconds ? all : nil
  }

  /// The shortest of the trips that take `best`: lengths along tight arcs, from the start to the end of times.
  private func path(_ question: Question, taking best: UInt32) -> TimedPath? {
    measure(question)
    let ends = question.ends.enumerated().compactMap { index, seed -> (length: Int, end: Int)? in
      let label = labels[Int(seed.state.index)]
      guard label.length != .max, end(question, seed, after: label.time) == best else { return nil }
      return (label.length + length(of: seed), index)
    }
    guard let (length, end) = ends.min(by: { ($0.length, $0.end) < ($1.length, $1.end) }) else { return nil }
    var arcs: [ArcID] = []
    var label = labels[Int(question.ends[end].state.index)]
    var times = [label.time]
    while label.arc != TimedPathQuery.seed {
      arcs.append(ArcID(label.arc))
      label = labels[Int(label.before)]
      times.append(label.time)
    }
    let start = Int(label.before)
    let weight = Weight(milliseconds: best, centimetres: UInt32(min(length, Int(UInt32.max))))
    // What was searched forward is read from its end.
    return question.direction == .departing
      ? TimedPath(
        weight: weight, arcs: arcs.reversed(), moments: times.reversed().map { question.time + $0 }, source: start,
        target: end)
      : TimedPath(weight: weight, arcs: arcs, moments: times.map { question.time - $0 }, source: end, target: start)
  }

  /// A path as it is travelled at a time, by its arcs and seeds; nil where it never opens or comes to an end.
  public func path(
    _ arcs: [ArcID], from source: TimedSeed, to target: TimedSeed, at time: UInt32, isArrival: Bool
  ) -> TimedPath? {
    let (start, end) = isArrival ? (target, source) : (source, target)
    let question = Question(
      direction: isArrival ? .arriving : .departing, time: time, starts: [start], ends: [end])
    guard var now = self.start(question, start) else { return nil }
    var times = [now]
    var length = self.length(of: start) + self.length(of: end)
    for arc in isArrival ? arcs.reversed() : arcs {
      guard let next = self.time(question, after: now, timed.weight(of: arc)) else { return nil }
      times.append(next)
      now = next
      length += Int(timed.graph.weight(of: arc).centimetres)
    }
    guard let all = self.end(question, end, after: now) else { return nil }
    return TimedPath(
      weight: Weight(milliseconds: all, centimetres: UInt32(min(length, Int(UInt32.max)))), arcs: arcs,
      moments: isArrival ? times.reversed().map { time - $0 } : times.map { time + $0 }, source: 0, target: 0)
  }

  func length(of seed: TimedSeed) -> Int { Int(seed.street.weight.centimetres) + Int(seed.leg.centimetres) }
}
