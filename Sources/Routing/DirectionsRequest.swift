import Foundation

/// A question for directions: from where, to where, and when.
///
///     var request = DirectionsRequest(source: home, destination: station)
///     request.departureDate = .now
public struct DirectionsRequest: Hashable, Sendable {
  public var source: Place
  public var destination: Place
  /// How the trip is made. A network is built for one way of getting along: nil takes that one, another is refused.
  public var transportType: TransportType?
  /// When the trip starts. If this and `arrivalDate` are nil, answers carry no dates.
  public var departureDate: Date?
  /// When the trip is to end; ignored if `departureDate` is given.
  public var arrivalDate: Date?

  public init(source: Place, destination: Place) {
    self.source = source
    self.destination = destination
  }
}
