import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// A way from a source to a destination, with its steps.
///
/// The steps' distances, times and shapes add up to the route's, exactly.
public struct Route: Hashable, Sendable {
  /// The streets that make up most of it ("Mannerheimintie and Runeberginkatu").
  public var name: String
  /// Sentences about what one should know before setting out ("This route has steps.").
  public var advisoryNotices: [String]
  public var transportType: TransportType
  public var polyline: Polyline
  /// The first departs, the last arrives; never empty.
  public var steps: [RouteStep]
  public var hasTolls: Bool
  public var hasHighways: Bool
  public var expectedDepartureDate: Date?
  public var expectedArrivalDate: Date?
  /// Time and length as the engine counts them.
  package var weight: Weight

  /// Metres.
  public var distance: Double { weight.metres }
  /// Seconds.
  public var expectedTravelTime: Double { weight.seconds }
}

/// A part of a route between two things to do.
public struct RouteStep: Hashable, Sendable {
  /// What to do at its start ("Turn left onto Mannerheimintie").
  public var instructions: String
  /// What is special about it ("Ferry"), if anything.
  public var notice: String?
  public var maneuver: Maneuver
  /// The name of its street, or what an unnamed one looks like ("footway").
  public var street: String
  public var transportType: TransportType
  public var polyline: Polyline
  package var weight: Weight
  /// A number that steps of one router share if they read the same.
  package var phrase: Int

  /// Metres.
  public var distance: Double { weight.metres }
  /// Seconds.
  public var expectedTravelTime: Double { weight.seconds }
}

/// How long a trip takes, without the way itself: many times faster to compute than a `Route`.
public struct ETA: Hashable, Sendable {
  public var transportType: TransportType
  public var expectedDepartureDate: Date?
  public var expectedArrivalDate: Date?
  package var weight: Weight

  /// Metres.
  public var distance: Double { weight.metres }
  /// Seconds.
  public var expectedTravelTime: Double { weight.seconds }
}

extension Weight {
  package var metres: Double { Double(centimetres) / 100 }
  package var seconds: Double { Double(milliseconds) / 1000 }
}
