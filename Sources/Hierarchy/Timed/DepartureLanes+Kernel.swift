import CPrefetch

// A label-correcting search of the plain graph for sixteen trips at once. Typical figures for greater Porto (166,157
// states, 308,703 arcs): 1.2 visits per state, and 20 to 30 ns per arc. Each arc reads 64 bytes at its head, 16 bytes
// of the arc itself, and two cache lines of the table, which stay in the L1 cache. The next states of a bucket are
// prefetched, since they are spread over the map.

/// A search for the earliest arrivals at all states, or the latest departures from them, for sixteen trips at a time:
/// trips from the same origin, or from nearby origins, in the lanes of vectors. Used by one thread; takes 68 bytes per
/// reached state, 64 more with lengths, another 64 with waits, and 5 per other state.
///
///     let graph = LaneGraph(timed, .departing)
///     let lanes = DepartureLanes(graph)
///     lanes.search([seeds], LaneTable([departure], for: graph))
///     lanes.weights(of: targetSeeds, 1)              // one per lane
///
/// There is no hierarchy, and arcs have no travel-time functions: each arc is evaluated at the time of entry, lane by
/// lane. A state is visited again when a lane improves; labels only decrease, to a unique fixed point, so the result
/// depends neither on the order of visits nor on the other lanes of a vector. Arcs whose wait may exceed the limit are
/// followed once the label of their state is final, in the order of these labels. Lengths are computed by a second pass
/// along tight arcs, as `TimedDijkstra` defines them; waits are the minimum among the shortest of the fastest paths.
public final class DepartureLanes {
  let graph: LaneGraph
  private let hasLengths: Bool
  private let hasWaits: Bool
  let offsets: PagedLabels<LaneVector>
  /// By position in `offsets`.
  private let lengths: HugeMemory<LaneVector>
  private let waits: HugeMemory<LaneVector>
  private var buckets: LaneBuckets
  /// States with deferred arcs, by offset and lane.
  var deferred = SearchHeap()
  private var table: LaneTable?
  /// The number of states visited since initialization, for benchmarks.
  public private(set) var visits = 0

  /// A search of `graph`. Lengths double its time; waits require lengths.
  public init(_ graph: LaneGraph, lengths hasLengths: Bool = false, waits hasWaits: Bool = false) {
    self.graph = graph
    self.hasLengths = hasLengths || hasWaits
    self.hasWaits = hasWaits
    let count = graph.timed.graph.stateCount
    offsets = PagedLabels(stateCount: count, LaneClock.infinity)
    lengths = HugeMemory(count: hasLengths || hasWaits ? offsets.capacity : 0)
    waits = HugeMemory(count: hasWaits ? offsets.capacity : 0)
    buckets = LaneBuckets(stateCount: count)
  }

  /// The bytes in use during the largest search so far.
  package var memory: Int {
    DepartureLanes.memory(of: offsets.memory, lengths: hasLengths, waits: hasWaits) + buckets.memory
  }

  /// Returns the bytes expected if a search reaches all of `stateCount` states.
  package static func expectedMemory(stateCount: Int, lengths: Bool, waits: Bool) -> Int {
    memory(of: PagedLabels<LaneVector>.memory(stateCount: stateCount), lengths: lengths || waits, waits: waits)
      + LaneBuckets.expectedMemory(stateCount: stateCount)
  }

  private static func memory(of offsets: Int, lengths: Bool, waits: Bool) -> Int {
    offsets * (1 + (lengths ? 1 : 0) + (waits ? 1 : 0))
  }

  deinit {
    offsets.deallocate()
    lengths.deallocate()
    waits.deallocate()
    buckets.deallocate()
    deferred.deallocate()
  }

