/// A timed graph in the memory layout of `DepartureLanes`: forward for trips with a departure time, reversed for trips
/// with an arrival time. Shared by all threads.
public struct LaneGraph: Sendable {
  /// The direction of the search, and the meaning of a lane's time.
  public enum Direction: Sendable { case departing, arriving }

  let timed: TimedGraph
  /// The length of a period of the clock, in milliseconds.
  public var period: UInt32 { timed.clock.profiles.period }
  /// The direction of the search.
  public let direction: Direction
  let first: Column<UInt32>
  let arcs: Column<Arc>
  /// The profiles with periods of stopped traffic.
  private let closingProfiles: Set<UInt32>

  /// An arc takes 16 bytes: four per cache line.
  struct Arc: BitwiseCopyable, Sendable {
    var next: UInt32
    /// Free-flow milliseconds.
    var milliseconds: UInt32
    var profile: UInt32
    /// The arc of the graph; high bits are set for `isScalar` and `isDeferred`.
    var index: UInt32

    /// Whether the clock evaluates the arc, lane by lane: it has closures, more work than fits into 32 bits, or periods
    /// of stopped traffic.
    var isScalar: Bool { index >> 31 == 1 }
    /// Whether the wait may exceed the limit. Such arcs are followed only from the final offset of their state: at a
    /// later offset, the wait may be within the limit.
    var isDeferred: Bool { index >> 30 & 1 == 1 }
    var arc: Int { Int(index & 0x3FFF_FFFF) }
  }

  /// The limit of free-flow times in vectors, 4.6 hours: work in 1/256 ms must fit into 32 bits.
  private static let maximumMilliseconds: UInt32 = 1 << 24

  /// Lays out the arcs of `timed` for a direction. *Complexity*: O(states + arcs).
  public init(_ timed: TimedGraph, _ direction: Direction) {
    precondition(timed.graph.arcCount < 1 << 30, "too many arcs")
    self.timed = timed
    self.direction = direction
    let profiles = timed.clock.profiles
    let closing = Set(
      profiles.slowness.indices.lazy.filter { profiles.slowness[$0] == Slowness.closed.bits }
        .map { UInt32($0 / profiles.periodCount) })
    closingProfiles = closing
    func arc(_ index: Int, to next: UInt32) -> Arc {
      let street = timed.weight(of: ArcID(index))
      let isScalar = LaneGraph.isScalar(street, closing)
      let isDeferred =
        (street.closing != 0 || closing.contains(street.profile)) && timed.clock.waitLimit(of: street) < .max
      return Arc(
        next: next, milliseconds: street.weight.milliseconds, profile: street.profile,
        index: UInt32(index) | (isScalar ? 1 << 31 : 0) | (isDeferred ? 1 << 30 : 0))
    }
    // Two spare arcs, since prefetching reads the next two arcs of any state.
    let spare = (0..<2).map { _ in Arc(next: 0, milliseconds: 0, profile: 0, index: 0) }
    switch direction {
    case .departing:
      first = timed.graph.firstArc
      arcs = Column(timed.graph.heads.indices.map { arc($0, to: timed.graph.heads[$0]) } + spare)
    case .arriving:
      let reversed = ReversedArcs(timed.graph)
      first = reversed.first
      arcs = Column(reversed.arcs.map { arc(Int($0.index), to: $0.tail) } + spare)
    }
  }

  /// The bytes of the layout, without the graph.
  package var memory: Int {
    arcs.count * MemoryLayout<Arc>.stride + (direction == .arriving ? first.count * MemoryLayout<UInt32>.stride : 0)
  }

  /// Returns whether vectors cannot handle a street.
  func isScalar(_ street: TimedWeight) -> Bool { LaneGraph.isScalar(street, closingProfiles) }

  private static func isScalar(_ street: TimedWeight, _ closing: Set<UInt32>) -> Bool {
    street.weight.milliseconds >= maximumMilliseconds || street.closing != 0 || closing.contains(street.profile)
  }

  /// Returns the offset at the far end of a street for a lane that reaches the street at `offset`; infinite if there is
  /// none.
  func offset(_ street: TimedWeight, after offset: UInt32, at time: UInt32) -> UInt32 {
    let none = Weight.infinity.milliseconds
    guard offset < none else { return none }
    return min(none, timed.clock.offset(street, after: offset, at: time, direction) ?? none)
  }
}

/// Times of equal phase, one for each of sixteen lanes: they are equally far from the borders of periods, so that all
/// lanes cross these borders at equal offsets. Built once for all searches from these times; shared by all threads.
public struct LaneTable: Sendable {
  /// The number of lanes.
  public static let lanes = 16

  /// The time of each lane.
  let times: [UInt32]
  /// The offset at which the j-th period of every lane begins; the last is the table's end.
  let borders: Column<UInt32>
  /// For each profile and j, the slowness and pace of every lane: 128 bytes.
  let rates: Column<UInt32>
  var depth: Int { borders.count - 1 }
  /// The size of the table in bytes.
  package var memory: Int { rates.count * 4 }
  /// The largest slowness in the table, for bounds.
  let slowest: Double

  /// Returns the phase of a time: its distance from the border of a period, in the direction of a search.
  public static func phase(of time: UInt32, _ period: UInt32, _ direction: LaneGraph.Direction) -> UInt32 {
    direction == .departing ? time % period : (time - 1) % period + 1
  }

  /// The maximum size of a table in bytes; beyond its last period, the clock evaluates lanes one by one.
  private static let size = 192 << 20

  /// Creates a table for 1 to 16 times of equal phase; lanes without a time repeat the last one.
  public init(_ times: [UInt32], for graph: LaneGraph) {
    let (profiles, direction) = (graph.timed.clock.profiles, graph.direction)
    let period = profiles.period
    let phase = LaneTable.phase(of: times[0], period, direction)
    precondition(
      times.count <= LaneTable.lanes && times.allSatisfy { LaneTable.phase(of: $0, period, direction) == phase },
      "the times of a table must have the same phase")
    self.times = times + Array(repeating: times[times.count - 1], count: LaneTable.lanes - times.count)
    let maximumDepth = Int(12 * 3_600_000 / period)
    let depth = max(1, min(maximumDepth, LaneTable.size / (profiles.count * 128), profiles.periodCount))
    // The first period starts before a departure, and ends after an arrival.
    let first = direction == .departing ? period - phase : phase
    borders = Column([0] + (0..<depth).map { first + UInt32($0) * period })
    let count = profiles.periodCount
    let starts = self.times.map { time in
      direction == .departing ? Int(time / period) : Int((time - 1) / period) + count * (depth / count + 1)
    }
    var rates: [UInt32] = []
    rates.reserveCapacity(profiles.count * depth * 32)
    for profile in 0..<UInt32(profiles.count) {
      for j in 0..<depth {
        let slowness = starts.map { profiles.slowness(profile, direction == .departing ? $0 + j : $0 - j) }
        rates += slowness.map(\.bits)
        rates += slowness.map(\.pace)
      }
    }
    self.rates = Column(rates)
    slowest = profiles.slowness.reduce(into: 1.0) { maximum, bits in
      if bits != Slowness.closed.bits { maximum = max(maximum, Slowness(bits: bits).value) }
    }
  }
}
