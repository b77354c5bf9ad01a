import Foundation
import Geography
import Hierarchy
import Settings
import StreetNetwork

/// A trace matched to streets: the result of `Directions.match`.
public struct Match: Hashable, Sendable, Codable {
  /// The outcome of matching a trace.
  public enum Status: String, Hashable, Sendable, CaseIterable, Codable {
    /// Matched.
    case ok
    /// Matched, but implausible: the speed is too high, all fixes have the same time, or the streets of a part are more
    /// than twice as long as the lines between its fixes but took less than half the expected time.
    case doubtful
    /// No two fixes are on connected streets.
    case notMatched = "not_matched"
    /// Fewer than two positions: nothing to match.
    case tooShort = "too_short"
  }

  /// The outcome.
  public var status: Status
  /// The reason for an outcome other than `ok`, as a sentence without a full stop; nil for `ok`.
  public var statusReason: String?
  /// The standard deviation of the fixes in metres: given, or estimated from the match.
  public var sigma: Double
  /// The outcome of each fix, in order.
  public var fixes: [MatchedFix]
  /// The continuous parts, in order; empty if nothing was matched.
  public var parts: [MatchedPart]
  /// The stops, in order.
  public var stops: [TraceStop]
  /// The straight-line length off the streets, in metres.
  public var offRoadLength: Double
  /// The bounding box of the matched fixes, or of all kept ones if none is matched; nil if there are none.
  public var pathBounds: BoundingBox?

  /// The distance along streets over all parts, in metres.
  public var distance: Double { parts.reduce(0) { $0 + $1.distance } }
  /// The expected travel time on the matched streets, in seconds.
  public var expectedTravelTime: Double { parts.reduce(0) { $0 + $1.expectedTravelTime } }
  /// The number of U-turns on streets.
  public var uTurnCount: Int { parts.reduce(0) { $0 + $1.pieces.count { $0.isUTurn } } }
}

/// A fix and its outcome.
public struct MatchedFix: Hashable, Sendable, Codable {
  /// The reason why it was dropped or left out; nil for a matched fix.
  public var reason: FixReason?
  /// Whether the cleaning rules kept it.
  public var isKept: Bool
  /// Its position on the streets; nil if not matched. A fix dropped for its distance has a position, too.
  public var place: MatchedPlace?
}

/// A point of a match.
public struct MatchedPlace: Hashable, Sendable, Codable {
  /// The part's index in `Match.parts`.
  public var part: Int
  /// The point on the street.
  public var coordinate: Coordinate
  /// The distance from the fix to the point, in metres.
  public var snapDistance: Double
  /// The distance along the part from its start, in metres.
  public var along: Double
  package var street: DirectedStreet
  /// The distance from the street's start in its direction, in metres.
  package var offset: Double
}

/// A continuous part of a match.
public struct MatchedPart: Hashable, Sendable, Codable {
  /// The reason why a part begins.
  public enum BeginReason: String, Hashable, Sendable, CaseIterable, Codable {
    /// The trace begins.
    case start
    /// The gap between fixes is too long.
    case gap
    /// No route from the previous part, or only an implausibly fast one.
    case unreachable
    /// The trace was off the streets before.
    case offRoad = "off_road"
  }

  /// The reason why it begins.
  public var beginReason: BeginReason
  /// The fixes at its ends, as indices into `Match.fixes`.
  public var firstFix: Int
  /// See `firstFix`.
  public var lastFix: Int
  /// The dates of its start and end; nil if the fix there has no time.
  public var startDate: Date?
  /// See `startDate`.
  public var endDate: Date?
  /// Its main streets.
  public var name: String
  /// Its shape.
  public var polyline: Polyline
  /// The streets passed, in order; contiguous except for U-turns within a street.
  package var pieces: [MatchedPiece]
  /// The weight of the fastest trip between its ends; nil if there is none.
  package var fastest: Weight?
  /// The maximum mean speed over three observations, in metres per second; nil if the fixes have no times.
  package var maximumSpeed: Double?
  /// The cost of the best path, in 2^-24 nats: the minimum of the model.
  package var score: UInt64

  /// The distance in metres.
  public var distance: Double { Double(pieces.reduce(0) { $0 + Int($1.weight.centimetres) }) / 100 }
  /// The expected travel time in seconds.
  public var expectedTravelTime: Double { Double(pieces.reduce(0) { $0 + Int($1.weight.milliseconds) }) / 1000 }
  /// The seconds between its ends; nil if one has no time.
  public var observedTime: Double? {
    guard let startDate, let endDate else { return nil }
    return endDate.timeIntervalSince(startDate)
  }
}