  /// Searches from the seeds of each lane, at the times of `table`.
  ///
  /// - Parameters:
  ///   - ends: The seeds of each lane: origins, or destinations for arrivals. A lane without seeds reaches nothing.
  ///   - stops: The stopping condition; nil to search the whole graph.
  public func search(_ ends: [[TimedSeed]], _ table: LaneTable, until stops: LaneStops? = nil) {
    precondition(ends.count <= LaneTable.lanes, "more trips than lanes")
    offsets.removeAll()
    self.table = table
    for (lane, seeds) in ends.enumerated() {
      for seed in seeds {
        let offset = start(seed, table.times[lane])
        guard offset < offsets[seed.state.index][lane] else { continue }
        offsets.writable(seed.state.index).pointee[lane] = offset
        buckets.push(seed.state.index, offset)
      }
    }
    let last = run(table, stops, lanesInUse: ends)
    guard hasLengths else { return }
    lengths.base.update(repeating: LaneVector(repeating: .max), count: offsets.count)
    if hasWaits { waits.base.update(repeating: LaneVector(repeating: 0), count: offsets.count) }
    for (lane, seeds) in ends.enumerated() {
      for seed in seeds {
        let state = offsets.position(seed.state.index)
        let offset = start(seed, table.times[lane])
        guard offset < Weight.infinity.milliseconds, offset == offsets.base[state][lane] else { continue }
        let length = UInt32(truncatingIfNeeded: seed.length)
        let waiting =
          hasWaits
          ? graph.timed.clock.waiting(
            on: seed.street, after: seed.leg.milliseconds, until: offset, at: table.times[lane], graph.direction) : 0
        if length < lengths.base[state][lane]
          || hasWaits && length == lengths.base[state][lane]
            && waiting < waits.base[state][lane]
        {
          lengths.base[state][lane] = length
          if hasWaits { waits.base[state][lane] = waiting }
        }
        buckets.push(seed.state.index, offset)
      }
    }
    runLengths(table, upTo: last)
  }

  /// Returns the times, lengths and waits between each lane's ends and a place; times are at least
  /// `MatrixBlock.unreachable` if there is no path.
  package func cells(
    of place: [TimedSeed]
  ) -> (times: SIMD16<UInt32>, lengths: SIMD16<UInt32>, waits: SIMD16<UInt32>) {
    var (best, bestLengths, bestWaits) = (LaneClock.infinity, LaneVector(repeating: .max), LaneVector(repeating: 0))
    guard let table else { return (best, bestLengths, bestWaits) }
    for seed in place {
      let state = offsets.position(seed.state.index)
      var times = ends(of: seed.street, offsets.base[state], table)
      let waits =
        hasWaits
        ? self.waits(on: seed.street, offsets.base[state], until: times, table) &+ self.waits.base[state] : bestWaits
      // Unreachable times stay at least `unreachable`, and below 2^32.
      times &+= LaneVector(repeating: seed.leg.milliseconds)
      let lengths =
        hasLengths
        ? self.lengths.base[state] &+ LaneVector(repeating: UInt32(truncatingIfNeeded: seed.length))
        : LaneVector(repeating: 0)
      let isShorter = (lengths .< bestLengths) .| ((lengths .== bestLengths) .& (waits .< bestWaits))
      let isBetter = (times .< best) .| ((times .== best) .& isShorter .& (times .< LaneClock.infinity))
      best.replace(with: times, where: isBetter)
      bestLengths.replace(with: lengths, where: isBetter)
      bestWaits.replace(with: waits, where: isBetter)
    }
    return (best, bestLengths, bestWaits)
  }

  /// Returns the times and lengths of `cells(of:)` as weights, for the first `lanes` lanes.
  public func weights(of place: [TimedSeed], _ lanes: Int) -> [Weight] {
    let (times, lengths, _) = cells(of: place)
    return (0..<lanes).map {
      times[$0] < MatrixBlock.unreachable ? Weight(milliseconds: times[$0], centimetres: lengths[$0]) : .infinity
    }
  }

