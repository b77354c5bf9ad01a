import Synchronization

/// Lower bounds on street times within windows of the week: hierarchies of the minimum slowness, built on first use and
/// shared by all threads.
///
/// Streets on which traffic is stopped for a whole window get their weekly minimum, since a trip may wait.
public final class TimedWindows: Sendable {
  private let shape: CustomizableHierarchy
  /// The speed profile of each arc.
  private let arcProfiles: Column<UInt32>
  private let profiles: SpeedProfiles
  /// The number of periods in the shortest window.
  private let unit: Int
  let reversed: ReversedArcs
  /// Hierarchies by the minimum slowness of each profile.
  private let cache = Mutex(RecentlyUsed<[Slowness], MinimumTimes>())
  private let bounds = Mutex<[Window: Bounds]>([:])
  /// The share of each profile's streets in the total free-flow time.
  private let shares: [Double]
  private let ratios = Mutex<[Window: [Window: Ratio]]>([:])

  /// Consecutive periods of the week.
  struct Window: Hashable {
    /// The first period, counted from the clock's beginning.
    var first: Int
    var count: Int
  }

  /// The minimum slowness of each profile within a window. If a profile's traffic is stopped throughout, `moving` is
  /// closed and `minimum` is the weekly minimum.
  private typealias Bounds = (minimum: [Slowness], moving: [Slowness])

  /// The maximum size in bytes and number of cached hierarchies; on a city map each takes 25 MB.
  private static let maximumMemory = 1 << 30
  private static let maximumHierarchies = 256
  /// The maximum number of windows with cached bounds, times the number of profiles.
  private static let maximumBounds = 1 << 23

  /// Windows over the arcs of a customizable hierarchy's graph, each arc with a speed profile; the shortest windows
  /// last `unit` milliseconds, or one period if that is longer.
  public init(
    _ shape: CustomizableHierarchy, arcProfiles: Column<UInt32>, _ profiles: SpeedProfiles, unit: UInt32 = 900_000
  ) {
    precondition(arcProfiles.count == shape.graph.arcCount, "expected one profile per arc")
    (self.shape, self.arcProfiles, self.profiles) = (shape, arcProfiles, profiles)
    self.unit = max(1, Int(unit / profiles.period))
    var times = [Double](repeating: 0, count: profiles.count)
    for (weight, profile) in zip(shape.graph.weights, arcProfiles) {
      times[Int(profile)] += Double(weight.milliseconds)
    }
    let sum = max(1, times.reduce(0, +))
    shares = times.map { $0 / sum }
    reversed = ReversedArcs(shape.graph)
  }

  /// Returns the shortest windows that together cover a trip from or to an instant, and the trip's milliseconds in
  /// each.
  private func units(
    at time: UInt32, lasting duration: UInt32, _ direction: LaneGraph.Direction
  ) -> [(window: Window, share: UInt32)] {
    let start = direction == .departing ? UInt64(time) : UInt64(time) - min(UInt64(time), max(1, UInt64(duration)))
    let end = direction == .departing ? start + max(1, UInt64(duration)) : max(1, UInt64(time))
    let size = UInt64(unit) * UInt64(profiles.period)
    return (start / size...(end - 1) / size).map { index in
      let share = min(end, (index + 1) * size) - max(start, index * size)
      return (Window(first: Int(index) * unit, count: unit), UInt32(share))
    }
  }

  /// Returns the first window of a trip from or to an instant.
  func window(at time: UInt32, _ direction: LaneGraph.Direction) -> Window {
    units(at: time, lasting: 1, direction)[0].window
  }

  /// Returns a window that covers a whole trip. For a long trip it is longer than needed, so that trips share windows.
  func window(at time: UInt32, lasting duration: UInt32, _ direction: LaneGraph.Direction) -> Window {
    let units = units(at: time, lasting: duration, direction)
    var count = units.count
    if count > TimedWindows.maximumUnits {
      count = TimedWindows.maximumUnits
      while count < units.count { count *= 2 }
    }
    let first = units[0].window.first
    guard direction == .arriving else { return Window(first: first, count: count * unit) }
    let end = first + units.count * unit
    let start = max(0, end - count * unit)
    return Window(first: start, count: end - start)
  }

  /// Returns the potential for the best trip from or to an instant that lasts no longer than `duration`: distances in a
  /// window's hierarchy minus `slack` milliseconds.
  ///
  /// The distances in any window can be used for the whole trip: if streets are at most k times as slow in that window
  /// as in another, a millisecond of the trip in the other window adds at most k milliseconds to the distance, which is
  /// k - 1 too many. The sum of this excess is the slack. The window with the largest distances minus slack is used.
  func lowerBound(at time: UInt32, lasting duration: UInt32, _ direction: LaneGraph.Direction) -> (
    window: Window, slack: UInt32
  ) {
    let units = units(at: time, lasting: duration, direction)
    let all = window(at: time, lasting: duration, direction)
    guard units.count > 1, units.count <= TimedWindows.maximumUnits else { return (all, 0) }
    let candidates = ([all] + units.map(\.window)).compactMap { window -> (window: Window, slack: UInt32, Double)? in
      var (slack, bound) = (0.0, 0.0)
      for unit in units {
        let ratio = ratio(window, to: unit.window)
        slack += (ratio.maximum - 1) * Double(unit.share)
        bound += ratio.mean * Double(unit.share)
      }
      // Only distances below this limit are valid bounds.
      guard Double(duration) + slack < Double(Weight.infinity.milliseconds / 2) else { return nil }
      // One more millisecond for rounding the sum.
      return (window, slack > 0 ? UInt32(slack.rounded(.up)) + 1 : 0, bound - slack)
    }
    return candidates.max { $0.2 < $1.2 }.map { ($0.window, $0.slack) } ?? (all, 0)
  }

