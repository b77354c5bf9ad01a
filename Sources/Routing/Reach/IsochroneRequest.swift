import Foundation
import Geography
import StreetNetwork

/// A request for the areas within some times of a place.
///
///     var request = IsochroneRequest(place: station, travelTimes: [300, 600])
///     request.direction = .toPlace
public struct IsochroneRequest: Hashable, Sendable, Codable {
  /// Which way trips lead.
  public enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
    /// From the place.
    case fromPlace
    /// To the place.
    case toPlace
  }

  /// In the middle.
  public var place: Place
  /// The longest trips of each area, in seconds.
  public var travelTimes: [Double]
  /// Which way trips lead.
  public var direction = Direction.fromPlace
  /// How far an area reaches beyond its streets, in metres.
  public var buffer: Double = 30
  /// How trips are made, as in a `DirectionsRequest`; of several networks the first, if nil.
  public var transportType: TransportType?
  /// Decides which turns and streets are open, all as at this moment; speeds by the hour do not count.
  public var departureDate: Date?
  /// The same for trips that are to end at this moment; ignored if `departureDate` is given.
  public var arrivalDate: Date?
  /// The clock that dates refer to; nil: the map's.
  public var timeZone: TimeZone?
  /// Whether toll roads are used like any others.
  public var tollPreference = RoutePreference.any
  /// Whether highways are used like any other roads.
  public var highwayPreference = RoutePreference.any

  /// A request without a date.
  public init(place: Place, travelTimes: [Double]) {
    self.place = place
    self.travelTimes = travelTimes
  }

  var date: Date? { departureDate ?? arrivalDate }

  func avoids(on network: StreetNetwork) -> Profile.Avoidance {
    network.profile.avoids.union(Profile.Avoidance(tolls: tollPreference, highways: highwayPreference))
  }
}

/// The area within a time of a place.
public struct Isochrone: Sendable, Codable {
  /// The longest trips, in seconds.
  public var travelTime: Double
  /// Each polygon an outer ring, counterclockwise, and its holes, clockwise; rings are closed. Empty where the place is
  /// farther from its street than the time allows.
  public var polygons: [[[Coordinate]]]
  /// Square metres.
  public var area: Double
  /// Metres of the streets within the time.
  public var streetLength: Double
}