  /// Returns the offset of a lane at a state; nil if it is not reached.
  package func offset(at state: StateID, lane: Int) -> UInt32? {
    let offset = offsets[state.index][lane]
    return offset < Weight.infinity.milliseconds ? offset : nil
  }

  /// Returns the states with an offset of at most `limit` in a lane, with their offsets.
  package func states(lane: Int, within limit: UInt32) -> [Seed] {
    precondition(limit < Weight.infinity.milliseconds, "the last page has labels of no state")
    var states: [Seed] = []
    offsets.forEach { state, offsets in
      guard offsets[lane] <= limit else { return }
      states.append(Seed(StateID(state), Weight(milliseconds: offsets[lane], centimetres: 0)))
    }
    return states
  }

  /// Returns the waiting times of all lanes on a street between offsets; 0 for lanes that do not reach its end.
  @inline(never)
  private func waits(
    on street: TimedWeight, _ offsets: LaneVector, until ends: LaneVector, _ table: LaneTable
  ) -> LaneVector {
    var waits = LaneVector(repeating: 0)
    guard graph.isScalar(street) else { return waits }
    for lane in 0..<LaneTable.lanes where ends[lane] < Weight.infinity.milliseconds {
      waits[lane] = graph.timed.clock.waiting(
        on: street, after: offsets[lane], until: ends[lane], at: table.times[lane], graph.direction)
    }
    return waits
  }

  /// Returns the offset of a lane's search at the state of a seed.
  private func start(_ seed: TimedSeed, _ time: UInt32) -> UInt32 {
    graph.offset(seed.street, after: seed.leg.milliseconds, at: time)
  }

  /// Returns the offsets of all lanes at the end of a part of a street.
  private func ends(of street: TimedWeight, _ offsets: LaneVector, _ table: LaneTable) -> LaneVector {
    guard street.weight.milliseconds > 0 || street.closing != 0 else { return offsets }
    var result = LaneClock.infinity
    var rest = SIMDMask<SIMD16<Int32>>(repeating: false)
    if graph.isScalar(street) {
      rest = offsets .< LaneClock.infinity
    } else {
      let clock = LaneClock(table)
      let period = clock.period(of: LaneClock.minimum(offsets))
      result = clock.ends(
        offsets, street.weight.milliseconds, street.profile, from: period, graph.direction, rest: &rest)
    }
    guard LaneClock.isAny(rest) else { return result }
    for lane in 0..<LaneTable.lanes where rest[lane] {
      result[lane] = graph.offset(street, after: offsets[lane], at: table.times[lane])
    }
    return result
  }

  // MARK: The search

  /// Iterates to the fixed point of all times. Returns the bucket before which all labels are final.
  private func run(_ table: LaneTable, _ stops: LaneStops?, lanesInUse ends: [[TimedSeed]]) -> Int {
    var isUsed = SIMDMask<SIMD16<Int32>>(repeating: false)
    for (lane, seeds) in ends.enumerated() { isUsed[lane] = !seeds.isEmpty }
    // Local variables avoid the exclusivity check on every access to an object's field.
    var (buckets, visits) = (self.buckets, 0)
    let (labels, first, arcs) = (offsets, graph.first.base, graph.arcs.base)
    let clock = LaneClock(table)
    let direction = graph.direction
    var (finalCount, stop) = (0, Int.max)
    var bucket = 0
    deferred.removeAll()
    while bucket < buckets.end || deferred.count > 0 {
      if bucket & 31 == 0, let stops, stops.areFinal(before: bucket, &finalCount, labels, table, in: isUsed) {
        stop = bucket
        break
      }
      var index = 0
      while index < buckets.count(bucket) || follow(deferredIn: bucket, table, &buckets) {
        DepartureLanes.prefetch(bucket, index, buckets, labels, labels.base, first, arcs)
        let state = buckets.state(bucket, index)
        index &+= 1
        guard buckets.take(state, from: bucket) else { continue }
        visits &+= 1
        let tail = labels[state]
        let period = clock.period(of: LaneClock.minimum(tail))
        var hasDeferred = false
        for position in Int(first[Int(state)])..<Int(first[Int(state) &+ 1]) {
          let arc = arcs[position]
          var ends = LaneClock.infinity
          var rest = SIMDMask<SIMD16<Int32>>(repeating: false)
          if arc.isScalar {
            if arc.isDeferred {
              hasDeferred = true
              continue
            }
            rest = tail .< LaneClock.infinity
          } else {
            ends = clock.ends(tail, arc.milliseconds, arc.profile, from: period, direction, rest: &rest)
          }
          if LaneClock.isAny(rest) { finish(&ends, tail, arc, rest, table) }
          let improves = ends .< labels[arc.next]
          guard LaneClock.isAny(improves) else { continue }
          labels.writable(arc.next).pointee.replace(with: ends, where: improves)
          ends.replace(with: LaneClock.infinity, where: .!improves)
          buckets.push(arc.next, LaneClock.minimum(ends))
        }
        if hasDeferred { deferArcs(of: state, tail, from: bucket) }
      }
      buckets.empty(bucket)
      bucket &+= 1
    }
    buckets.removeAll(from: bucket)
    self.buckets = buckets
    self.visits += visits
    return stop
  }

