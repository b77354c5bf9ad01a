// The searches of WitnessSearch. Labels are 16 bytes, an arc 16 bytes: about three cache lines per arc relaxed. A
// search ends as soon as every path sought has a witness, even one that is not settled: any path that is light enough
// will do.

extension WitnessSearch {
  /// Calls `needed` with the two arcs of every path u → `state` → x that has no witness; for every `step`-th u.
  @inline(__always)
  func search(
    around state: UInt32, limit: Int, step: Int, needed: (RemainingGraph.Arc, RemainingGraph.Arc) -> Void
  ) {
    // A local queue: the compiler guards each access to a field of an object.
    var heap = self.heap
    defer { self.heap = heap }
    let labels = self.labels
    let outgoing = graph.arcs(graph.outgoing[Int(state)])
    let arcsIn = graph.arcs(graph.incoming[Int(state)])
    for index in stride(from: 0, to: arcsIn.count, by: step) {
      let incoming = arcsIn[index]
      var remaining = 0
      var bound: UInt64 = 0
      for arc in outgoing where arc.state != incoming.state {
        let sought = incoming.weight &+ arc.weight
        // What is too long for a weight is on no path: sums of sums would run over.
        guard sought < Weight.infinity.packed else { continue }
        labels[Int(arc.state)].sought = sought
        bound = max(bound, sought)
        remaining += 1
      }
      guard remaining > 0 else { continue }
      findWitnesses(
        from: incoming.state, avoiding: state, bound: bound, remaining: remaining, limit: limit, &heap)
      for arc in outgoing where labels[Int(arc.state)].sought != 0 {
        labels[Int(arc.state)].sought = 0
        needed(incoming, arc)
      }
    }
  }

  /// A Dijkstra search from `tail` that clears `sought` wherever it comes light enough.
  @inline(__always)
  private func findWitnesses(
    from tail: UInt32, avoiding avoided: UInt32, bound: UInt64, remaining: Int, limit: Int,
    _ heap: inout SearchHeap
  ) {
    let labels = self.labels
    let pool = graph.pool
    let lists = graph.outgoing
    let touched = self.touched
    var remaining = remaining
    var settled = 0
    touched[0] = tail
    var touchedCount = 1
    labels[Int(tail)].distance = 0
    heap.push(key: 0, state: tail)
    search: while let (key, state) = heap.popMin() {
      guard key == labels[Int(state)].distance else { continue }
      settled += 1
      if key > bound || settled > limit { break }
      let list = lists[Int(state)]
      let arcs = pool + list.start
      for position in 0..<Int(list.count) {
        let arc = arcs[position]
        let distance = key &+ arc.weight
        guard arc.state != avoided, distance <= bound else { continue }
        let label = labels + Int(arc.state)
        let known = label.pointee.distance
        guard distance < known else { continue }
        if known == Weight.infinity.packed {
          touched[touchedCount] = arc.state
          touchedCount &+= 1
        }
        label.pointee.distance = distance
        if distance <= label.pointee.sought {
          label.pointee.sought = 0
          remaining -= 1
          if remaining == 0 { break search }
        }
        heap.push(key: distance, state: arc.state)
      }
    }
    for index in 0..<touchedCount { labels[Int(touched[index])].distance = Weight.infinity.packed }
    heap.removeAll()
    settledStates &+= settled
  }
}
