import Foundation
import Geography
import Hierarchy

/// A position recorded by a device, modelled on Core Location's `CLLocation`.
///
///     let fix = Fix(coordinate: Coordinate(latitude: 41.148, longitude: -8.611), timestamp: .now)
public struct Fix: Hashable, Sendable, Codable {
  /// The measured position.
  public var coordinate: Coordinate
  /// The time of the measurement; nil if not recorded.
  public var timestamp: Date?
  /// The radius, in metres, that contains the true position with a probability of two thirds; nil if unknown.
  public var horizontalAccuracy: Double?
  /// The measured speed in metres per second; nil if unknown.
  public var speed: Double?
  /// The measured course in degrees clockwise from north; nil if unknown.
  public var course: Double?
  /// The time of receipt; nil if not recorded.
  public var received: Date?

  /// A fix with a position and a time.
  public init(coordinate: Coordinate, timestamp: Date? = nil, horizontalAccuracy: Double? = nil) {
    (self.coordinate, self.timestamp, self.horizontalAccuracy) = (coordinate, timestamp, horizontalAccuracy)
  }
}

/// The fixes of a trace that pass the cleaning rules, and their bounding box, updated as a device records each fix.
///
///     var path = BreadcrumbPath()
///     for fix in fixes {
///       let update = path.add(fix)
///       if let changed = update.changedBounds { setNeedsDisplay(changed.inset(by: -lineWidth)) }
///       if update.boundsChanged { show(path.pathBounds(padding: 500)) }
///     }
///
/// The rules follow MapKit's sample "Breadcrumb" (`BreadcrumbRules`), in the order of `FixReason`. The accuracy of
/// fixes is never considered.
public struct BreadcrumbPath: Sendable {
  /// The outcome of adding a fix.
  public struct Update: Hashable, Sendable {
    /// Whether the fix was kept.
    public var fixAdded: Bool
    /// Whether the fix lies outside the bounds of the previously kept fixes.
    public var boundsChanged: Bool
    /// The reason why the fix was dropped; nil if it was kept.
    public var reason: FixReason?
    /// The box around the fix and the previously kept one, which must be redrawn; nil if the fix was dropped.
    public var changedBounds: BoundingBox?
  }

  /// The kept fixes, in order.
  public private(set) var locations: [Fix] = []
  /// The bounding box of the kept fixes; nil before the first.
  public private(set) var pathBounds: BoundingBox?
  private let rules: BreadcrumbRules
  /// The latest time so far; earlier fixes are out of order.
  private var latest: Date?
  /// The last fix that was recent enough, kept or not.
  private var lastUpdate: Fix?
  /// The speeds of the last updates, newest last; nil if unknown.
  private var speeds: [Double?] = []

  /// The number of updates averaged for the mean speed.
  private static let speedUpdates = 5

  /// An empty path.
  public init(rules: BreadcrumbRules = BreadcrumbRules()) { self.rules = rules }

  /// Returns the bounding box of the kept fixes, enlarged by `metres` on each side; nil before the first.
  public func pathBounds(padding metres: Double) -> BoundingBox? { pathBounds?.inset(by: -metres) }

  /// Keeps the fix if the rules allow it.
  ///
  /// - Parameter received: The time of receipt, if the fix's own `received` is nil; by default now. Nil for archived
  ///   fixes, which are never too old.
  @discardableResult
  public mutating func add(_ fix: Fix, received: Date? = .now) -> Update {
    if let reason = reasonToDrop(fix, fix.received ?? received) {
      return Update(fixAdded: false, boundsChanged: false, reason: reason)
    }
    let last = locations.last?.coordinate
    locations.append(fix)
    return Update(
      fixAdded: true, boundsChanged: extendBounds(to: FixedCoordinate(fix.coordinate)), reason: nil,
      changedBounds: BoundingBox(around: [last, fix.coordinate].compactMap(\.self)))
  }

  private mutating func reasonToDrop(_ fix: Fix, _ received: Date?) -> FixReason? {
    guard fix.isValid else { return .invalid }
    if let latest, let time = fix.timestamp, time < latest { return .order }
    latest = fix.timestamp ?? latest
    if let time = fix.timestamp, let received,
      received.timeIntervalSince(time) >= rules.maximumAge
    {
      return .age
    }
    let speed = meanSpeed(with: fix)
    guard locations.count >= rules.unfilteredFirst, let last = locations.last else { return nil }
    guard fix.coordinate.distance(to: last.coordinate) > rules.minimumDistance else { return .distance }
    if let speed, let limit = rules.maximumSpeed, speed > limit { return .speed }
    return nil
  }