  /// Iterates to the fixed point of all lengths along tight arcs; times are final.
  private func runLengths(_ table: LaneTable, upTo last: Int) {
    var (buckets, visits) = (self.buckets, 0)
    let (labels, lengths) = (offsets, self.lengths.base)
    let hasWaits = self.hasWaits
    let (first, arcs) = (graph.first.base, graph.arcs.base)
    let weights = graph.timed.graph.weights.base
    let clock = LaneClock(table)
    let direction = graph.direction
    var bucket = 0
    while bucket < min(last, buckets.end) {
      var index = 0
      while index < buckets.count(bucket) {
        DepartureLanes.prefetch(bucket, index, buckets, labels, labels.base, first, arcs)
        DepartureLanes.prefetch(bucket, index, buckets, labels, lengths, first, arcs)
        let state = buckets.state(bucket, index)
        index &+= 1
        guard buckets.take(state, from: bucket) else { continue }
        visits &+= 1
        let slot = labels.position(state)
        let (tail, length) = (labels.base[slot], lengths[slot])
        let period = clock.period(of: LaneClock.minimum(tail))
        for position in Int(first[Int(state)])..<Int(first[Int(state) &+ 1]) {
          let arc = arcs[position]
          var ends = LaneClock.infinity
          var rest = SIMDMask<SIMD16<Int32>>(repeating: false)
          if arc.isScalar {
            rest = tail .< LaneClock.infinity
          } else {
            ends = clock.ends(tail, arc.milliseconds, arc.profile, from: period, direction, rest: &rest)
          }
          if LaneClock.isAny(rest) { finish(&ends, tail, arc, rest, table) }
          let next = labels.position(arc.next)
          let head = labels.base[next]
          let isTight = (ends .== head) .& (head .< LaneClock.infinity) .& (length .< LaneVector(repeating: .max))
          let sum = length &+ LaneVector(repeating: weights[arc.arc].centimetres)
          let isShorter = isTight .& (sum .< lengths[next])
          var improves = isShorter
          if hasWaits, case let isEqual = isTight .& (sum .== lengths[next]),
            LaneClock.isAny(isShorter .| isEqual)
          {
            improves = isShorter .| recordWaits(of: arc, from: slot, to: next, tail, ends, isShorter, isEqual, table)
          }
          guard LaneClock.isAny(improves) else { continue }
          lengths[next].replace(with: sum, where: improves)
          var improved = LaneClock.infinity
          improved.replace(with: head, where: improves)
          buckets.push(arc.next, LaneClock.minimum(improved))
        }
      }
      buckets.empty(bucket)
      bucket &+= 1
    }
    buckets.removeAll(from: bucket)
    self.buckets = buckets
    self.visits += visits
  }

