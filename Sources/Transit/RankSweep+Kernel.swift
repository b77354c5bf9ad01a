import Hierarchy

// Labels are ranks of departures, one lane an origin. Rounding a moment down to a rank commutes with maxima, so that ranks are exact
// with walks in milliseconds, and the window costs nothing: it is in the label. `replace(with:where:)` becomes vpmaxub or
// vpmaxuw; SIMD32 is not vectorised (Swift 6.3).

/// The ranks of 32 origins at a node.
struct RankLanes<Rank: SIMDScalar & FixedWidthInteger & UnsignedInteger & BitwiseCopyable>: BitwiseCopyable
where Rank.SIMD16Storage: BitwiseCopyable {
  var low: SIMD16<Rank>
  var high: SIMD16<Rank>

  @inline(__always)
  init() { (low, high) = (SIMD16(repeating: 0), SIMD16(repeating: 0)) }

  @inline(__always)
  mutating func raise(to other: RankLanes) {
    low.replace(with: other.low, where: other.low .> low)
    high.replace(with: other.high, where: other.high .> high)
  }

  /// Whether a rank is greater than that of `other` in the same lane.
  @inline(__always)
  func exceeds(_ other: RankLanes) -> Bool {
    var raised = other
    raised.raise(to: self)
    let changed = (raised.low ^ other.low) | (raised.high ^ other.high)
    return withUnsafeBytes(of: changed) { bytes in
      var all: UInt64 = 0
      for word in 0..<RankLanes.words / 2 { all |= bytes.load(fromByteOffset: word * 8, as: UInt64.self) }
      return all != 0
    }
  }

  /// Words of 64 bits.
  static var words: Int { 32 * Rank.bitWidth / 64 }
}