  /// Returns the mean speed of this update and the previous ones; nil if no speed is known or there is no limit.
  private mutating func meanSpeed(with fix: Fix) -> Double? {
    guard rules.maximumSpeed != nil else { return nil }
    speeds.append(speed(of: fix))
    speeds.removeFirst(max(0, speeds.count - BreadcrumbPath.speedUpdates))
    lastUpdate = fix
    let known = speeds.compactMap(\.self)
    return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
  }

  /// Returns the speed measured by the device, or else derived from the previous update. Core Location reports an
  /// unknown speed as negative.
  private func speed(of fix: Fix) -> Double? {
    if let speed = fix.speed, speed >= 0 { return speed }
    guard let last = lastUpdate, let from = last.timestamp, let to = fix.timestamp, to > from else { return nil }
    return fix.coordinate.distance(to: last.coordinate) / to.timeIntervalSince(from)
  }

  /// Extends the box to a point, and returns whether it was enlarged.
  private mutating func extendBounds(to point: FixedCoordinate) -> Bool {
    guard pathBounds?.contains(point) != true else { return false }
    var bounds = pathBounds ?? .empty
    bounds.extend(to: point)
    pathBounds = bounds
    return true
  }
}

extension BreadcrumbPath {
  /// Returns the reason why each fix of a complete, archived trace is dropped; nil for a kept fix.
  package static func reasons(of fixes: [Fix], _ rules: BreadcrumbRules) -> [FixReason?] {
    let disordered = disordered(fixes)
    var path = BreadcrumbPath(rules: rules)
    return fixes.indices.map { disordered.contains($0) ? .order : path.add(fixes[$0], received: nil).reason }
  }

  /// Returns a smallest set of fixes without which the times are in order; of several such sets, the one with the later
  /// fixes.
  ///
  /// One clock that is a day ahead must not drop all following fixes. The remaining fixes are a longest non-decreasing
  /// sequence, found by binary search from the end (C. Schensted 1961).
  private static func disordered(_ fixes: [Fix]) -> Set<Int> {
    let timed = fixes.indices.filter { fixes[$0].isValid && fixes[$0].timestamp != nil }
    let times = timed.map { fixes[$0].timestamp! }
    guard zip(times, times.dropFirst()).contains(where: >) else { return [] }
    // The length of the longest sequence from each fix, and the latest start of a sequence of each length.
    var lengths = times.map { _ in 0 }
    var starts: [Date] = []
    for index in times.indices.reversed() {
      let longest = starts.indices.partitionPoint { starts[$0] < times[index] }
      if longest == starts.count { starts.append(times[index]) } else { starts[longest] = times[index] }
      lengths[index] = longest + 1
    }
    var (next, latest) = (starts.count, times.min()!)
    return Set(
      times.indices.filter { index in
        guard lengths[index] == next, times[index] >= latest else { return true }
        (next, latest) = (next - 1, times[index])
        return false
      }.map { timed[$0] })
  }
}

extension Fix {
  /// Whether its coordinate and time are valid.
  fileprivate var isValid: Bool {
    coordinate.isValid && timestamp?.timeIntervalSince1970.isFinite != false
      && received?.timeIntervalSince1970.isFinite != false
  }
}

/// The cleaning rules, from MapKit's sample "Breadcrumb".
public struct BreadcrumbRules: Hashable, Sendable, Codable {
  /// A fix received this many seconds after it was recorded, or later, is dropped.
  public var maximumAge = 60.0
  /// The number of initial fixes that are exempt from the distance and speed rules.
  public var unfilteredFirst = 11
  /// A fix must be farther than this many metres from the last one kept.
  public var minimumDistance = 10.0
  /// The maximum mean speed of the last five updates, in metres per second; nil for no limit.
  public var maximumSpeed: Double?
  /// The rules of the sample.
  public init() {}
}

/// The reason why a fix is not part of a match: it was dropped by the cleaning rules, or kept but not matched.
public enum FixReason: String, Hashable, Sendable, CaseIterable, Codable {
  // Dropped, in the order in which the rules are applied.
  /// A coordinate or a time that is not a number, or a coordinate out of range.
  case invalid
  /// A time before the latest one so far; in a complete trace, as few fixes as possible are dropped.
  case order
  /// Received too long after it was recorded.
  case age
  /// Too close to the last kept fix.
  case distance
  /// The mean speed of the last updates is above the limit.
  case speed
  // Kept.
  /// No street nearby.
  case offRoad = "off_road"
  /// No route from the previous fixes leads to this fix, but one leads to later fixes.
  case outlier
  /// The only fix between two breaks.
  case alone
}