  private static let maximumUnits = 8

  /// The slowness of streets in one window relative to another: the maximum, at least 1, and the mean over all streets.
  private typealias Ratio = (maximum: Double, mean: Double)

  private func ratio(_ window: Window, to other: Window) -> Ratio {
    if let known = ratios.withLock({ $0[window]?[other] }) { return known }
    var ratio = Ratio(maximum: 1, mean: 0)
    for (profile, (minimum, moving)) in zip(bounds(window).minimum, bounds(other).moving).enumerated()
    where moving != .closed {
      let value = Double(minimum.bits) / Double(moving.bits)
      ratio.maximum = max(ratio.maximum, value)
      ratio.mean += value * shares[profile]
    }
    ratios.withLock { $0[window, default: [:]][other] = ratio }
    return ratio
  }

  var week: Window { Window(first: 0, count: profiles.periodCount) }

  /// Returns how many milliseconds a trip from or to an instant stays within a window.
  func reach(of window: Window, from time: UInt32, _ direction: LaneGraph.Direction) -> UInt32 {
    let (start, end) = (UInt64(window.first), UInt64(window.first + window.count))
    switch direction {
    case .departing: return UInt32(min(UInt64(UInt32.max), end * UInt64(profiles.period))) - time
    case .arriving: return start == 0 ? .max : time - UInt32(start) * profiles.period
    }
  }

  /// Returns the minimum time of a street within a window.
  func bound(of street: TimedWeight, _ window: Window) -> UInt32 {
    TimedWindows.bound(of: street.weight, bounds(window).minimum[Int(street.profile)]).milliseconds
  }

  /// Returns the minimum street times in the hours of a trip from or to an instant.
  package func minimumTimes(at time: UInt32, lasting duration: UInt32, isArrival: Bool) -> MinimumTimes {
    minimumTimes(in: window(at: time, lasting: duration, isArrival ? .arriving : .departing))
  }

  /// Returns the minimum street times within a window.
  func minimumTimes(in window: Window) -> MinimumTimes {
    let minimum = bounds(window).minimum
    if let known = cache.withLock({ $0.value(for: minimum) }) { return known }
    let weights = Column(zip(shape.graph.weights, arcProfiles).map { TimedWindows.bound(of: $0, minimum[Int($1)]) })
    let times = MinimumTimes(weights: weights, hierarchy: shape.hierarchies(of: [weights])[0])
    let capacity = max(4, min(TimedWindows.maximumHierarchies, TimedWindows.maximumMemory / max(1, times.memory)))
    cache.withLock { $0.store(times, for: minimum, capacity: capacity) }
    return times
  }

  // MARK: Bounds

  private func bounds(_ window: Window) -> Bounds {
    // Every week is the same.
    let window = Window(first: window.first % profiles.periodCount, count: min(window.count, profiles.periodCount))
    if let known = bounds.withLock({ $0[window] }) { return known }
    let moving = (0..<UInt32(profiles.count)).map { self.moving($0, window) }
    let minimum = moving.enumerated().map { $1 == .closed ? self.moving(UInt32($0), week) : $1 }
    let computed = (minimum, moving)
    bounds.withLock { bounds in
      if (bounds.count + 1) * profiles.count > TimedWindows.maximumBounds { bounds.removeAll() }
      bounds[window] = computed
    }
    return computed
  }

  /// Returns the minimum slowness of a profile within a window; closed if traffic is stopped throughout.
  private func moving(_ profile: UInt32, _ window: Window) -> Slowness {
    let periods = window.first..<window.first + window.count
    return periods.lazy.map { self.profiles.slowness(profile, $0) }.min { $0.bits < $1.bits } ?? .closed
  }

  /// Returns a weight at a slowness, rounded down, so that the bound of a trip is at most the sum of its streets'
  /// times.
  private static func bound(of weight: Weight, _ slowness: Slowness) -> Weight {
    guard weight.milliseconds > 0 else { return weight }
    guard slowness != .closed else { return .infinity }
    let time = (UInt64(weight.milliseconds) << 8 * UInt64(slowness.bits)) >> 24
    return Weight(milliseconds: UInt32(min(time, UInt64(Weight.arcTimeLimit))), centimetres: weight.centimetres)
  }
}

/// The minimum weight of each arc within a window, and the hierarchy of these weights.
package struct MinimumTimes: Sendable {
  package let weights: Column<Weight>
  package let hierarchy: Hierarchy

  /// The size in bytes.
  fileprivate var memory: Int {
    weights.count * MemoryLayout<Weight>.stride + hierarchy.stateCount * 12 + hierarchy.arcCount * Hierarchy.arcBytes
  }
}
