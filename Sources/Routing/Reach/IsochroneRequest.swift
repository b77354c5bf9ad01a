import Foundation
import Geography

/// A request for the areas within some times of a place.
///
///     var request = IsochroneRequest(place: station, travelTimes: [300, 600])
///     request.direction = .toPlace
public struct IsochroneRequest: Hashable, Sendable {
  /// Which way trips lead.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
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
  /// Decides which turns and streets are open, all as at this moment; speeds by the hour do not count.
  public var departureDate: Date?
  /// The clock that `departureDate` refers to; nil: the map's.
  public var timeZone: TimeZone?

  /// A request without a date.
  public init(place: Place, travelTimes: [Double]) {
    self.place = place
    self.travelTimes = travelTimes
  }
}

/// The area within a time of a place.
public struct Isochrone: Sendable {
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
