import Foundation
import Geography
import Settings

/// Adjustments of speeds: pace and slopes.
extension Profile {
  /// Returns the profile with another pace on level ground, in km/h.
  ///
  /// - Throws: `OdometerError` if the profile has no pace.
  public func paced(_ pace: Double) throws -> Profile {
    // Settings files cannot hold NaN or infinite numbers, so these are written as strings, which are rejected.
    try layered(pace.isFinite ? "{ pace: \(pace) }" : "{ pace: \"\(pace)\" }", elevation)
  }

  /// Returns the profile with a DEM: slopes come from `elevation` instead of incline=*.
  public func on(_ elevation: Elevation) throws -> Profile {
    try layered("{ elevation: \"\(elevation.digest)\" }", elevation)
  }

  private func layered(_ settings: String, _ elevation: Elevation?) throws -> Profile {
    try Profile(name: "profile \(name)", text: Data(settings.utf8) + [0] + text, avoiding: avoids, elevation: elevation)
  }

  /// Returns whether slopes affect the speed on a way.
  func isAffectedBySlopes(_ tags: Tags) -> Bool { hills != nil && !isConveyance(tags) && level?.matches(tags) != true }

  /// Returns whether the way is a conveyance. A street that is part of a hiking route, or has rails in it, is still
  /// walked or ridden.
  func isConveyance(_ tags: Tags) -> Bool {
    guard carried?.matches(tags) == true else { return false }
    guard let highway = tags["highway"], highway != "elevator" else { return true }
    return tags.isConveying
  }

  /// Returns the factor for a way's speed in a direction: the pace, and the tagged slope if there is no DEM.
  func speedFactor(_ tags: Tags, _ direction: Direction) -> Double {
    let slope = hills == nil || elevationDigest != nil ? nil : tags["incline"].flatMap(slopeOfIncline)
    guard paceFactor != 1 || slope != nil, !isConveyance(tags) else { return 1 }
    guard let slope, let hills, isAffectedBySlopes(tags) else { return paceFactor }
    return paceFactor * hills.factor(onSlope: direction == .forward ? slope : -slope)
  }
}

/// Returns the slope of an `incline` tag in metres per metre; nil if it is implausibly steep.
func slopeOfIncline(_ text: String) -> Double? { taggedSlope(text).flatMap { abs($0) <= 1 ? $0 : nil } }

/// Parses `10%`, `-5 %`, `5.7°` or `1:12` as metres per metre; returns nil for `up`, `down` and other text.
func taggedSlope(_ text: String) -> Double? {
  let text = text.replacing(",", with: ".").filter { !$0.isWhitespace }
  let parts = text.split(separator: ":")
  let slope: Double? =
    if parts.count == 2, let rise = Double(parts[0]), let run = Double(parts[1]) {
      rise / run
    } else if text.hasSuffix("%") {
      Double(text.dropLast()).map { $0 / 100 }
    } else if text.hasSuffix("°") {
      Double(text.dropLast()).map { tan($0 * .pi / 180) }
    } else {
      Double(text).map { $0 / 100 }
    }
  return slope
}

/// A means of transport. Raw values are the names in job files, tables and profiles.
public enum TransportType: String, Sendable, Hashable, CaseIterable, Codable {
  /// By car.
  case automobile
  /// On foot.
  case walking
  /// By bicycle, pushed where riding is forbidden.
  case cycling
  /// By public transport, and on foot to and from stops.
  case transit

  /// The types that use only streets; each network is built for one of them.
  public static let allCases: [TransportType] = [.automobile, .walking, .cycling]
}
