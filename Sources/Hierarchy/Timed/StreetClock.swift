/// A section of street for the clock: its free-flow time and length, its speed profile, and its closures.
public struct TimedWeight: Hashable, Sendable, BitwiseCopyable {
  /// The free-flow time and the length.
  public var weight: Weight
  /// The index of the speed profile.
  public var profile: UInt32
  /// The index of the list of closures in `ClosedTimes`.
  public var closing: UInt32

  /// A section of street, by default time-independent.
  public init(_ weight: Weight, profile: UInt32 = 0, closing: UInt32 = 0) {
    (self.weight, self.profile, self.closing) = (weight, profile, closing)
  }
}

/// A clock that converts entry times of streets to exit times and vice versa, in whole milliseconds of the week.
///
/// Speeds are constant within a period; a street begun in one period is continued at the speed of the next. A closed
/// street is entered when it opens, if the wait is within the limit. Otherwise the street is closed for a trip that
/// reaches it at that time; a trip with an arrival time may not use the street if the closure would make the trip early
/// by more than the limit.
///
/// Without a limit, a later departure never arrives earlier, regardless of rounding: within a period, all travellers
/// take the same time, and a traveller who begins later has done no more work at the end of the period. With a limit, a
/// search must use the earliest time at a street's beginning, and no later one. A departure on the border of two
/// periods belongs to the later period, an arrival to the earlier one.
public struct StreetClock: Sendable {
  /// The speed profiles.
  public let profiles: SpeedProfiles
  /// The closures.
  public let closings: ClosedTimes
  /// The maximum wait in milliseconds for a closed street or stopped traffic.
  public let waitLimit: UInt32

  /// The exit time of a street that never opens.
  public static let never = UInt32.max

  /// A clock with these profiles and closures; by default waits are unlimited.
  public init(_ profiles: SpeedProfiles, _ closings: ClosedTimes = .none, waitLimit: UInt32 = .max) {
    (self.profiles, self.closings, self.waitLimit) = (profiles, closings, waitLimit)
  }

  /// Whether a later departure never arrives earlier: waits are all zero or all unlimited.
  public var keepsOrder: Bool { waitLimit == .max || !closings.haveStreetsThatOpen && !profiles.haveClosed }

  /// The same clock with unlimited waits.
  var withoutWaitLimit: StreetClock { StreetClock(profiles, closings) }

  /// Returns the maximum wait on a street in milliseconds.
  func waitLimit(of street: TimedWeight) -> UInt32 { closings.kind(street.closing) == .street ? waitLimit : .max }

  /// Returns the exit time of a traveller who reaches the street at `time`; `never` if it opens too late or not at all.
  public func arrival(_ street: TimedWeight, at time: UInt32) -> UInt32 {
    guard let entry = entry(street, at: time) else { return StreetClock.never }
    return end(street, entering: entry, waiting: waitLimit(of: street))
  }

  /// Returns the entry time of a traveller who reaches the street at `time`; nil if it opens too late or not at all.
  public func entry(_ street: TimedWeight, at time: UInt32) -> UInt32? {
    let entry = closings.entry(street.closing, at: time)
    return entry == StreetClock.never || entry - time > waitLimit(of: street) ? nil : entry
  }

  /// Returns the latest time at the beginning of a street for an exit by `time`; nil if there is none, or if the exit
  /// would be early by more than the wait limit.
  public func departure(_ street: TimedWeight, by time: UInt32) -> UInt32? {
    let limit = waitLimit(of: street)
    guard let entry = entry(street, by: time, waiting: limit) else { return nil }
    guard let closed = closings.stretch(street.closing, at: entry) else { return entry }
    guard closed.lowerBound > 0, entry - (closed.lowerBound - 1) <= limit else { return nil }
    return closed.lowerBound - 1
  }

  /// Returns the waiting time on a street in milliseconds, between its beginning and its end: for the street to open,
  /// for a ferry to depart, or while traffic is stopped.
  ///
  /// - Parameter isArrival: Whether the trip has an arrival time: a traveller who passes a street before it closes
  ///   waits after passing it.
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

