// Arcs whose waits may exceed the limit are followed lane by lane, once the label of their state is final.

extension DepartureLanes {
  /// Records the lanes whose offset at a state is in this bucket or later; earlier ones are already recorded.
  @inline(never)
  func deferArcs(of state: UInt32, _ labels: LaneVector, from bucket: Int) {
    for lane in 0..<LaneTable.lanes {
      let offset = labels[lane]
      guard offset < Weight.infinity.milliseconds, Int(offset >> LaneBuckets.shift) >= bucket else { continue }
      deferred.push(key: UInt64(offset) << 4 | UInt64(lane), state: state)
    }
  }

  /// Follows the deferred arcs of a bucket's next states until one leads to a state within the bucket; returns false if
  /// none does. All smaller labels are final, and arcs take time, so the next label is final, too.
  @inline(never)
  func follow(deferredIn bucket: Int, _ table: LaneTable, _ buckets: inout LaneBuckets) -> Bool {
    let end = UInt64(bucket + 1) << UInt64(LaneBuckets.shift + 4)
    while let (key, state) = deferred.popMin() {
      guard key < end else {
        deferred.push(key: key, state: state)
        return false
      }
      let (offset, lane) = (UInt32(key >> 4), Int(key & 15))
      guard offsets.base[Int(state)][lane] == offset else { continue }
      let count = buckets.count(bucket)
      for position in Int(graph.first.base[Int(state)])..<Int(graph.first.base[Int(state) + 1]) {
        let arc = graph.arcs.base[position]
        guard arc.isDeferred else { continue }
        let next = graph.offset(graph.timed.weight(of: ArcID(arc.arc)), after: offset, at: table.times[lane])
        guard next < offsets.base[Int(arc.next)][lane] else { continue }
        offsets.base[Int(arc.next)][lane] = next
        buckets.push(arc.next, next)
      }
      if buckets.count(bucket) > count { return true }
    }
    return false
  }
}
