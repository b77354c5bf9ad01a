// Each arc has a vector of weights and a vector of marks: 128 bytes for eight metrics, 16 for one. The current rank's
// arcs are found by head in a table of positions. The arcs of a lower rank are read from the last one, whose head is
// the highest, back to the arc to the current rank.

/// The working data of a customization: the weights of all arcs in one or several metrics. Shared by its workers.
final class Customization<L: MetricLanes>: @unchecked Sendable {
  private let shape: CustomizableHierarchy
  private let outgoing: Half
  private let incoming: Half
  private let workers: Int
  private let shares: RankShares
  /// The table for the calling thread.
  private let slots: SlotTable

  /// The positions of the current rank's arcs, by head.
  private typealias SlotTable = RankTables<UInt32>

  /// Pointers to the arrays of one half.
  private struct Half {
    let first: UnsafePointer<UInt32>
    let heads: UnsafePointer<UInt32>
    let firstBelow: UnsafePointer<UInt32>
    let below: UnsafePointer<CustomizableArcs.ArcBelow>
    let weights: HugeMemory<L>
    /// The parts of each arc: the position in `incoming` in the upper half of the word, and the position in `outgoing`
    /// in the lower half. Original arcs have `originalMark` and their index in the graph instead. Arcs that are
    /// infinite, or longer than a path via higher ranks, have `droppedMark`.
    let marks: HugeMemory<L>
    let count: Int

    init(_ arcs: CustomizableArcs) {
      (first, heads) = (arcs.first.base, arcs.heads.base)
      (firstBelow, below) = (arcs.firstBelow.base, arcs.below.base)
      count = arcs.heads.count
      (weights, marks) = (HugeMemory(count: count), HugeMemory(count: count))
    }

    @inline(__always)
    func arcs(of rank: Int) -> Range<Int> { Int(first[rank])..<Int(first[rank + 1]) }
    @inline(__always)
    func arcs(below rank: Int) -> Range<Int> { Int(firstBelow[rank])..<Int(firstBelow[rank + 1]) }

    /// Returns a pointer to the words of a lane, which are `L.count` apart.
    func words(_ memory: HugeMemory<L>, lane: Int) -> UnsafeMutablePointer<Int64> {
      UnsafeMutableRawPointer(memory.base).assumingMemoryBound(to: Int64.self) + lane
    }
  }

  private static var originalMark: Int64 { 0x7FFF_FFFF << 32 }
  private static var droppedMark: Int64 { .max }
  private static var missing: Int { Int(UInt32.max) }

  init(_ shape: CustomizableHierarchy, workers: Int = 1) {
    (self.shape, self.workers) = (shape, min(workers, RankShares.maximumWorkers))
    shares = RankShares(parents: shape.parents, workers: self.workers)
    slots = SlotTable(shape.ranks.count, repeating: .max)
    (outgoing, incoming) = (Half(shape.outgoing), Half(shape.incoming))
  }

  deinit {
    for half in [outgoing, incoming] {
      half.weights.deallocate()
      half.marks.deallocate()
    }
  }

  /// Returns the hierarchy of each metric; there is at most one metric per lane.
  func hierarchies(of metrics: ArraySlice<Column<Weight>>) -> [Hierarchy] {
    setWeights(Array(metrics))
    // First, shortcuts via lower ranks, bottom up; then, paths via higher ranks, top down.
    inEachShare { customize($0, $1) }
    customize(shares.top, slots)
    perfect(shares.top, slots)
    inEachShare { perfect($0, $1) }
    return metrics.indices.map { hierarchy(lane: $0 - metrics.startIndex) }
  }

  private func inEachShare(_ body: @Sendable ([UInt32], SlotTable) -> Void) {
    _ = inParallel(
      shares.shares, workers: workers,
      with: { workers > 1 ? SlotTable(shape.ranks.count, repeating: .max) : slots }, body)
  }

