/// What a stretch of street takes and when: its time and length in free flow, its speed profile, and when it is closed.
public struct TimedWeight: Hashable, Sendable, BitwiseCopyable {
  /// In free flow.
  public var weight: Weight
  /// Its index among the profiles.
  public var profile: UInt32
  /// Its index among the lists of `ClosedTimes`.
  public var closing: UInt32

  /// By default it takes the same at all times.
  public init(_ weight: Weight, profile: UInt32 = 0, closing: UInt32 = 0) {
    (self.weight, self.profile, self.closing) = (weight, profile, closing)
  }
}

/// When one arrives who sets out at a moment, and when one must leave to arrive by one: whole milliseconds on the clock
/// of the week.
///
/// Speeds are constant within a period; a street begun in one is finished in the next. A closed street is entered when
/// it opens: one waits, but no longer than the limit of waiting. Beyond the limit the street is closed for a trip that
/// comes to it at that moment; a trip that arrives by a time may not use it where the street's closing makes it earlier
/// than needed by more than the limit. Without the limit who sets out later never arrives earlier, whatever the
/// rounding: within a period all take the same time, and who crosses its end later has done no more work. With it a
/// search must look at a street at the earliest moment at its beginning, and at no later one. A departure on the border
/// of two periods belongs to the later, an arrival to the earlier.
public struct StreetClock: Sendable {
  /// How slow streets are.
  public let profiles: SpeedProfiles
  /// When they are closed.
  public let closings: ClosedTimes
  /// Milliseconds that one waits at most for a closed street, or on one that nobody moves on.
  public let waitLimit: UInt32

  /// No such moment: a street that never opens.
  public static let never = UInt32.max

  /// A clock of these profiles and closings; by default one waits for as long as it takes.
  public init(_ profiles: SpeedProfiles, _ closings: ClosedTimes = .none, waitLimit: UInt32 = .max) {
    (self.profiles, self.closings, self.waitLimit) = (profiles, closings, waitLimit)
  }

  /// Whether who sets out later never arrives earlier: nothing is waited for, or all for as long as it takes.
  public var keepsOrder: Bool { waitLimit == .max || !closings.haveStreetsThatOpen && !profiles.haveClosed }

  /// The same where one waits for as long as it takes.
  var withoutWaitLimit: StreetClock { StreetClock(profiles, closings) }

  /// Milliseconds that one waits at most on a street.
  func waitLimit(of street: TimedWeight) -> UInt32 {
    closings.kind(street.closing) == .street ? waitLimit : .max
  }

  /// When one is at the end who comes to its beginning at `time`; `never` where it does not open again, or too late.
  public func arrival(_ street: TimedWeight, at time: UInt32) -> UInt32 {
    guard let entry = entry(street, at: time) else { return StreetClock.never }
    return end(street, entering: entry, waiting: waitLimit(of: street))
  }

  /// When one enters a street who comes to its beginning at `time`; nil where it does not open again, or too late.
  public func entry(_ street: TimedWeight, at time: UInt32) -> UInt32? {
    let entry = closings.entry(street.closing, at: time)
    return entry == StreetClock.never || entry - time > waitLimit(of: street) ? nil : entry
  }

  /// When one must be at its beginning at the latest to be at its end by `time`; nil where there is no such moment, or
  /// one would be early by more than the limit of waiting.
  public func departure(_ street: TimedWeight, by time: UInt32) -> UInt32? {
    let limit = waitLimit(of: street)
    guard let entry = entry(street, by: time, waiting: limit) else { return nil }
    guard let closed = closings.stretch(street.closing, at: entry) else { return entry }
    guard closed.lowerBound > 0, entry - (closed.lowerBound - 1) <= limit else { return nil }
    return closed.lowerBound - 1
  }

  /// Milliseconds that are spent waiting on a street of a trip, between its beginning and its end: for a street to open, for
  /// a ferry to leave, and while nobody moves.
  ///
  /// - Parameter isArrival: Whether the trip arrives by a time: one who passes a street before it closes waits behind it.
  public func waiting(on street: TimedWeight, from start: UInt32, until end: UInt32, isArrival: Bool = false) -> UInt32
  {
    if closings.kind(street.closing) == .boarding { return end - start }
    let known = isArrival ? entry(street, by: end, waiting: .max) : closings.entry(street.closing, at: start)
    let entry = min(end, known ?? start)
    guard street.weight.milliseconds > 0, entry < end else { return entry - start }
    let period = profiles.period
    return (entry / period...(end - 1) / period).reduce(entry - start) { waiting, index in
      guard profiles.slowness(street.profile, Int(index)) == .closed else { return waiting }
      return waiting
        + UInt32(min(UInt64(end), (UInt64(index) + 1) * UInt64(period)) - UInt64(max(entry, index * period)))
    }
  }

  /// How far one gets who enters a street at `time` until `end`: 1 for all of it. One waits no longer than the limit.
  public func progress(_ street: TimedWeight, from time: UInt32, until end: UInt32) -> Double {
    progress(street, from: time, until: end, waiting: waitLimit(of: street))
  }

  /// The parts of a street, by how far they are from its end, from which one may set out at `start` or later to be at its
  /// end by `end`, as `departure` has it.
  package func parts(of street: TimedWeight, leavingFrom start: UInt32, by end: UInt32) -> [Range<Double>] {
    guard start < end else { return [] }
    return entries(street, from: start, by: end).map { moments in
      let near = progress(street, from: moments.upperBound, until: end, waiting: .max)
      return near..<max(near, progress(street, from: moments.lowerBound, until: end, waiting: .max))
    }
  }

