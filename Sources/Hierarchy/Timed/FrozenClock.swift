/// A moment's speeds and closings as if they held for ever: what is exact for trips that end before anything changes.
public struct FrozenClock: Sendable {
  private let clock: StreetClock
  private let time: UInt32
  private let slowness: [Slowness]
  /// When the first of speeds and closings changes.
  public let end: UInt32

  /// The speeds and closings of `clock` at `time`.
  public init(_ clock: StreetClock, at time: UInt32) {
    (self.clock, self.time) = (clock, time)
    let profiles = clock.profiles
    let period = Int(time / profiles.period)
    func slownesses(_ period: Int) -> [Slowness] {
      (0..<UInt32(profiles.count)).map { profiles.slowness($0, period) }
    }
    let now = slownesses(period)
    // At a border work is rounded, unless all streets go on at a power of two.
    let isSmooth = now.allSatisfy { $0.bits.nonzeroBitCount == 1 }
    var last = period
    while isSmooth, last - period < profiles.periodCount, slownesses(last + 1) == now { last += 1 }
    slowness = now
    let border = UInt64(last + 1) * UInt64(profiles.period)
    end = min(UInt32(min(border, UInt64(UInt32.max))), clock.closings.nextChange(after: time))
  }

  /// What a street takes; `infinity` where it is closed, or nobody moves on it.
  public func weight(_ street: TimedWeight) -> Weight {
    guard clock.closings.stretch(street.closing, at: time) == nil else { return .infinity }
    // Who is at the end of a street already need not move on it.
    guard street.weight.milliseconds > 0 else { return street.weight }
    let slowness = slowness[Int(street.profile)]
    guard slowness != .closed else { return .infinity }
    let milliseconds = slowness.milliseconds(ofWork: UInt64(street.weight.milliseconds) << 8)
    guard milliseconds <= UInt64(Weight.arcTimeLimit) else { return .infinity }
    return Weight(milliseconds: UInt32(milliseconds), centimetres: street.weight.centimetres)
  }

  /// What the arcs of a graph take.
  public func weights(of timed: TimedGraph) -> Column<Weight> {
    Column(timed.graph.weights.indices.map { weight(timed.weight(of: ArcID($0))) })
  }

  /// What lies between a place and a state.
  public func seeds(_ seeds: [TimedSeed]) -> [Seed] {
    seeds.compactMap { seed in
      let weight = weight(seed.street) + seed.leg
      return weight.isFinite ? Seed(seed.state, weight) : nil
    }
  }
}
