/// The speeds and closures at an instant, held constant: exact for trips that end before anything changes.
public struct FrozenClock: Sendable {
  private let clock: StreetClock
  private let time: UInt32
  private let slowness: [Slowness]
  /// The instant of the next change of a speed or closure.
  public let end: UInt32

  /// The speeds and closures of `clock` at `time`.
  public init(_ clock: StreetClock, at time: UInt32) {
    (self.clock, self.time) = (clock, time)
    let profiles = clock.profiles
    let period = Int(time / profiles.period)
    func slownesses(_ period: Int) -> [Slowness] { (0..<UInt32(profiles.count)).map { profiles.slowness($0, period) } }
    let now = slownesses(period)
    // Work is rounded at a period's end, unless the slowness of all streets is a power of two.
    let isExact = now.allSatisfy { $0.bits.nonzeroBitCount == 1 }
    var last = period
    while isExact, last - period < profiles.periodCount, slownesses(last + 1) == now { last += 1 }
    slowness = now
    let border = UInt64(last + 1) * UInt64(profiles.period)
    end = min(UInt32(min(border, UInt64(UInt32.max))), clock.closings.nextChange(after: time))
  }

  /// Returns the weight of a street; `infinity` if it is closed or its traffic is stopped.
  public func weight(_ street: TimedWeight) -> Weight {
    guard clock.closings.stretch(street.closing, at: time) == nil else { return .infinity }
    // Zero-length seeds are unaffected by speed.
    guard street.weight.milliseconds > 0 else { return street.weight }
    let slowness = slowness[Int(street.profile)]
    guard slowness != .closed else { return .infinity }
    let milliseconds = slowness.milliseconds(ofWork: UInt64(street.weight.milliseconds) << 8)
    guard milliseconds <= UInt64(Weight.arcTimeLimit) else { return .infinity }
    return Weight(milliseconds: UInt32(milliseconds), centimetres: street.weight.centimetres)
  }

  /// Returns the weights of a graph's arcs.
  public func weights(of timed: TimedGraph) -> Column<Weight> {
    Column(timed.graph.weights.indices.map { weight(timed.weight(of: ArcID($0))) })
  }

  /// Returns the seeds of a place with their weights, omitting those with infinite weights.
  public func seeds(_ seeds: [TimedSeed]) -> [Seed] {
    seeds.compactMap { seed in
      let weight = weight(seed.street) + seed.leg
      return weight.isFinite ? Seed(seed.state, weight) : nil
    }
  }
}
