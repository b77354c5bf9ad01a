import Foundation
import Geography
import StreetNetwork

/// A request for the areas within given travel times of a place.
///
///     var request = IsochroneRequest(place: station, travelTimes: [300, 600])
///     request.direction = .toPlace
public struct IsochroneRequest: Hashable, Sendable, Codable {
  /// The direction of trips.
  public enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
    /// From the place.
    case fromPlace
    /// To the place.
    case toPlace
  }

  /// The place around which areas are computed.
  public var place: Place
  /// The maximum travel time of each area, in seconds.
  public var travelTimes: [Double]
  /// The direction of trips.
  public var direction = Direction.fromPlace
  /// The buffer radius around the reached streets, in metres.
  public var buffer: Double = 30
  /// The transport type, as in a `DirectionsRequest`; nil for the first of several networks.
  public var transportType: TransportType?
  /// The departure date. Turns and streets are open or closed as of this instant; with observed speeds, trips from the
  /// place start at this time, as in jobs.
  public var departureDate: Date?
  /// Like `departureDate`, for trips that end at this instant; ignored if `departureDate` is given. With observed
  /// speeds, trips to the place end at this time.
  public var arrivalDate: Date?
  /// The time zone of dates; nil for the map's.
  public var timeZone: TimeZone?
  /// The preference for toll roads.
  public var tollPreference = RoutePreference.any
  /// The preference for highways.
  public var highwayPreference = RoutePreference.any

  /// A request without a date.
  public init(place: Place, travelTimes: [Double]) {
    self.place = place
    self.travelTimes = travelTimes
  }

  func avoidances(on network: StreetNetwork) -> Profile.Avoidance {
    network.profile.avoids.union(Profile.Avoidance(tolls: tollPreference, highways: highwayPreference))
  }
}

/// The area within a travel time of a place.
public struct Isochrone: Hashable, Sendable, Codable {
  /// The maximum travel time, in seconds.
  public var travelTime: Double
  /// Polygons with an outer ring (counterclockwise) and holes (clockwise); rings are closed. Empty if the place is
  /// farther from its street than the time allows.
  public var polygons: [[[Coordinate]]]
  /// The area in square metres.
  public var area: Double
  /// The total length of the streets reached, in metres.
  public var streetLength: Double
}
