/// The slowness of streets over a week: a profile has one value per period, and similar streets share a profile.
///
/// Profile 0 is always free flow. Time is in milliseconds on a clock that starts at midnight on a Monday and repeats
/// every week.
public struct SpeedProfiles: Sendable {
  /// The length of a period in milliseconds; a week is a whole number of periods.
  public let period: UInt32
  /// The slownesses of each profile, profile by profile: `Slowness.bits`.
  package let slowness: Column<UInt32>

  /// The length of a week in milliseconds.
  public static let week: UInt32 = 604_800_000

  /// The number of periods per week.
  public var periodCount: Int { Int(SpeedProfiles.week / period) }
  /// The number of profiles.
  public var count: Int { slowness.count / periodCount }

  /// Whether some profiles have periods of stopped traffic.
  public var haveClosed: Bool { slowness.contains(Slowness.closed.bits) }

  /// Free flow at all times.
  public static let freeFlow = SpeedProfiles(period: 3_600_000, [Array(repeating: .one, count: 168)])

  /// Profiles from columns; the first must be free flow.
  package init(period: UInt32, slowness: Column<UInt32>) {
    precondition(period > 0 && SpeedProfiles.week % period == 0, "a week must be a whole number of periods")
    let count = Int(SpeedProfiles.week / period)
    precondition(slowness.count >= count && slowness.count % count == 0, "a profile must have one slowness per period")
    (self.period, self.slowness) = (period, slowness)
  }

  /// Profiles with one slowness per period; the first must be free flow.
  public init(period: UInt32, _ profiles: [[Slowness]]) {
    precondition(profiles.first?.allSatisfy { $0 == .one } == true, "the first profile must be free flow")
    self.init(period: period, slowness: Column(profiles.flatMap { $0.map(\.bits) }))
  }

  /// Returns the slowness of a profile in period `index`, counted from the clock's beginning.
  @inline(__always)
  package func slowness(_ profile: UInt32, _ index: Int) -> Slowness {
    Slowness(bits: slowness[Int(profile) * periodCount + index % periodCount])
  }
}

/// Travel time divided by free-flow time: 1 is free flow, 2 takes twice as long. A multiple of 1/65,536.
public struct Slowness: Hashable, Sendable, BitwiseCopyable {
  /// The value times 65,536; `closed` for stopped traffic.
  public let bits: UInt32

  /// An eighth of the free-flow time.
  public static let minimum = Slowness(bits: 1 << 13)
  /// Free flow.
  public static let one = Slowness(bits: 1 << 16)
  /// 64 times the free-flow time.
  public static let maximum = Slowness(bits: 1 << 22)
  /// Traffic is stopped: vehicles on the street wait for the next period.
  public static let closed = Slowness(bits: .max)

  /// The slowness with these bits, which must be in the range from `minimum` to `maximum`, or `closed`.
  public init(bits: UInt32) {
    precondition((1 << 13...1 << 22).contains(bits) || bits == .max, "a slowness must be from 1/8 to 64")
    self.bits = bits
  }

  /// The nearest representable slowness between `minimum` and `maximum`, in steps of 1/4096.
  public init(_ value: Double) {
    let units = (max(1.0 / 8, min(64, value)) * 4096).rounded()
    self.init(bits: UInt32(units) << 4)
  }

  /// The slowness as a number; infinity if traffic is stopped.
  public var value: Double { self == .closed ? .infinity : Double(bits) / 65_536 }
  /// Returns the milliseconds for an amount of work, in 1/256 ms of free flow, rounded up. Not for `closed`.
  package func milliseconds(ofWork work: UInt64) -> UInt64 { (work * UInt64(bits) + 0xFF_FFFF) >> 24 }
  /// The work done per unit of time, in units of 2^-24, rounded down.
  var pace: UInt32 { self == .closed ? 0 : UInt32((1 << 40) / UInt64(bits)) }
}

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
