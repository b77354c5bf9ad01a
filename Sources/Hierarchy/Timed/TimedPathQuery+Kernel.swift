// A label has 32 bytes; a search settles a few hundred states and requests the bounds of about twenty times as many.

extension TimedPathQuery {
  /// Returns the milliseconds of the fastest trip; nil if there is none. The time is exact only if distances in the
  /// window's hierarchy minus `slack` milliseconds are lower bounds for the whole trip; then all states that a fastest
  /// trip may use are settled.
  func search(_ question: Question, within window: TimedWindows.Window, slack: UInt32 = 0) -> UInt32? {
    labels.removeAll()
    settled.removeAll(keepingCapacity: true)
    heap.removeAll()
    let ends = question.ends.map {
      (
        state: $0.state,
        time: min(windows.bound(of: $0.street, window), Weight.arcTimeLimit) + $0.leg.milliseconds
      )
    }
    potential.start(
      ends, windows.minimumTimes(in: window).hierarchy, isBackward: question.direction == .arriving, slack: slack)
    // Local variables avoid the exclusivity check on every access to an object's field.
    var (heap, potential) = (self.heap, self.potential)
    defer { (self.heap, self.potential) = (heap, potential) }
    func reach(_ state: UInt32, _ time: UInt32) {
      guard time < labels[state].time else { return }
      let bound = potential.bound(of: state)
      guard bound < HierarchyPotential.unreachable else { return }
      labels.writable(state).pointee.time = time
      heap.push(key: UInt64(time) + UInt64(bound), state: state)
    }
    for seed in question.starts { start(question, seed).map { reach(seed.state.index, $0) } }
    var best: UInt32?
    while let (key, state) = heap.popMin(), key <= UInt64(best ?? .max) {
      let time = labels[state].time
      guard key == UInt64(time) + UInt64(potential.bound(of: state)) else { continue }
      settled.append(state)
      for seed in question.ends where seed.state.index == state {
        if let total = end(question, seed, after: time), total < best ?? .max { best = total }
      }
      forEachArc(of: state, question.direction) { arc, next in
        if let time = self.time(question, after: time, timed.weight(of: ArcID(arc))) { reach(next, time) }
      }
    }
    return best
  }

  /// Calls `body` with each arc from a state in the search direction, and with its next state.
  @inline(__always)
  private func forEachArc(
    of state: UInt32, _ direction: LaneGraph.Direction, _ body: (_ arc: UInt32, _ next: UInt32) -> Void
  ) {
    switch direction {
    case .departing:
      let graph = timed.graph
      for arc in graph.firstArc.base[Int(state)]..<graph.firstArc.base[Int(state) + 1] {
        body(arc, graph.heads.base[Int(arc)])
      }
    case .arriving:
      for index in windows.reversed.first.base[Int(state)]..<windows.reversed.first.base[Int(state) + 1] {
        let entry = windows.reversed.arcs.base[Int(index)]
        body(entry.index, entry.tail)
      }
    }
  }

  /// Computes the lengths of the settled states in centimetres: the minimum along tight arcs, which lead from the
  /// fastest time at one end to the fastest time at the other. Ties are broken by waiting time, then by the index of
  /// the arc.
  func measure(_ question: Question) {
    for (index, seed) in question.starts.enumerated() {
      let time = labels[seed.state.index].time
      guard time != .max, start(question, seed) == time else { continue }
      let label = labels.writable(seed.state.index)
      let waiting = waiting(question, on: seed.street, after: seed.leg.milliseconds, until: label.pointee.time)
      if (seed.length, waiting) < (label.pointee.length, label.pointee.waiting) {
        (label.pointee.length, label.pointee.waiting) = (seed.length, waiting)
        (label.pointee.arc, label.pointee.previous) = (TimedPathQuery.seed, UInt32(index))
      }
    }
    // An arc takes at least a millisecond, so the lengths of all earlier states are final.
    settled.sort { (labels[$0].time, $0) < (labels[$1].time, $1) }
    for (position, state) in settled.enumerated() where position == 0 || settled[position - 1] != state {
      let (time, length, waited) = (labels[state].time, labels[state].length, labels[state].waiting)
      guard length != .max else { continue }
      forEachArc(of: state, question.direction) { arc, next in
        let nextTime = labels[next].time
        guard nextTime != .max, nextTime > time,
          self.time(question, after: time, timed.weight(of: ArcID(arc))) == nextTime
        else { return }
        let label = labels.writable(next)
        let newLength = length + Int(timed.graph.weights.base[Int(arc)].centimetres)
        guard newLength <= label.pointee.length else { return }
        let waiting =
          waited + waiting(question, on: timed.weight(of: ArcID(arc)), after: time, until: label.pointee.time)
        guard (newLength, waiting, arc) < (label.pointee.length, label.pointee.waiting, label.pointee.arc) else {
          return
        }
        (label.pointee.length, label.pointee.waiting) = (newLength, waiting)
        (label.pointee.arc, label.pointee.previous) = (arc, state)
      }
    }
  }
}