  /// Sets the weight of each arc to that of the lightest of the graph's parallel arcs, or the first of equally light
  /// ones. Arcs that are not in the graph get an infinite weight.
  private func setWeights(_ metrics: [Column<Weight>]) {
    for half in [outgoing, incoming] {
      half.weights.base.update(repeating: L(repeating: Weight.infinity.signed), count: half.count)
      half.marks.base.update(repeating: L(repeating: Customization.droppedMark), count: half.count)
    }
    let slots = shape.slots.base
    for (lane, metric) in metrics.enumerated() {
      let weights = metric.base
      let halves = [incoming, outgoing].map { ($0.words($0.weights, lane: lane), $0.words($0.marks, lane: lane)) }
      for arc in 0..<shape.slots.count where slots[arc] != CustomizableHierarchy.none {
        let (words, marks) = halves[Int(slots[arc] & 1)]
        let position = Int(slots[arc] >> 1) &* L.count
        let word = weights[arc].signed
        guard word < words[position] else { continue }
        words[position] = word
        marks[position] = Customization.originalMark | Int64(arc)
      }
    }
  }

  /// Lowers weights from the bottom up, so that an arc from x to y weighs at most as much as any path from x down to a
  /// lower state and up from there to y.
  private func customize(_ ranks: [UInt32], _ slots: SlotTable) {
    for rank in ranks.lazy.map({ Int($0) }) {
      setSlots(of: rank, in: slots)
      lower(outgoing, slots.outgoing, rank, over: incoming, halfLeadsUp: true)
      lower(incoming, slots.incoming, rank, over: outgoing, halfLeadsUp: false)
      clearSlots(of: rank, in: slots)
    }
  }

  /// Lowers the weights of the arcs of `rank` in `half` to those of paths via lower states. An arc of `other` joins
  /// each of these states to `rank`.
  @inline(__always)
  private func lower(
    _ half: Half, _ slots: UnsafeMutablePointer<UInt32>, _ rank: Int, over other: Half, halfLeadsUp: Bool
  ) {
    for index in other.arcs(below: rank) {
      let arc = other.below[index]
      let first = other.weights.base[Int(arc.position)]
      let start = Int(half.first[Int(arc.rank)])
      var position = Int(half.first[Int(arc.rank) + 1]) &- 1
      while position >= start {
        let head = half.heads[position]
        guard head > UInt32(truncatingIfNeeded: rank) else { break }
        let slot = Int(slots[Int(head)])
        let (down, up) = halfLeadsUp ? (Int(arc.position), position) : (position, Int(arc.position))
        half.weights.base[slot].lower(
          to: first, plus: half.weights.base[position], marking: &half.marks.base[slot], Int64(down) << 32 | Int64(up))
        position &-= 1
      }
    }
  }

  /// Marks arcs that are longer than a path via higher states, from the top down: such arcs are on no shortest path.
  private func perfect(_ ranks: [UInt32], _ slots: SlotTable) {
    for rank in ranks.reversed().lazy.map({ Int($0) }) {
      setSlots(of: rank, in: slots)
      shorten(outgoing, slots.outgoing, rank, incoming, slots.incoming)
      shorten(incoming, slots.incoming, rank, outgoing, slots.outgoing)
      clearSlots(of: rank, in: slots)
    }
  }

  /// Lowers the weights of arcs in `half` to those of shorter paths: via `rank` for an arc between a state below `rank`
  /// and a state above it, via a state above for an arc between a state below and `rank` itself.
  @inline(__always)
  private func shorten(
    _ half: Half, _ slots: UnsafeMutablePointer<UInt32>, _ rank: Int, _ other: Half,
    _ otherSlots: UnsafeMutablePointer<UInt32>
  ) {
    for index in half.arcs(below: rank) {
      let arc = half.below[index]
      let own = Int(arc.position)
      var position = Int(half.first[Int(arc.rank) + 1]) &- 1
      while position > own {
        let head = Int(half.heads[position])
        let (slot, otherSlot) = (Int(slots[head]), Int(otherSlots[head]))
        if slot != Customization.missing {
          half.weights.base[position].lower(
            to: half.weights.base[own], plus: half.weights.base[slot], marking: &half.marks.base[position],
            Customization.droppedMark)
        }
        if otherSlot != Customization.missing {
          half.weights.base[own].lower(
            to: half.weights.base[position], plus: other.weights.base[otherSlot], marking: &half.marks.base[own],
            Customization.droppedMark)
        }
        position &-= 1
      }
    }
  }