  /// Returns the time, counted from `time` in the direction of a search, at the end of a street that is reached after
  /// `offset`; nil if the street does not open in time.
  @inline(__always)
  func offset(
    _ street: TimedWeight, after offset: UInt32, at time: UInt32, _ direction: LaneGraph.Direction
  ) -> UInt32? {
    switch direction {
    case .departing:
      let (start, overflow) = time.addingReportingOverflow(offset)
      guard !overflow else { return nil }
      let arrival = arrival(street, at: start)
      return arrival == StreetClock.never ? nil : arrival - time
    case .arriving:
      guard offset <= time else { return nil }
      return departure(street, by: time - offset).map { time - $0 }
    }
  }

  /// Returns the waiting time on a street between two offsets of a search.
  func waiting(
    on street: TimedWeight, after offset: UInt32, until end: UInt32, at time: UInt32, _ direction: LaneGraph.Direction
  ) -> UInt32 {
    direction == .departing
      ? waiting(on: street, from: time + offset, until: time + end)
      : waiting(on: street, from: time - end, until: time - offset, isArrival: true)
  }

  /// Returns the fraction of a street travelled from `time` until `end`; 1 for the whole street. The wait limit
  /// applies.
  public func progress(_ street: TimedWeight, from time: UInt32, until end: UInt32) -> Double {
    progress(street, from: time, until: end, waiting: waitLimit(of: street))
  }

  /// Returns the parts of a street, as fractions from its end, from which a traveller may leave at `start` or later and
  /// exit by `end`, as defined by `departure`.
  package func parts(of street: TimedWeight, leavingFrom start: UInt32, by end: UInt32) -> [Range<Double>] {
    guard start < end else { return [] }
    return entries(street, from: start, by: end).map { moments in
      let near = progress(street, from: moments.upperBound, until: end, waiting: .max)
      return near..<max(near, progress(street, from: moments.lowerBound, until: end, waiting: .max))
    }
  }

  /// Returns the entry times of a street, or of a part of it, for departures at `start` or later and exits by `end`.
  private func entries(_ street: TimedWeight, from start: UInt32, by end: UInt32) -> [Range<UInt32>] {
    let limit = waitLimit(of: street)
    // An entry just before traffic stops for longer than the limit does not lead to the exit.
    var (first, idleFrom) = (start, nil as UInt32?)
    for period in start / profiles.period...(end - 1) / profiles.period {
      let begin = max(start, period * profiles.period)
      let border = UInt32(min(UInt64(end), UInt64(period + 1) * UInt64(profiles.period)))
      idleFrom = profiles.slowness(street.profile, Int(period)) == .closed ? idleFrom ?? begin : nil
      if let idleFrom, border - idleFrom > limit { first = border }
    }
    var (entries, open): ([Range<UInt32>], UInt32) = ([], first)
    for closed in closings.stretches(street.closing) where closed.upperBound > first && closed.lowerBound < end {
      // A trip that passes before the closure must depart after `start`, and arrive early by at most the limit.
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
    let total = UInt64(street.weight.milliseconds) << 8
    var (done, time, period, idle) = (UInt64(0), time, Int(time / profiles.period), UInt32(0))
    while time < end {
      let next = UInt32(min(UInt64(end), UInt64(period + 1) * UInt64(profiles.period)))
      idle = profiles.slowness(street.profile, period) == .closed ? idle + (next - time) : 0
      if idle > limit { break }
      done += (UInt64(next - time) * UInt64(profiles.slowness(street.profile, period).pace)) >> 16
      (time, period) = (next, period + 1)
    }
    return min(1, Double(done) / Double(total))
  }

  /// Returns the maximum time that traffic may be stopped for a trip to continue: the limit, but at most a week.
  private static func maximumIdle(_ limit: UInt32) -> UInt64 { UInt64(min(limit, SpeedProfiles.week)) }

  /// Returns the exit time for an entry time. Work is counted in 1/256 ms of free flow.
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
      } else if idle > StreetClock.maximumIdle(limit) {
        return StreetClock.never
      }
      (time, period) = (end, period + 1)
    }
  }

  /// Returns the latest entry time for an exit by `time`.
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
      } else if idle > StreetClock.maximumIdle(limit) {
        return nil
      }
      guard start > 0 else { return nil }
      (estimate, period) = (start, period - 1)
      if work == 0 { break }
    }
    // Going backward rounds differently from going forward.
    var entry = UInt32(estimate)
    while end(street, entering: entry) > time {
      guard entry > 0 else { return nil }
      entry -= 1
    }
    while entry < time {
      // All entries during stopped traffic exit at the same time.
      let period = Int((entry + 1) / profiles.period)
      let isClosed = profiles.slowness(street.profile, period) == .closed
      let next = isClosed ? UInt32(min(UInt64(time), UInt64(period + 1) * UInt64(profiles.period))) : entry + 1
      guard end(street, entering: next) <= time else { break }
      entry = next
    }
    return entry
  }
}