  /// When one may enter a street, or one of its parts, that one leaves for at `start` or later to be through by `end`.
  private func entries(_ street: TimedWeight, from start: UInt32, by end: UInt32) -> [Range<UInt32>] {
    let limit = waitLimit(of: street)
    // What one enters before nobody moves for too long is no good.
    var (first, idleFrom) = (start, nil as UInt32?)
    for period in start / profiles.period...(end - 1) / profiles.period {
      let begin = max(start, period * profiles.period)
      let border = UInt32(min(UInt64(end), UInt64(period + 1) * UInt64(profiles.period)))
      idleFrom = profiles.slowness(street.profile, Int(period)) == .closed ? idleFrom ?? begin : nil
      if let idleFrom, border - idleFrom > limit { first = border }
    }
    var (entries, open): ([Range<UInt32>], UInt32) = ([], first)
    for closed in closings.stretches(street.closing) where closed.upperBound > first && closed.lowerBound < end {
      // Before it closes one may set out only after the start, and is early by no more than the limit.
      let (late, overflow) = closed.lowerBound.addingReportingOverflow(limit)
      let last = closed.lowerBound <= start ? open : overflow ? UInt32.max : late
      guard last < closed.upperBound else { continue }
      if open < min(last, end) { entries.append(open..<min(last, end)) }
      open = max(open, closed.upperBound)
    }
    if open < end { entries.append(open..<end) }
    return entries
  }

  private func progress(
    _ street: TimedWeight, from time: UInt32, until end: UInt32, waiting limit: UInt32
  ) -> Double {
    guard self.end(street, entering: time, waiting: limit) > end else { return 1 }
    let all = UInt64(street.weight.milliseconds) << 8
    var (done, time, period, idle) = (UInt64(0), time, Int(time / profiles.period), UInt32(0))
    while time < end {
      let next = UInt32(min(UInt64(end), UInt64(period + 1) * UInt64(profiles.period)))
      idle = profiles.slowness(street.profile, period) == .closed ? idle + (next - time) : 0
      if idle > limit { break }
      done += (UInt64(next - time) * UInt64(profiles.slowness(street.profile, period).pace)) >> 16
      (time, period) = (next, period + 1)
    }
    return min(1, Double(done) / Double(all))
  }

  /// The longest that nobody moves on a street which one may still move on again.
  private static func longestIdle(_ limit: UInt32) -> UInt64 { UInt64(min(limit, SpeedProfiles.week)) }

  /// The rule: work is counted in 1/256 ms of free flow.
  private func end(_ street: TimedWeight, entering time: UInt32, waiting limit: UInt32 = .max) -> UInt32 {
    var work = UInt64(street.weight.milliseconds) << 8
    guard work > 0 else { return time }
    var time = UInt64(time)
    var period = Int(time / UInt64(profiles.period))
    var idle: UInt64 = 0
    while true {
      let slowness = profiles.slowness(street.profile, period)
      let end = UInt64(period + 1) * UInt64(profiles.period)
      idle = slowness == .closed ? idle + (end - time) : 0
      if slowness != .closed {
        let arrival = time + slowness.milliseconds(ofWork: work)
        if arrival <= end { return arrival < UInt64(StreetClock.never) ? UInt32(arrival) : StreetClock.never }
        work -= ((end - time) * UInt64(slowness.pace)) >> 16
      } else if idle > StreetClock.longestIdle(limit) {
        return StreetClock.never
      }
      (time, period) = (end, period + 1)
    }
  }

  /// When one must have entered it at the latest.
  private func entry(_ street: TimedWeight, by time: UInt32, waiting limit: UInt32) -> UInt32? {
    var work = UInt64(street.weight.milliseconds) << 8
    guard work > 0, time > 0 else { return time }
    var estimate = UInt64(time)
    var period = Int((estimate - 1) / UInt64(profiles.period))
    var idle: UInt64 = 0
    while true {
      let slowness = profiles.slowness(street.profile, period)
      let start = UInt64(period) * UInt64(profiles.period)
      idle = slowness == .closed ? idle + (estimate - start) : 0
      if slowness != .closed {
        let time = slowness.milliseconds(ofWork: work)
        if start + time <= estimate {
          estimate -= time
          break
        }
        work -= min(work, ((estimate - start) * UInt64(slowness.pace)) >> 16)
      } else if idle > StreetClock.longestIdle(limit) {
        return nil
      }
      guard start > 0 else { return nil }
      (estimate, period) = (start, period - 1)
      if work == 0 { break }
    }
    // Going backward rounds otherwise than going forward.
    var entry = UInt32(estimate)
    while end(street, entering: entry) > time {
      guard entry > 0 else { return nil }
      entry -= 1
    }
    while entry < time {
      // While nobody moves all that enter come out together.
      let period = Int((entry + 1) / profiles.period)
      let isClosed = profiles.slowness(street.profile, period) == .closed
      let next = isClosed ? UInt32(min(UInt64(time), UInt64(period + 1) * UInt64(profiles.period))) : entry + 1
      guard end(street, entering: next) <= time else { break }
      entry = next
    }
    return entry
  }
}