  private func setSlots(of rank: Int, in slots: SlotTable) {
    for position in outgoing.arcs(of: rank) {
      slots.outgoing[Int(outgoing.heads[position])] = UInt32(truncatingIfNeeded: position)
    }
    for position in incoming.arcs(of: rank) {
      slots.incoming[Int(incoming.heads[position])] = UInt32(truncatingIfNeeded: position)
    }
  }

  private func clearSlots(of rank: Int, in slots: SlotTable) {
    for position in outgoing.arcs(of: rank) { slots.outgoing[Int(outgoing.heads[position])] = .max }
    for position in incoming.arcs(of: rank) { slots.incoming[Int(incoming.heads[position])] = .max }
  }

  // MARK: Hierarchies

  /// Returns the hierarchy of a lane, with only the arcs on shortest paths. A shortcut with a dropped part is dropped,
  /// too.
  private func hierarchy(lane: Int) -> Hierarchy {
    let count = shape.ranks.count
    var up = KeptArcs(outgoing, lane: lane, rankCount: count)
    var down = KeptArcs(incoming, lane: lane, rankCount: count)
    defer { for kept in [up, down] { kept.positions.deallocate() } }
    for rank in 0..<count {
      up.keep(rank, down: down.positions, up: up.positions)
      down.keep(rank, down: down.positions, up: up.positions)
    }
    return Hierarchy(ranks: shape.ranks, parents: shape.parents, outgoing: up.upwardArcs(), incoming: down.upwardArcs())
  }

  /// The kept arcs of one lane in one half.
  private struct KeptArcs {
    private let half: Half
    private let weights: UnsafeMutablePointer<Int64>
    private let marks: UnsafeMutablePointer<Int64>
    /// The new position of each arc; `none` if dropped.
    let positions: UnsafeMutablePointer<UInt32>
    private var first: [UInt32] = [0]
    private var arcs: [UpwardArc] = []
    private var parts: [ArcParts] = []

    init(_ half: Half, lane: Int, rankCount: Int) {
      self.half = half
      (weights, marks) = (half.words(half.weights, lane: lane), half.words(half.marks, lane: lane))
      positions = .allocate(capacity: max(1, half.count))
      first.reserveCapacity(rankCount + 1)
      arcs.reserveCapacity(half.count)
      parts.reserveCapacity(half.count)
    }

    /// Appends the kept arcs of a rank; all lower ranks must have been processed.
    @inline(__always)
    mutating func keep(_ rank: Int, down: UnsafePointer<UInt32>, up: UnsafePointer<UInt32>) {
      for position in half.arcs(of: rank) {
        guard let part = part(marks[position &* L.count], down, up) else {
          positions[position] = CustomizableHierarchy.none
          continue
        }
        positions[position] = UInt32(truncatingIfNeeded: arcs.count)
        let weight = Weight(signed: weights[position &* L.count])
        arcs.append(
          UpwardArc(head: half.heads[position], centimetres: weight.centimetres, milliseconds: weight.milliseconds))
        parts.append(part)
      }
      first.append(UInt32(truncatingIfNeeded: arcs.count))
    }

    @inline(__always)
    private func part(_ mark: Int64, _ down: UnsafePointer<UInt32>, _ up: UnsafePointer<UInt32>) -> ArcParts? {
      guard mark != Customization.droppedMark else { return nil }
      let low = UInt32(truncatingIfNeeded: mark)
      guard mark < Customization.originalMark else { return ArcParts(down: ArcParts.original, up: low) }
      let part = ArcParts(down: down[Int(mark >> 32)], up: up[Int(low)])
      return part.down == CustomizableHierarchy.none || part.up == CustomizableHierarchy.none ? nil : part
    }

    func upwardArcs() -> UpwardArcs { UpwardArcs(first: Column(first), arcs: Column(arcs), parts: Column(parts)) }
  }
}
