import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// A trace matched to streets: what `Directions.match` answers.
public struct Match: Sendable, Codable {
  /// How well it went.
  public enum Status: String, Hashable, Sendable, CaseIterable, Codable {
    /// Matched.
    case ok
    /// Matched, but at a speed that nobody travels at, or all fixes have one time.
    case doubtful
    /// No two fixes lie on streets that are joined.
    case notMatched = "not_matched"
    /// Fewer than two places: nothing to match.
    case tooShort = "too_short"
  }

  /// How well it went.
  public var status: Status
  /// What is doubtful, or why nothing was matched: a sentence without an end; nil where all is well.
  public var statusReason: String?
  /// The standard deviation of fixes from where they were recorded, in metres: given, or estimated from the match.
  public var sigma: Double
  /// Each fix of the trace, in its order.
  public var fixes: [MatchedFix]
  /// The stretches without a break, in order; empty where nothing was matched.
  public var parts: [MatchedPart]
  /// Where the device stood still, in order.
  public var stops: [TraceStop]
  /// The straight length over places without streets, in metres.
  public var offRoadLength: Double
  /// The box around the fixes kept; nil where none was.
  public var pathBounds: BoundingBox?

  /// Metres along streets, of all parts.
  public var distance: Double { parts.reduce(0) { $0 + $1.distance } }
  /// Seconds that the profile expects for what was matched.
  public var expectedTravelTime: Double { parts.reduce(0) { $0 + $1.expectedTravelTime } }
  /// How often it turned around on a street.
  public var uTurnCount: Int { parts.reduce(0) { $0 + $1.pieces.count { $0.isUTurn } } }
}

/// A fix and what became of it.
public struct MatchedFix: Sendable, Codable {
  /// Why it was dropped or left out; nil for a fix that was matched.
  public var reason: FixReason?
  /// Whether the rules of the breadcrumb kept it.
  public var isKept: Bool
  /// Where on the streets it is; nil where it was not matched. A fix dropped for its distance has a place, too.
  public var place: MatchedPlace?
}

/// A point of a match.
public struct MatchedPlace: Sendable, Codable {
  /// The part's index in `Match.parts`.
  public var part: Int
  /// The point on the street.
  public var coordinate: Coordinate
  /// Metres from the fix to the point.
  public var snapDistance: Double
  /// Metres along the part, from its start.
  public var along: Double
  package var street: DirectedStreet
  /// Metres from where the street begins in its direction.
  package var offset: Double
}

/// A stretch of a match without a break.
public struct MatchedPart: Sendable, Codable {
  /// Why a part begins.
  public enum BeginReason: String, Hashable, Sendable, CaseIterable, Codable {
    /// The trace begins.
    case start
    /// Too long without a fix.
    case gap
    /// No way from what was matched before, or none so fast that anybody travels it.
    case unreachable
    /// The trace was off the streets before.
    case offRoad = "off_road"
  }

  /// Why it begins.
  public var beginReason: BeginReason
  /// The fixes at its ends, as indices into `Match.fixes`.
  public var firstFix: Int
  /// See `firstFix`.
  public var lastFix: Int
  /// When it begins and ends; nil where the fixes have no times.
  public var startDate: Date?
  /// See `startDate`.
  public var endDate: Date?
  /// The streets that make up most of it.
  public var name: String
  /// Its shape.
  public var polyline: Polyline
  /// The streets passed, in order; contiguous but for U-turns, which leave a street where they came.
  package var pieces: [MatchedPiece]
  /// The fastest trip between its ends; nil where there is none.
  package var fastest: Weight?
  /// The greatest mean speed over three observations, in metres per second; nil where the fixes have no times.
  package var maximumSpeed: Double?
  /// What the best path costs, in 2^-24 nats: the least of all that the model allows.
  package var score: UInt64

  /// Metres.
  public var distance: Double { Double(pieces.reduce(0) { $0 + Int($1.weight.centimetres) }) / 100 }
  /// Seconds that the profile expects.
  public var expectedTravelTime: Double { Double(pieces.reduce(0) { $0 + Int($1.weight.milliseconds) }) / 1000 }
  /// Seconds between its ends; nil where the fixes have no times.
  public var observedTime: Double? {
    guard let startDate, let endDate else { return nil }
    return endDate.timeIntervalSince(startDate)
  }
}

/// A street that was passed, or a part of one.
package struct MatchedPiece: Sendable, Codable {
  package var street: DirectedStreet
  /// Centimetres from where the street begins in its direction.
  package var from: Int
  package var to: Int
  /// Of the turn into the street and of the piece.
  package var weight: Weight
  /// Whether the trace turned around to enter it.
  package var isUTurn: Bool
  /// Seconds since 1970: when it is entered and left; nil where the fixes have no times.
  package var entered: Double?
  package var left: Double?
  /// Seconds moving along it: without stops; nil where the fixes have no times.
  package var observedTime: Double?
}

/// Where a device stood still.
public struct TraceStop: Sendable, Codable {
  /// When it arrived, and when it left.
  public var arrivalDate: Date
  /// See `arrivalDate`.
  public var departureDate: Date
  /// The median of its fixes.
  public var coordinate: Coordinate
  /// The first and the last of its fixes, as indices into the trace's.
  public var firstFix: Int
  /// See `firstFix`.
  public var lastFix: Int
  /// Where on the streets it is; nil where it was not matched.
  public var place: MatchedPlace?

  /// Seconds.
  public var duration: Double { departureDate.timeIntervalSince(arrivalDate) }
}