/// The closed intervals of streets: lists of intervals on the clock, each shared by all streets that close at the same
/// times. List 0 is empty: always open.
public struct ClosedTimes: Sendable {
  private let stretches: Grouped<Range<UInt32>>
  private let kinds: [Kind]

  /// The kind of waiting at a list's streets.
  public enum Kind: UInt8, Sendable {
    /// At most the wait limit.
    case street
    /// Without a limit: a ferry or a train.
    case ride
    /// Like `ride`, but the whole time on the street is spent waiting for the departure.
    case boarding
  }

  /// Nothing is ever closed.
  public static let none = ClosedTimes([])

  /// Creates lists 1, 2, …, each in ascending order, with gaps between intervals. An interval to `UInt32.max` never
  /// ends.
  ///
  /// - Parameter kinds: The kind of each list; nil for streets.
  public init(_ lists: [[Range<UInt32>]], kinds: [Kind]? = nil) {
    precondition(kinds?.count ?? lists.count == lists.count, "expected one kind per list")
    self.kinds = [.street] + (kinds ?? Array(repeating: .street, count: lists.count))
    for list in lists {
      precondition(
        zip(list, list.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound },
        "intervals must be ascending, with gaps")
    }
    stretches = Grouped(lists.count + 1) { add in
      for (index, list) in lists.enumerated() {
        for stretch in list { add(UInt32(index + 1), stretch) }
      }
    }
  }

  /// Returns the kind of waiting at the streets of a list.
  public func kind(_ list: UInt32) -> Kind { kinds[Int(list)] }

  /// The number of lists, including the empty one.
  public var count: Int { kinds.count }

  func stretches(_ list: UInt32) -> ArraySlice<Range<UInt32>> { stretches[list] }

  /// Returns the interval of a list that contains an instant; nil if there is none.
  public func stretch(_ list: UInt32, at time: UInt32) -> Range<UInt32>? {
    stretches(list).first { $0.upperBound > time }
      .flatMap { $0.contains(time) ? $0 : nil }
  }

  /// Returns the instant at which a traveller who arrives at `time` may continue: at once, or when the street opens;
  /// `StreetClock.never` if it never opens.
  public func entry(_ list: UInt32, at time: UInt32) -> UInt32 { stretch(list, at: time)?.upperBound ?? time }

  /// Whether all intervals are endless, so that no closed street ever opens.
  public var neverOpen: Bool { stretches.values.allSatisfy { $0 == 0..<UInt32.max } }

  /// Whether any street with limited waiting is closed only temporarily.
  var haveStreetsThatOpen: Bool {
    kinds.indices.contains { kinds[$0] == .street && !stretches(UInt32($0)).allSatisfy { $0 == 0..<UInt32.max } }
  }

  /// Returns the next opening or closing after an instant; `UInt32.max` if there is none.
  public func nextChange(after time: UInt32) -> UInt32 {
    stretches.values.lazy.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 > time }.min() ?? .max
  }
}
