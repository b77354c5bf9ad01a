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
/// Speeds are constant within a period; a street begun in one is finished in the next. What is closed is entered when
/// it opens: one waits. Who sets out later never arrives earlier, whatever the rounding: within a period all take the
/// same time, and who crosses its end later has done no more work. A departure on the border of two periods belongs to
/// the later, an arrival to the earlier.
public struct StreetClock: Sendable {
  /// How slow streets are.
  public let profiles: SpeedProfiles
  /// When they are closed.
  public let closings: ClosedTimes

  /// No such moment: a street that never opens.
  public static let never = UInt32.max

  /// A clock of these profiles and closings.
  public init(_ profiles: SpeedProfiles, _ closings: ClosedTimes = .none) {
    (self.profiles, self.closings) = (profiles, closings)
  }

  /// When one is at the end who comes to its beginning at `time`; `never` where it does not open again.
  public func arrival(_ street: TimedWeight, at time: UInt32) -> UInt32 {
    guard time != StreetClock.never else { return time }
    let entry = closings.entry(street.closing, at: time)
    return entry == StreetClock.never ? entry : end(street, entering: entry)
  }

  /// When one must be at its beginning at the latest to be at its end by `time`; nil where there is no such moment.
  public func departure(_ street: TimedWeight, by time: UInt32) -> UInt32? {
    guard let entry = entry(street, by: time) else { return nil }
    guard let closed = closings.stretch(street.closing, at: entry) else { return entry }
    return closed.lowerBound == 0 ? nil : closed.lowerBound - 1
  }

  /// How far one gets who is on a street from `time` until `end`: 1 for all of it.
  public func progress(_ street: TimedWeight, from time: UInt32, until end: UInt32) -> Double {
    guard self.end(street, entering: time) > end else { return 1 }
    let all = UInt64(street.weight.milliseconds) << 8
    var (done, time, period) = (UInt64(0), time, Int(time / profiles.period))
    while time < end {
      let next = UInt32(min(UInt64(end), UInt64(period + 1) * UInt64(profiles.period)))
      done += (UInt64(next - time) * UInt64(profiles.slowness(street.profile, period).pace)) >> 16
      (time, period) = (next, period + 1)
    }
    return min(1, Double(done) / Double(all))
  }

  /// The rule: work is counted in 1/256 ms of free flow.
  private func end(_ street: TimedWeight, entering time: UInt32) -> UInt32 {
    var work = UInt64(street.weight.milliseconds) << 8
    guard work > 0 else { return time }
    var time = UInt64(time)
    var period = Int(time / UInt64(profiles.period))
    var closed = 0
    while true {
      let slowness = profiles.slowness(street.profile, period)
      closed = slowness == .closed ? closed + 1 : 0
      let end = UInt64(period + 1) * UInt64(profiles.period)
      if slowness != .closed {
        let arrival = time + slowness.milliseconds(ofWork: work)
        if arrival <= end { return arrival < UInt64(StreetClock.never) ? UInt32(arrival) : StreetClock.never }
        work -= ((end - time) * UInt64(slowness.pace)) >> 16
      } else if closed > profiles.periodCount {
        return StreetClock.never
      }
      (time, period) = (end, period + 1)
    }
  }

  /// When one must have entered it at the latest.
  private func entry(_ street: TimedWeight, by time: UInt32) -> UInt32? {
    var work = UInt64(street.weight.milliseconds) << 8
    guard work > 0, time > 0 else { return time }
    var estimate = UInt64(time)
    var period = Int((estimate - 1) / UInt64(profiles.period))
    var closed = 0
    while true {
      let slowness = profiles.slowness(street.profile, period)
      closed = slowness == .closed ? closed + 1 : 0
      let start = UInt64(period) * UInt64(profiles.period)
      if slowness != .closed {
        let time = slowness.milliseconds(ofWork: work)
        if start + time <= estimate {
          estimate -= time
          break
        }
        work -= min(work, ((estimate - start) * UInt64(slowness.pace)) >> 16)
      } else if closed > profiles.periodCount {
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
