/// A timed graph as departure lanes search it: forward for trips that leave at a time, against the arcs for trips that
/// arrive by one. Shared by all threads.
public struct LaneGraph: Sendable {
  /// Which way the search goes, and what the time of a lane is.
  public enum Direction: Sendable { case departing, arriving }

  let timed: TimedGraph
  /// Milliseconds of a period of its clock.
  public var period: UInt32 { timed.clock.profiles.period }
  /// Which way it is searched.
  public let direction: Direction
  let first: Column<UInt32>
  let arcs: Column<Arc>
  /// Profiles with periods in which nobody moves.
  private let closingProfiles: Set<UInt32>

  /// 16 bytes: four to a cache line.
  struct Arc: BitwiseCopyable, Sendable {
    /// Where the search goes on.
    var next: UInt32
    /// In free flow.
    var milliseconds: UInt32
    var profile: UInt32
    /// The arc of the graph; high bits are set for `isScalar` and `isDeferred`.
    var index: UInt32

    /// Closed at times, too long for 32 bits of work, or with hours in which nobody moves: by the clock, lane by lane.
    var isScalar: Bool { index >> 31 == 1 }
    /// May be waited for too long: followed from the final offset of its state alone, for a later one may be in time.
    var isDeferred: Bool { index >> 30 & 1 == 1 }
    var arc: Int { Int(index & 0x3FFF_FFFF) }
  }

  /// Work in 1/256 ms fits into 32 bits: 4.6 hours in free flow.
  private static let longest: UInt32 = 1 << 24

  /// The arcs of `timed`, sorted for a direction. *Complexity*: O(states + arcs).
  public init(_ timed: TimedGraph, _ direction: Direction) {
    precondition(timed.graph.arcCount < 1 << 30, "too many arcs")
    self.timed = timed
    self.direction = direction
    let closing = LaneGraph.closingProfiles(timed.clock.profiles)
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
    // Two more than there are: fetching ahead looks at the next two of any state.
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

  /// Whether vectors do not do for a street.
  func isScalar(_ street: TimedWeight) -> Bool { LaneGraph.isScalar(street, closingProfiles) }

  private static func isScalar(_ street: TimedWeight, _ closing: Set<UInt32>) -> Bool {
    street.weight.milliseconds >= longest || street.closing != 0 || closing.contains(street.profile)
  }

  private static func closingProfiles(_ profiles: SpeedProfiles) -> Set<UInt32> {
    Set(
      (0..<profiles.slowness.count).lazy.filter { profiles.slowness[$0] == Slowness.closed.bits }
        .map { UInt32($0 / profiles.periodCount) })
  }

  /// What of the time between two offsets of a lane is spent waiting on `street`.
  func waiting(on street: TimedWeight, after offset: UInt32, until end: UInt32, at time: UInt32) -> UInt32 {
    direction == .departing
      ? timed.clock.waiting(on: street, from: time + offset, until: time + end)
      : timed.clock.waiting(on: street, from: time - end, until: time - offset, isArrival: true)
  }

  /// The offset from a lane's time at the next state, of one who comes to `street` after `offset`.
  func offset(_ street: TimedWeight, after offset: UInt32, at time: UInt32) -> UInt32 {
    let none = Weight.infinity.milliseconds
    guard offset < none else { return none }
    switch direction {
    case .departing:
      let (moment, overflow) = time.addingReportingOverflow(offset)
      guard !overflow else { return none }
      let arrival = timed.clock.arrival(street, at: moment)
      return arrival == StreetClock.never ? none : min(none, arrival - time)
    case .arriving:
      guard offset <= time, let departure = timed.clock.departure(street, by: time - offset) else { return none }
      return min(none, time - departure)
    }
  }
}

/// Sixteen times of equal phase, one a lane: equally far from the borders of periods, so that all lanes cross these after
/// equal offsets. Made once for all searches from these times; shared by all threads.
public struct LaneTable: Sendable {
  /// The number of lanes.
  public static let lanes = 16

  /// The time of each lane.
  let times: [UInt32]
  /// The offset at which the j-th period of every lane begins; the last is where the table ends.
  let borders: Column<UInt32>
  /// For each profile and j slowness and pace of every lane: 128 bytes.
  let rates: Column<UInt32>
  var depth: Int { borders.count - 1 }
  /// Its bytes.
  package var memory: Int { rates.count * 4 }
  /// The greatest slowness in it, for bounds.
  let slowest: Double

  /// Times that a lane has, by their phase: how far they are from the border of a period, in the direction of a search.
  public static func phase(of time: UInt32, _ period: UInt32, _ direction: LaneGraph.Direction) -> UInt32 {
    direction == .departing ? time % period : (time - 1) % period + 1
  }

  /// Bytes that a table may take: beyond its last period lanes go by the clock.
  private static let size = 192 << 20

  /// A table for 1 to 16 times of equal phase; lanes without a time are like the last.
  public init(_ times: [UInt32], for graph: LaneGraph) {
    let (profiles, direction) = (graph.timed.clock.profiles, graph.direction)
    let period = profiles.period
    let phase = LaneTable.phase(of: times[0], period, direction)
    precondition(
      times.count <= LaneTable.lanes && times.allSatisfy { LaneTable.phase(of: $0, period, direction) == phase },
      "the times of a table are of one phase")
    self.times = times + Array(repeating: times[times.count - 1], count: LaneTable.lanes - times.count)
    let hours = Int(12 * 3_600_000 / period)
    let depth = max(1, min(hours, LaneTable.size / (profiles.count * 128), profiles.periodCount))
    // The first period has begun before a departure, and ends after an arrival.
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
    slowest = profiles.slowness.reduce(into: 1.0) { most, bits in
      if bits != Slowness.closed.bits { most = max(most, Slowness(bits: bits).value) }
    }
  }
}