/// A street or a part of one that was passed.
package struct MatchedPiece: Hashable, Sendable, Codable {
  package var street: DirectedStreet
  /// Centimetres from the street's start in its direction.
  package var from: Int
  package var to: Int
  /// The length of the piece, and the time of the turn into the street and of the piece.
  package var weight: Weight
  /// Whether the trace turned around to enter it.
  package var isUTurn: Bool
  /// The times of entry and exit in seconds since 1970; nil if unknown.
  package var entered: Double?
  package var left: Double?
  /// The moving time in seconds, without stops; nil if unknown.
  package var observedTime: Double?
  /// Whether the trace moved on it within the radius of a stop: these metres take no moving time. Nil in matches of
  /// earlier versions.
  package var includesStop: Bool? = false
}

/// A stop of the device.
public struct TraceStop: Hashable, Sendable, Codable {
  /// The dates of arrival and departure.
  public var arrivalDate: Date
  /// See `arrivalDate`.
  public var departureDate: Date
  /// The median position of its fixes.
  public var coordinate: Coordinate
  /// The first and the last of its fixes, as indices into the trace's fixes.
  public var firstFix: Int
  /// See `firstFix`.
  public var lastFix: Int
  /// Its position on the streets; nil if not matched.
  public var place: MatchedPlace?

  /// The duration in seconds.
  public var duration: Double { departureDate.timeIntervalSince(arrivalDate) }
}

/// Options for cleaning and matching a trace.
public struct MatchOptions: Hashable, Sendable {
  /// The cleaning rules.
  public var breadcrumb = BreadcrumbRules()
  /// The standard deviation of all fixes in metres; nil for each fix's own `horizontalAccuracy`, or an estimate if it
  /// has none.
  public var accuracy: Double?
  /// The maximum gap between fixes within a part, in seconds; a longer gap is accepted if the route takes at least a
  /// third of the gap.
  public var maximumGap = 300.0
  /// The minimum duration of a stop in seconds.
  public var stopTime = 60.0
  /// The radius of a stop in metres; at least three standard deviations.
  public var stopRadius = 25.0
  /// Whether to compute the fastest trip between the ends of each part.
  public var comparesWithFastest = true
  /// The defaults.
  public init() {}
}

extension MatchOptions {
  package static let accuracyType = SettingType.number(of: "metres", atLeast: 1, atMost: 1000)
  package static let maximumGapType = SettingType.number(of: "seconds", over: 0, atMost: 1e9)
  package static let stopTimeType = SettingType.number(of: "seconds", over: 0, atMost: 1e9)
  package static let stopRadiusType = SettingType.number(of: "metres", over: 0, atMost: 10_000)

  /// *Throws*: `DirectionsError.invalidValue`.
  func check() throws(DirectionsError) {
    try breadcrumb.check()
    if let accuracy { try MatchOptions.accuracyType.check(accuracy, "accuracy") }
    try MatchOptions.maximumGapType.check(maximumGap, "maximumGap")
    try MatchOptions.stopTimeType.check(stopTime, "stopTime")
    try MatchOptions.stopRadiusType.check(stopRadius, "stopRadius")
  }
}

extension BreadcrumbRules {
  package static let maximumAgeType = SettingType.number(of: "seconds", over: 0, atMost: 1e9)
  package static let unfilteredFirstType = SettingType.wholeNumber(of: "fixes", 0...1_000_000)
  package static let minimumDistanceType = SettingType.number(of: "metres", atLeast: 0, atMost: 100_000)
  package static let maximumSpeedType = SettingType.number(of: "metres per second", over: 0, atMost: 1000)

  /// *Throws*: `DirectionsError.invalidValue`.
  fileprivate func check() throws(DirectionsError) {
    try BreadcrumbRules.maximumAgeType.check(maximumAge, "maximumAge")
    try BreadcrumbRules.unfilteredFirstType.check(Double(unfilteredFirst), "unfilteredFirst")
    try BreadcrumbRules.minimumDistanceType.check(minimumDistance, "minimumDistance")
    if let maximumSpeed { try BreadcrumbRules.maximumSpeedType.check(maximumSpeed, "maximumSpeed") }
  }
}
