/// The slowness of streets over a week: a profile has one value per period, and similar streets share it.
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
    precondition(period > 0 && SpeedProfiles.week % period == 0, "a week is not a whole number of periods")
    let count = Int(SpeedProfiles.week / period)
    precondition(slowness.count >= count && slowness.count % count == 0, "a profile has a slowness per period")
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