  /// Stores the waits of lanes that reach the end of an arc by a shorter path, or by an equally long one with a shorter
  /// wait, and returns the lanes of the second kind. Not inlined into the loop for lengths, which would then take
  /// nearly twice as long.
  @inline(never)
  private func recordWaits(
    of arc: LaneGraph.Arc, from slot: Int, to next: Int, _ tail: LaneVector, _ ends: LaneVector,
    _ isShorter: SIMDMask<SIMD16<Int32>>, _ isEqual: SIMDMask<SIMD16<Int32>>, _ table: LaneTable
  ) -> SIMDMask<SIMD16<Int32>> {
    var wait = waits.base[slot]
    if arc.isScalar { wait &+= waits(on: graph.timed.weight(of: ArcID(arc.arc)), tail, until: ends, table) }
    let waitsLess = isEqual .& (wait .< waits.base[next])
    waits.base[next].replace(with: wait, where: isShorter .| waitsLess)
    return waitsLess
  }

  /// Computes `ends` one by one in the lanes of `rest`, which vectors do not handle.
  @inline(never)
  private func finish(
    _ ends: inout LaneVector, _ tail: LaneVector, _ arc: LaneGraph.Arc, _ rest: SIMDMask<SIMD16<Int32>>,
    _ table: LaneTable
  ) {
    let street = graph.timed.weight(of: ArcID(arc.arc))
    for lane in 0..<LaneTable.lanes where rest[lane] {
      ends[lane] = graph.offset(street, after: tail[lane], at: table.times[lane])
    }
  }

  /// Prefetches the next states of a bucket and their `values`: the labels or the lengths, by position.
  @inline(__always)
  private static func prefetch(
    _ bucket: Int, _ index: Int, _ buckets: borrowing LaneBuckets, _ labels: PagedLabels<LaneVector>,
    _ values: UnsafePointer<LaneVector>, _ first: UnsafePointer<UInt32>, _ arcs: UnsafePointer<LaneGraph.Arc>
  ) {
    guard index &+ 8 < buckets.count(bucket) else { return }
    let far = buckets.state(bucket, index &+ 8)
    prefetch_line(buckets.keyAddress(far))
    prefetch_line(values + labels.position(far))
    prefetch_line(first + Int(far))
    let near = arcs + Int(first[Int(buckets.state(bucket, index &+ 5))])
    prefetch_line(near)
    let next = arcs + Int(first[Int(buckets.state(bucket, index &+ 2))])
    prefetch_line(values + labels.position(next[0].next))
    prefetch_line(values + labels.position(next[1].next))
  }
}

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

  /// Follows the deferred arcs of a bucket's next states until an arc leads to a state within the bucket; returns false
  /// if none does. All smaller labels are final, and arcs take time, so the next label is final, too.
  @inline(never)
  func follow(deferredIn bucket: Int, _ table: LaneTable, _ buckets: inout LaneBuckets) -> Bool {
    let end = UInt64(bucket + 1) << UInt64(LaneBuckets.shift + 4)
    while let (key, state) = deferred.popMin() {
      guard key < end else {
        deferred.push(key: key, state: state)
        return false
      }
      let (offset, lane) = (UInt32(key >> 4), Int(key & 15))
      guard offsets[state][lane] == offset else { continue }
      let count = buckets.count(bucket)
      for position in Int(graph.first.base[Int(state)])..<Int(graph.first.base[Int(state) + 1]) {
        let arc = graph.arcs.base[position]
        guard arc.isDeferred else { continue }
        let next = graph.offset(graph.timed.weight(of: ArcID(arc.arc)), after: offset, at: table.times[lane])
        guard next < offsets[arc.next][lane] else { continue }
        offsets.writable(arc.next).pointee[lane] = next
        buckets.push(arc.next, next)
      }
      if buckets.count(bucket) > count { return true }
    }
    return false
  }
}
