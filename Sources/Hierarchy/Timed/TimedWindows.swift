import Synchronization

/// What streets take at least from an hour to another: hierarchies of the least slownesses within windows of the week,
/// made when a trip first needs them and shared by all threads.
///
/// A window lasts an hour or somewhat longer; a trip that is not over when its window is takes one twice as long. What
/// one does not move on all through a window counts as at its best in the week: it may be waited for.
public final class TimedWindows: Sendable {
  private let shape: CustomizableHierarchy
  /// The speed profile of each arc.
  private let arcProfiles: Column<UInt32>
  private let profiles: SpeedProfiles
  private let span: UInt32
  let reversed: ReversedArcs
  private let known = Mutex<[Entry]>([])

  /// Some periods of the week.
  struct Window: Hashable {
    /// After the clock's beginning.
    var first: Int
    var count: Int
  }

  /// The one that was used last comes last.
  private struct Entry {
    var least: [Slowness]
    var times: LeastTimes
  }

  /// Hierarchies that are kept: on a city's map 25 MB each.
  private static let capacity = 16

  /// Windows over the arcs of a customizable hierarchy's graph, each with a speed profile; the shortest last `span`
  /// milliseconds.
  public init(
    _ shape: CustomizableHierarchy, arcProfiles: Column<UInt32>, _ profiles: SpeedProfiles, span: UInt32 = 3_600_000
  ) {
    precondition(arcProfiles.count == shape.graph.arcCount, "a profile per arc")
    (self.shape, self.arcProfiles, self.profiles, self.span) = (shape, arcProfiles, profiles, span)
    reversed = ReversedArcs(shape.graph)
  }

  /// The first window of a trip that starts, or ends, at a moment.
  func window(at time: UInt32, _ direction: TimedDirection) -> Window {
    // Departures of a quarter of an hour share a window where periods are shorter.
    let unit = max(1, Int(min(span, 900_000) / profiles.period))
    let period = Int((direction == .departing ? time : time - min(time, 1)) / profiles.period) / unit * unit
    // As many as a trip of `span` from that moment meets, in whole units.
    let start = UInt64(period) * UInt64(profiles.period)
    let end = start + UInt64(unit) * UInt64(profiles.period)
    let reach =
      direction == .departing ? UInt64(time) + UInt64(span) - start : end + UInt64(span) - min(UInt64(time), end)
    let size = UInt64(unit) * UInt64(profiles.period)
    let count = Int((reach + size - 1) / size) * unit
    let first = direction == .departing ? period : max(0, period + unit - count)
    return Window(first: first, count: direction == .departing ? count : period + unit - first)
  }

  /// A window twice as long.
  func doubled(_ window: Window, _ direction: TimedDirection) -> Window {
    let first = direction == .departing ? window.first : max(0, window.first - window.count)
    return Window(first: first, count: direction == .departing ? window.count * 2 : window.first + window.count - first)
  }

  /// The window that knows all hours.
  var week: Window { Window(first: 0, count: profiles.periodCount) }

  /// How long a trip from a moment, or to it, stays within a window; `.max` for a window that knows all hours.
  func reach(of window: Window, from time: UInt32, _ direction: TimedDirection) -> UInt32 {
    guard window.count < profiles.periodCount else { return .max }
    switch direction {
    case .departing:
      return UInt32(min(UInt64(UInt32.max), UInt64(window.first + window.count) * UInt64(profiles.period))) - time
    case .arriving: return window.first == 0 ? .max : time - UInt32(window.first) * profiles.period
    }
  }

  /// The least time of a street within a window.
  func bound(of street: TimedWeight, _ window: Window) -> UInt32 {
    TimedWindows.bound(of: street.weight, least(street.profile, window)).milliseconds
  }

  /// The least times of the first window of a trip that starts, or ends, at a moment.
  package func leastTimes(at time: UInt32, isArrival: Bool) -> LeastTimes {
    leastTimes(in: window(at: time, isArrival ? .arriving : .departing))
  }

  /// The least times within a window.
  func leastTimes(in window: Window) -> LeastTimes {
    let least = self.least(window)
    if let times = take(least) { return times }
    let weights = metric(least)
    let times = LeastTimes(weights: weights, hierarchy: shape.hierarchies(of: [weights])[0])
    keep(least, times)
    return times
  }

  /// Makes the hierarchies that trips at some times need first: several at once take little longer than one.
  public func prepare(departures: [UInt32] = [], arrivals: [UInt32] = []) {
    var missing: [[Slowness]] = []
    let windows =
      departures.map { window(at: $0, .departing) }
      + arrivals.map { window(at: $0, .arriving) }
    for window in Set(windows).sorted(by: { ($0.first, $0.count) < ($1.first, $1.count) }) {
      let least = self.least(window)
      if !missing.contains(least), take(least) == nil { missing.append(least) }
    }
    missing = Array(missing.prefix(TimedWindows.capacity))
    guard !missing.isEmpty else { return }
    let metrics = missing.map(metric)
    for (index, hierarchy) in shape.hierarchies(of: metrics).enumerated() {
      keep(missing[index], LeastTimes(weights: metrics[index], hierarchy: hierarchy))
    }
  }

  private func take(_ least: [Slowness]) -> LeastTimes? {
    known.withLock { known in
      guard let index = known.lastIndex(where: { $0.least == least }) else { return nil }
      let entry = known.remove(at: index)
      known.append(entry)
      return entry.times
    }
  }

  private func keep(_ least: [Slowness], _ times: LeastTimes) {
    known.withLock { known in
      known.append(Entry(least: least, times: times))
      if known.count > TimedWindows.capacity { known.removeFirst() }
    }
  }

  // MARK: Bounds

  /// The least slowness of each profile within a window.
  private func least(_ window: Window) -> [Slowness] {
    (0..<UInt32(profiles.count)).map { least($0, window) }
  }

  private func least(_ profile: UInt32, _ window: Window) -> Slowness {
    func least(_ periods: Range<Int>) -> Slowness {
      periods.lazy.map { self.profiles.slowness(profile, $0) }.min { $0.bits < $1.bits } ?? .closed
    }
    let slowness = least(window.first..<window.first + min(window.count, profiles.periodCount))
    return slowness == .closed ? least(0..<profiles.periodCount) : slowness
  }

  private func metric(_ least: [Slowness]) -> Column<Weight> {
    Column(zip(shape.graph.weights, arcProfiles).map { TimedWindows.bound(of: $0, least[Int($1)]) })
  }

  private static func bound(of weight: Weight, _ slowness: Slowness) -> Weight {
    guard slowness != .closed else { return .infinity }
    let time = slowness.milliseconds(ofWork: UInt64(weight.milliseconds) << 8)
    return Weight(
      milliseconds: UInt32(min(time, UInt64(Weight.arcLimit))), centimetres: weight.centimetres)
  }
}

/// What each arc takes at least within a window, and the hierarchy of that.
package struct LeastTimes: Sendable {
  package let weights: Column<Weight>
  package let hierarchy: Hierarchy
}

/// Whether a trip's departure is given, or its arrival.
enum TimedDirection { case departing, arriving }
