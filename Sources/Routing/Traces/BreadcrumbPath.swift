import Foundation
import Geography

/// The fixes of a trace that are worth keeping, and the box around them: fix by fix, as a device records them.
///
///     var path = BreadcrumbPath()
///     for location in locations {
///       let update = path.add(Fix(location))
///       if update.fixAdded { draw(path.locations.last) }
///       if update.boundsChanged { show(path.pathBounds) }
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

  /// Keeps the fix if the rules allow it.
  @discardableResult
  public mutating func add(_ fix: Fix) -> Update {
    if let reason = reasonToDrop(fix) { return Update(fixAdded: false, boundsChanged: false, reason: reason) }
    locations.append(fix)
    return Update(fixAdded: true, boundsChanged: extendBounds(to: FixedCoordinate(fix.coordinate)), reason: nil)
  }

  private mutating func reasonToDrop(_ fix: Fix) -> FixReason? {
    guard fix.isValid else { return .invalid }
    if let latest, let time = fix.timestamp, time < latest { return .order }
    latest = fix.timestamp ?? latest
    if let time = fix.timestamp, let received = fix.received,
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
