import Foundation
import StreetNetwork

/// A question for directions: from where, to where, and when.
///
///     var request = DirectionsRequest(source: home, destination: station)
///     request.departureDate = .now
public struct DirectionsRequest: Hashable, Sendable {
  public var source: Place
  public var destination: Place
  /// How the trip is made. A network is built for one way of getting along: nil takes that one, another is refused.
  public var transportType: TransportType?
  /// When the trip starts: decides which turns and ferries are open. If this and `arrivalDate` are nil, what the map says
  /// for certain hours does not count, and answers carry no dates.
  public var departureDate: Date?
  /// When the trip is to end; ignored if `departureDate` is given.
  public var arrivalDate: Date?
  /// Whose clocks the signs along the way mean; nil: the zone that the source's longitude lies in, without summer time.
  public var timeZone: TimeZone?
  /// Whether to look for other good routes besides the best one.
  public var requestsAlternateRoutes = false
  public var tollPreference = RoutePreference.any
  public var highwayPreference = RoutePreference.any

  public init(source: Place, destination: Place) {
    self.source = source
    self.destination = destination
  }

  /// When to ask what is open.
  var timestamp: Timestamp? {
    (departureDate ?? arrivalDate).map { Timestamp($0, timeZone, at: source) }
  }

  var avoids: Profile.Avoidance { Profile.Avoidance(tolls: tollPreference, highways: highwayPreference) }
}

/// Whether something is used like anything else, or only where a place cannot be reached otherwise.
public enum RoutePreference: String, Hashable, Sendable, CaseIterable {
  case any
  case avoid
}

extension Timestamp {
  /// A date by the clocks of a zone, or else of the zone that a place's longitude lies in.
  init(_ date: Date, _ timeZone: TimeZone?, at place: Place?) {
    let solar = Int(((place?.coordinate.longitude ?? 0) / 15).rounded()) * 3600
    self.init(date, secondsFromGMT: timeZone?.secondsFromGMT(for: date) ?? solar)
  }
}

extension Profile.Avoidance {
  package init(tolls: RoutePreference, highways: RoutePreference) {
    self = []
    if tolls == .avoid { insert(.tolls) }
    if highways == .avoid { insert(.highways) }
  }
}
