import Foundation
import Geography

/// A position that a device recorded, as Core Location's `CLLocation` has it.
///
///     let fix = Fix(coordinate: Coordinate(latitude: 41.148, longitude: -8.611), timestamp: .now)
public struct Fix: Hashable, Sendable {
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
