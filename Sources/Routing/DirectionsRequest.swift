import Foundation
import StreetNetwork

/// A request for directions: from where, to where, and when.
///
///     var request = DirectionsRequest(source: home, destination: station)
///     request.departureDate = .now
public struct DirectionsRequest: Hashable, Sendable {
  /// Where the trip starts.
  public var source: Place
  /// Where the trip ends.
  public var destination: Place
  /// How the trip is made. A network is built for one transport type: nil means that one, another is refused.
  public var transportType: TransportType?
  /// When the trip starts: what is open and how slow streets are counts when one comes there. If this and `arrivalDate` are nil,
  /// restrictions that hold at certain hours only do not count, and answers carry no dates.
  public var departureDate: Date?
  /// When the trip is to end; ignored if `departureDate` is given.
  public var arrivalDate: Date?
  /// The clock that signs along the route refer to; nil: the map's.
  public var timeZone: TimeZone?
  /// Whether to look for up to two alternatives to the best route.
  public var requestsAlternateRoutes = false
  /// Whether toll roads are used like any others.
  public var tollPreference = RoutePreference.any
  /// Whether highways are used like any other roads.
  public var highwayPreference = RoutePreference.any

  /// A request without dates or preferences.
  public init(source: Place, destination: Place) {
    self.source = source
    self.destination = destination
  }

  /// When the trip starts or ends, by the clocks there.
  func tripTime(on network: StreetNetwork) -> TripTime? {
    (departureDate ?? arrivalDate).map { date in
      TripTime(Timestamp(date, timeZone, on: network), isArrival: departureDate == nil)
    }
  }

  var avoids: Profile.Avoidance { Profile.Avoidance(tolls: tollPreference, highways: highwayPreference) }
}

/// Whether something is used like anything else, or only where a place cannot be reached otherwise.
public enum RoutePreference: String, Hashable, Sendable, CaseIterable {
  /// Like anything else.
  case any
  /// Only where a place cannot be reached otherwise.
  case avoid
}

extension Timestamp {
  /// A date by the clocks of a zone, or else of the map's.
  init(_ date: Date, _ timeZone: TimeZone?, on network: StreetNetwork) {
    let zone = timeZone ?? TimeZone(identifier: network.timeZone)
    self.init(date, secondsFromGMT: zone?.secondsFromGMT(for: date) ?? 0)
  }
}

extension Profile.Avoidance {
  package init(tolls: RoutePreference, highways: RoutePreference) {
    self = []
    if tolls == .avoid { insert(.tolls) }
    if highways == .avoid { insert(.highways) }
  }
}
