import Hierarchy

// Labels are ranks of departures, one lane per origin. Rounding a time down to a rank commutes with maxima, so ranks
// are exact although walks are in milliseconds, and one label covers the whole window. `replace(with:where:)` compiles
// to vpmaxub or vpmaxuw; SIMD32 is not vectorized (Swift 6.3).

/// The labels of a node, one per lane.
protocol SweptLanes: BitwiseCopyable {
  /// Raises each lane to the value of `other`, if that is greater.
  mutating func raise(to other: Self)
}

/// The ranks of 32 origins at a node: two vectors.
protocol RankLanes: SweptLanes {
  associatedtype Rank: FixedWidthInteger & UnsignedInteger & BitwiseCopyable
  init(repeating rank: Rank)
  /// Returns whether any lane differs.
  func differs(from other: Self) -> Bool
}

/// Ranks of up to 255 departures.
struct NarrowRanks: RankLanes {
  typealias Rank = UInt8
  private var low: SIMD16<UInt8>
  private var high: SIMD16<UInt8>

  init(repeating rank: UInt8) { (low, high) = (SIMD16(repeating: rank), SIMD16(repeating: rank)) }

  @inline(__always)
  mutating func raise(to other: NarrowRanks) {
    low.replace(with: other.low, where: other.low .> low)
    high.replace(with: other.high, where: other.high .> high)
  }

  @inline(__always)
  func differs(from other: NarrowRanks) -> Bool {
    let bits = unsafeBitCast((low ^ other.low) | (high ^ other.high), to: SIMD2<UInt64>.self)
    return bits.x | bits.y != 0
  }
}

/// Ranks of up to 65,535 departures.
struct WideRanks: RankLanes {
  typealias Rank = UInt16
  private var low: SIMD16<UInt16>
  private var high: SIMD16<UInt16>

  init(repeating rank: UInt16) { (low, high) = (SIMD16(repeating: rank), SIMD16(repeating: rank)) }

  @inline(__always)
  mutating func raise(to other: WideRanks) {
    low.replace(with: other.low, where: other.low .> low)
    high.replace(with: other.high, where: other.high .> high)
  }

  @inline(__always)
  func differs(from other: WideRanks) -> Bool {
    let bits = unsafeBitCast((low ^ other.low) | (high ^ other.high), to: SIMD4<UInt64>.self)
    return bits.x | bits.y | bits.z | bits.w != 0
  }
}

/// The labels of a graph for up to 32 origins, and the memory to compute them. Confined to one thread.
final class RankSweep<Lanes: RankLanes> {
  private typealias Rank = Lanes.Rank
  private let graph: TransitGraph
  private var labels: HugeMemory<Lanes>
  /// The labels with one fewer ride; nil if rides are unlimited.
  private var previous: HugeMemory<Lanes>?
  /// The earliest arrival for each rank and lane, in milliseconds since the first departure; reset to `none` after each
  /// destination.
  private let earliest: UnsafeMutablePointer<TimeLanes>
  /// The highest rank of each lane at any stop that its origin walks to: no label exceeds it.
  private var maximumRanks = Lanes(repeating: 0)
  /// The rank at each whole second from the first to the last departure.
  private let rankAtSecond: [Rank]
  private static var none: UInt32 { MatrixBlock.unreachable }

  init(_ graph: TransitGraph) {
    self.graph = graph
    labels = HugeMemory(count: graph.nodeCount)
    previous = graph.changes == nil ? nil : HugeMemory(count: graph.nodeCount)
    let ranks = graph.departures.count
    earliest = .allocate(capacity: ranks + 1)
    earliest.initialize(repeating: TimeLanes(repeating: MatrixBlock.unreachable), count: ranks + 1)
    let start = graph.departures[0]
    var rank = 0
    rankAtSecond = (0...(graph.departures[ranks - 1] - start) / 1000).map { second in
      while rank < ranks, graph.departures[rank] - start <= second * 1000 { rank += 1 }
      return Rank(rank)
    }
  }

  deinit {
    labels.deallocate()
    previous?.deallocate()
    earliest.deallocate()
  }

  /// Returns the ranks of a node, lane by lane.
  @inline(__always)
  private func ranks(_ node: Int) -> UnsafeMutablePointer<Rank> {
    UnsafeMutableRawPointer(labels.base + node).assumingMemoryBound(to: Rank.self)
  }

  func rank(_ node: Int, lane: Int) -> Int { Int(ranks(node)[lane]) }

  /// Computes all labels for origins with walks to stops: lane i is origin `origins.lowerBound` + i.
  func run(_ origins: Range<Int>, of walks: StopWalks) {
    _ = UnsafeMutableRawBufferPointer(start: labels.base, count: graph.nodeCount * MemoryLayout<Lanes>.stride)
      .initializeMemory(as: UInt8.self, repeating: 0)
    maximumRanks = Lanes(repeating: 0)
    withUnsafeMutableBytes(of: &maximumRanks) { bytes in
      let maximumRanks = bytes.assumingMemoryBound(to: Rank.self)
      for (lane, origin) in origins.enumerated() {
        for walk in walks[origin] { maximumRanks[lane] = max(maximumRanks[lane], seed(lane, walk)) }
      }
    }
    graph.sweep(&labels, &previous)
  }