/// The labels of a graph for up to 32 origins, and the memory to compute them. Belongs to one thread.
final class RankSweep<Rank: SIMDScalar & FixedWidthInteger & UnsignedInteger & BitwiseCopyable>
where Rank.SIMD16Storage: BitwiseCopyable {
  private let graph: TransitGraph
  private let labels: HugeMemory<RankLanes<Rank>>
  /// By rank: the earliest arrival in each lane, in milliseconds since the first departure. `none` between two destinations.
  private let earliest: UnsafeMutablePointer<TimeLanes>
  /// The rank at each whole second since the first departure, for departures up to there.
  private let rankAtSecond: [Rank]
  private static var none: UInt32 { MatrixBlock.unreachable }

  init(_ graph: TransitGraph) {
    self.graph = graph
    labels = HugeMemory(count: graph.nodeCount)
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
    earliest.deallocate()
  }

  /// The ranks of a node, lane by lane.
  @inline(__always)
  private func ranks(_ node: Int) -> UnsafeMutablePointer<Rank> {
    UnsafeMutableRawPointer(labels.base + node).assumingMemoryBound(to: Rank.self)
  }

  /// The rank of a lane at a node.
  func rank(_ node: Int, lane: Int) -> Int { Int(ranks(node)[lane]) }

  /// Computes all labels for origins with walks to stops: lane i is origin `origins.lowerBound` + i.
  func run(_ origins: Range<Int>, of walks: StopWalks) {
    _ = UnsafeMutableRawBufferPointer(start: labels.base, count: graph.nodeCount * MemoryLayout<RankLanes<Rank>>.stride)
      .initializeMemory(as: UInt8.self, repeating: 0)
    for (lane, origin) in origins.enumerated() {
      for walk in walks[origin] { seed(lane, walk) }
    }
    RankSweep.sweep(graph.nodeCount, graph.arcs.first.base, graph.arcs.sources.base, labels.base)
  }

  /// Labels the departures from a stop: with each the latest departure from the origin that is in time, while they rise.
  private func seed(_ lane: Int, _ walk: StopWalks.Walk) {
    let start = graph.departures[0]
    let spent = graph.window.boardingSlack * 1000 + Int(walk.milliseconds)
    let (times, nodes) = (graph.standingTimes.base, graph.standingPositions.base)
    let standing = graph.standing(at: Int(walk.stop))
    var before: Rank = 0
    for index in standing {
      let latest = Int(times[index]) &* 1000 &- spent &- start
      guard latest >= 0 else { continue }
      var rank = rankAtSecond[min(latest / 1000, rankAtSecond.count - 1)]
      while rank < graph.departures.count, graph.departures[Int(rank)] - start <= latest { rank += 1 }
      guard rank > before else { continue }
      before = rank
      let ranks = self.ranks(Int(nodes[index]))
      if ranks[lane] < rank { ranks[lane] = rank }
      if rank == graph.departures.count { return }
    }
  }

  private static func sweep(
    _ count: Int, _ first: UnsafePointer<UInt32>, _ sources: UnsafePointer<UInt32>,
    _ labels: UnsafeMutablePointer<RankLanes<Rank>>
  ) {
    var arc = 0
    for node in 0..<count {
      var best = labels[node]
      let end = Int(first[node &+ 1])
      while arc < end {
        best.raise(to: labels[Int(sources[arc])])
        arc &+= 1
      }
      labels[node] = best
    }
  }

  // MARK: Cells

  /// Writes the travel times to a destination: an element for each departure asked for, in their order, with a lane for each origin.
  func write(
    _ arrivals: Range<Int>, of destinations: TransitDestinations, walking: TimeLanes,
    to times: UnsafeMutablePointer<TimeLanes>
  ) {
    collect(arrivals, destinations.arrivals.base)
    var best = TimeLanes(repeating: RankSweep.none)
    let limit = SIMD16(repeating: UInt32(graph.window.limit))
    let none = SIMD16(repeating: RankSweep.none)
    var rank = graph.departures.count
    for index in graph.descending {
      // Who may leave later may leave now.
      while rank >= graph.ranks[index] {
        best.lower(to: earliest[rank])
        earliest[rank] = TimeLanes(repeating: RankSweep.none)
        rank -= 1
      }
      let since = SIMD16(repeating: UInt32(graph.window.departures[index] - graph.departures[0]))
      var time = best
      (time.low, time.high) = (time.low &- since, time.high &- since)
      time.lower(to: walking)
      time.low.replace(with: none, where: time.low .> limit)
      time.high.replace(with: none, where: time.high .> limit)
      times[index] = time
    }
  }

  /// Puts arrivals into `earliest`: each at the label of its node, in lanes where that exceeds those of earlier arrivals.
  @inline(__always)
  private func collect(_ range: Range<Int>, _ arrivals: UnsafePointer<TransitDestinations.Arrival>) {
    let (labels, times) = (labels.base, UnsafeMutableRawPointer(earliest).assumingMemoryBound(to: UInt32.self))
    var best = RankLanes<Rank>()
    for index in range {
      let arrival = arrivals[index]
      let label = labels[Int(arrival.node)]
      guard label.exceeds(best) else { continue }
      var raised = best
      raised.raise(to: label)
      withUnsafeBytes(of: (best, raised)) { words in
        for word in 0..<RankLanes<Rank>.words {
          let new = words.load(fromByteOffset: (RankLanes<Rank>.words + word) * 8, as: UInt64.self)
          var changed = new ^ words.load(fromByteOffset: word * 8, as: UInt64.self)
          while changed != 0 {
            let place = changed.trailingZeroBitCount / Rank.bitWidth
            let rank = Int(Rank(truncatingIfNeeded: new >> UInt64(place * Rank.bitWidth)))
            times[rank &* TimeLanes.count &+ word &* (64 / Rank.bitWidth) &+ place] = arrival.milliseconds
            changed &= ~(UInt64(Rank.max) << UInt64(place * Rank.bitWidth))
          }
        }
      }
      best = raised
    }
  }
}
