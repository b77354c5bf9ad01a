import Foundation
import Geography

/// A position that a device recorded, as Core Location's `CLLocation` has it.
///
///     let fix = Fix(coordinate: Coordinate(latitude: 41.148, longitude: -8.611), timestamp: .now)
public struct Fix: Hashable, Sendable, Codable {
  /// Where the device was, as it measured.
  public var coordinate: Coordinate
  /// When it was there; nil where that was not recorded.
  public var timestamp: Date?
  /// The radius, in metres, within which it was with a chance of two thirds; nil where unknown.
  public var horizontalAccuracy: Double?
  /// Metres per second, as the device measured; nil where unknown.
  public var speed: Double?
  /// The direction of travel in degrees clockwise from north, as the device measured; nil where unknown.
  public var course: Double?
  /// When whoever kept the trace received the fix; nil where that was not recorded.
  public var received: Date?

  /// A fix without what the device may say beyond place and time.
  public init(coordinate: Coordinate, timestamp: Date? = nil, horizontalAccuracy: Double? = nil) {
    (self.coordinate, self.timestamp, self.horizontalAccuracy) = (coordinate, timestamp, horizontalAccuracy)
  }
}

/// The fixes of a trace that are worth keeping, and the box around them: fix by fix, as a device records them.
///
///     var path = BreadcrumbPath()
///     for location in locations {
///       let update = path.add(Fix(location))
///       if let changed = update.changedBounds { setNeedsDisplay(changed.inset(by: -lineWidth)) }
///       if update.boundsChanged { show(path.pathBounds(padding: 500)) }
///     }
///
/// The rules are those of MapKit's sample "Breadcrumb" (`BreadcrumbRules`), in the order of `FixReason`. How accurate a
/// fix is never decides.
public struct BreadcrumbPath: Sendable {
  /// What became of a fix.
  public struct Update: Hashable, Sendable {
    /// Whether it was kept.
    public var fixAdded: Bool
    /// Whether it lies outside the bounds of the fixes kept before it.
    public var boundsChanged: Bool
    /// Why it was dropped; nil where it was kept.
    public var reason: FixReason?
    /// The box around the fix and the one kept before it, which is what has to be drawn; nil where the fix was dropped.
    public var changedBounds: BoundingBox?
  }

  /// The fixes kept, in order.
  public private(set) var locations: [Fix] = []
  /// The box around the fixes kept; nil before the first.
  public private(set) var pathBounds: BoundingBox?
  private let rules: BreadcrumbRules
  /// The latest time so far: what is earlier is out of order.
  private var latest: Date?
  /// The last fix that was recent enough, kept or not.
  private var lastUpdate: Fix?
  /// Of the last updates, the newest last; nil where it is not known.
  private var speeds: [Double?] = []

  /// How many updates the mean speed is of.
  private static let speedUpdates = 5

  /// An empty path.
  public init(rules: BreadcrumbRules = BreadcrumbRules()) { self.rules = rules }

  /// The box around the fixes kept, larger by so many metres on each side; nil before the first.
  public func pathBounds(padding metres: Double) -> BoundingBox? { pathBounds?.inset(by: -metres) }

  /// Keeps the fix if the rules allow it.
  ///
  /// - Parameter received: When the fix arrived, where it does not say so itself: now. Nil for an archive, whose fixes are
  ///   never too old.
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

  /// Over this update and those before it; nil where no speed is known, or none limited.
  private mutating func meanSpeed(with fix: Fix) -> Double? {
    guard rules.maximumSpeed != nil else { return nil }
    speeds.append(speed(of: fix))
    speeds.removeFirst(max(0, speeds.count - BreadcrumbPath.speedUpdates))
    lastUpdate = fix
    let known = speeds.compactMap(\.self)
    return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
  }

  /// As the device measured it, else from the update before. Negative speeds are Core Location's sign for none.
  private func speed(of fix: Fix) -> Double? {
    if let speed = fix.speed, speed >= 0 { return speed }
    guard let last = lastUpdate, let from = last.timestamp, let to = fix.timestamp, to > from else { return nil }
    return fix.coordinate.distance(to: last.coordinate) / to.timeIntervalSince(from)
  }

  /// Whether the box had to grow.
  private mutating func extendBounds(to point: FixedCoordinate) -> Bool {
    guard pathBounds?.contains(point) != true else { return false }
    var bounds = pathBounds ?? .empty
    bounds.extend(to: point)
    pathBounds = bounds
    return true
  }
}

extension Fix {
  /// Whether its numbers are a place and, where it has them, times.
  fileprivate var isValid: Bool {
    coordinate.isValid && timestamp?.timeIntervalSince1970.isFinite != false
      && received?.timeIntervalSince1970.isFinite != false
  }
}

/// Which fixes a breadcrumb keeps: the rules of MapKit's sample "Breadcrumb".
public struct BreadcrumbRules: Hashable, Sendable, Codable {
  /// A fix received this many seconds after it was recorded, or later, is dropped.
  public var maximumAge = 60.0
  /// How many fixes are kept whatever their distance, before the rules of distance and speed begin.
  public var unfilteredFirst = 11
  /// A fix must be farther than this many metres from the last one kept.
  public var minimumDistance = 10.0
  /// The highest mean speed of the last five updates, in metres per second; nil for no limit.
  public var maximumSpeed: Double?
  /// The rules of the sample.
  public init() {}
}

/// Why a fix is not part of a match: it was dropped by the rules of a breadcrumb, or kept but could not be matched.
public enum FixReason: String, Hashable, Sendable, CaseIterable, Codable {
  // Dropped, in the order in which the rules are applied.
  /// A coordinate that is no number, or out of range.
  case invalid
  /// A time before that of the last fix.
  case order
  /// Received too long after it was recorded.
  case age
  /// Not farther from the last kept fix than the least distance.
  case distance
  /// The mean speed of the last updates is above the limit.
  case speed
  // Kept.
  /// No street near enough.
  case offRoad = "off_road"
  /// No way from the fixes before leads to it, though one does to those behind.
  case outlier
  /// Between two breaks by itself.
  case alone
}