  /// Labels each standing node of a stop with the latest departure from the origin that reaches the node in time,
  /// except where the label does not increase. Returns the last label.
  private func seed(_ lane: Int, _ walk: StopWalks.Walk) -> Rank {
    let start = graph.departures[0]
    let spent = graph.boardingSlack + Int(walk.milliseconds)
    let (times, nodes) = (graph.standingTimes.base, graph.standingPositions.base)
    let standing = graph.standing(at: Int(walk.stop))
    var previousRank: Rank = 0
    for index in standing {
      let latest = Int(times[index]) &* 1000 &- spent &- start
      guard latest >= 0 else { continue }
      var rank = rankAtSecond[min(latest / 1000, rankAtSecond.count - 1)]
      while rank < graph.departures.count, graph.departures[Int(rank)] - start <= latest { rank += 1 }
      guard rank > previousRank else { continue }
      previousRank = rank
      let ranks = self.ranks(Int(nodes[index]))
      if ranks[lane] < rank { ranks[lane] = rank }
      if rank == graph.departures.count { break }
    }
    return previousRank
  }

  // MARK: Cells

  /// Writes the travel times to a destination in milliseconds: one element per requested departure, in order, with one
  /// lane per origin.
  func write(
    _ arrivals: Range<Int>, of destinations: TransitDestinations, walking: TimeLanes,
    to times: UnsafeMutablePointer<TimeLanes>
  ) {
    collect(destinations.arrivals.base + arrivals.lowerBound, count: arrivals.count)
    var best = TimeLanes(repeating: RankSweep.none)
    let limit = SIMD16(repeating: UInt32(graph.window.limit))
    let none = SIMD16(repeating: RankSweep.none)
    var rank = graph.departures.count
    for index in graph.descending {
      // An arrival that a later departure reaches is also reached by earlier ones.
      while rank >= graph.ranks[index] {
        best.lower(to: earliest[rank])
        earliest[rank] = TimeLanes(repeating: RankSweep.none)
        rank -= 1
      }
      let since = SIMD16(repeating: UInt32(graph.moments[index] - graph.departures[0]))
      var time = best
      (time.low, time.high) = (time.low &- since, time.high &- since)
      time.lower(to: walking)
      time.low.replace(with: none, where: time.low .> limit)
      time.high.replace(with: none, where: time.high .> limit)
      times[index] = time
    }
  }

  /// Stores each arrival in `earliest` at the label of its node, in the lanes where that label exceeds the labels of
  /// earlier arrivals.
  @inline(__always)
  private func collect(_ arrivals: UnsafePointer<TransitDestinations.Arrival>, count: Int) {
    let (labels, times) = (labels.base, UnsafeMutableRawPointer(earliest).assumingMemoryBound(to: UInt32.self))
    let (words, maximumRanks) = (MemoryLayout<Lanes>.size / 8, self.maximumRanks)
    var best = Lanes(repeating: 0)
    for index in 0..<count {
      let arrival = arrivals[index]
      var raised = best
      raised.raise(to: labels[Int(arrival.node)])
      guard raised.differs(from: best) else { continue }
      withUnsafeBytes(of: (best, raised)) { bytes in
        for word in 0..<words {
          let new = bytes.load(fromByteOffset: (words + word) * 8, as: UInt64.self)
          var changed = new ^ bytes.load(fromByteOffset: word * 8, as: UInt64.self)
          while changed != 0 {
            let lane = changed.trailingZeroBitCount / Rank.bitWidth
            let rank = Int(Rank(truncatingIfNeeded: new >> UInt64(lane * Rank.bitWidth)))
            times[rank &* TimeLanes.count &+ word &* (64 / Rank.bitWidth) &+ lane] = arrival.milliseconds
            changed &= ~(UInt64(Rank.max) << UInt64(lane * Rank.bitWidth))
          }
        }
      }
      best = raised
      guard best.differs(from: maximumRanks) else { return }
    }
  }
}

extension TransitGraph {
  /// Propagates the labels of the seeded nodes to all nodes.
  ///
  /// - Parameter previous: The memory for labels with one fewer ride; nil if rides are unlimited.
  @inline(__always)
  func sweep<Lanes: SweptLanes>(_ labels: inout HugeMemory<Lanes>, _ previous: inout HugeMemory<Lanes>?) {
    guard let changes, let rides = window.maximumRides, var other = previous else { return sweep(labels.base) }
    for _ in 0..<rides {
      swap(&labels, &other)
      sweep(changes, other.base, labels.base)
    }
    previous = other
  }

  @inline(__always)
  private func sweep<Lanes: SweptLanes>(_ labels: UnsafeMutablePointer<Lanes>) {
    let (first, sources) = (arcs.first.base, arcs.sources.base)
    var arc = 0
    for node in 0..<nodeCount {
      var best = labels[node]
      let end = Int(first[node &+ 1])
      while arc < end {
        // Sources come in pairs, which halves the branches; most would be mispredicted (17% less time on the rnv feed).
        best.raise(to: labels[Int(sources[arc])])
        best.raise(to: labels[Int(sources[arc &+ 1])])
        arc &+= 2
      }
      labels[node] = best
    }
  }

  /// Computes the labels with one more ride than `previous`.
  @inline(__always)
  private func sweep<Lanes: SweptLanes>(
    _ changes: SourceLists, _ previous: UnsafePointer<Lanes>, _ labels: UnsafeMutablePointer<Lanes>
  ) {
    let (first, sources) = (arcs.first.base, arcs.sources.base)
    let (firstChange, changed) = (changes.first.base, changes.sources.base)
    for node in 0..<nodeCount {
      var best = previous[node]
      for arc in Int(first[node])..<Int(first[node &+ 1]) { best.raise(to: labels[Int(sources[arc])]) }
      for arc in Int(firstChange[node])..<Int(firstChange[node &+ 1]) { best.raise(to: previous[Int(changed[arc])]) }
      labels[node] = best
    }
  }
}
