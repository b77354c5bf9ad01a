import Hierarchy

/// Dijkstra's search on the clock, one departure after the other and as fast as it is plain: what engines at hours are
/// measured against. The oracle that checks answers, `TimedDijkstra`, is made to be read.
final class ClockSearch {
  private let timed: TimedGraph
  private var moments: [UInt32]
  private var heap = SearchHeap()

  init(_ timed: TimedGraph) {
    self.timed = timed
    moments = Array(repeating: StreetClock.never, count: timed.graph.stateCount)
  }

  deinit { heap.deallocate() }

  /// When one is at each state who leaves another at `time`; `StreetClock.never` where one never is.
  func arrivals(from source: StateID, at time: UInt32) -> [UInt32] {
    var (moments, heap) = (moments, heap)
    defer { self.heap = heap }
    let (timed, clock) = (timed, timed.clock)
    moments[Int(source.index)] = time
    heap.removeAll()
    heap.push(key: UInt64(time), state: source.index)
    while let (key, state) = heap.popMin() {
      guard key == UInt64(moments[Int(state)]) else { continue }
      for arc in timed.graph.arcs(from: StateID(state)) {
        let moment = clock.arrival(timed.weight(of: ArcID(arc)), at: UInt32(key))
        let head = timed.graph.heads[arc]
        guard moment < moments[Int(head)] else { continue }
        moments[Int(head)] = moment
        heap.push(key: UInt64(moment), state: head)
      }
    }
    return moments
  }
}
