import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// A route from a source to a destination, with its steps.
///
/// The steps' distances, times and shapes add up exactly to the route's.
public struct Route: Hashable, Sendable, Codable {
  /// Its main streets ("Mannerheimintie and Runeberginkatu").
  public var name: String
  /// The name in tables and pages ("via Mannerheimintie and Runeberginkatu").
  package var title: String
  /// Notices before departure ("This route has steps.").
  public var advisoryNotices: [String]
  /// The transport type.
  public var transportType: TransportType
  /// Its shape.
  public var polyline: Polyline
  /// Its steps: the first departs, the last arrives; never empty.
  public var steps: [RouteStep]
  /// Whether it uses toll roads.
  public var hasTolls: Bool
  /// Whether it uses highways.
  public var hasHighways: Bool
  /// The departure date; nil if the request has no date.
  public var expectedDepartureDate: Date?
  /// The arrival date; nil if the request has no date.
  public var expectedArrivalDate: Date?
  /// The time and length in the engine's units.
  package var weight: Weight
  /// The milliseconds of waiting, and the weight of the best trip in free flow; nil if the request has no date.
  package var waiting: UInt32?
  package var freeFlow: Weight?
  /// The ascent and descent in centimetres; nil if the network has no elevations.
  package var climb: Climb?
  /// The elevation in centimetres of each point of the polyline, `Int32.min` if unknown; empty if the network was built
  /// without a DEM.
  package var heights: [Int32] = []
  /// The streets in the order of travel; the first and the last are partial.
  package var streets: [DirectedStreet] = []

  /// The distance in metres.
  public var distance: Double { weight.metres }
  /// The ascent in metres; nil if the network was built without a DEM.
  public var ascent: Double? { climb.map { Double($0.ascent) / 100 } }
  /// The descent in metres; nil if the network was built without a DEM.
  public var descent: Double? { climb.map { Double($0.descent) / 100 } }
  /// The travel time in seconds.
  public var expectedTravelTime: Double { weight.seconds }
  /// The waiting time in seconds, included in the expected travel time: at closed streets, and for ferries and trains;
  /// nil if the request has no date.
  public var waitingTime: Double? { waiting.map { Double($0) / 1000 } }
  /// The time of the best route in free flow, as without a date, in seconds; nil if the request has no date.
  public var staticTravelTime: Double? { freeFlow?.seconds }
}

/// A part of a route between two maneuvers.
public struct RouteStep: Hashable, Sendable, Codable {
  /// The instruction at its start ("Turn left onto Mannerheimintie").
  public var instructions: String
  /// A notice ("Ferry"), if any.
  public var notice: String?
  /// The maneuver at its start.
  public var maneuver: Maneuver
  /// The name of its street, or the description of an unnamed one ("footway").
  public var street: String
  /// The transport type.
  public var transportType: TransportType
  /// Its shape.
  public var polyline: Polyline
  package var weight: Weight
  /// The ascent and descent in centimetres; nil if the network has no elevations.
  package var climb: Climb?
  /// The index of its phrase: equal for steps of one router with the same text.
  package var phrase = 0

  // The phrase's index depends on the router's earlier routes, so it is neither stored nor compared.
  private enum CodingKeys: String, CodingKey {
    case instructions, notice, maneuver, street, transportType, polyline, weight, climb
  }

  /// Returns whether all public properties are equal.
  public static func == (a: RouteStep, b: RouteStep) -> Bool {
    a.instructions == b.instructions && a.notice == b.notice && a.maneuver == b.maneuver && a.street == b.street
      && a.transportType == b.transportType && a.polyline == b.polyline && a.weight == b.weight && a.climb == b.climb
  }

  /// Hashes the properties that distinguish most steps.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(instructions)
    hasher.combine(weight)
    hasher.combine(polyline)
  }

  /// The distance in metres.
  public var distance: Double { weight.metres }
  /// The ascent in metres; nil if the network was built without a DEM.
  public var ascent: Double? { climb.map { Double($0.ascent) / 100 } }
  /// The descent in metres; nil if the network was built without a DEM.
  public var descent: Double? { climb.map { Double($0.descent) / 100 } }
  /// The travel time in seconds.
  public var expectedTravelTime: Double { weight.seconds }
}

/// The travel time and distance of a trip, without its shape and steps: many times faster to compute than a `Route`.
public struct ETA: Hashable, Sendable, Codable {
  /// The transport type.
  public var transportType: TransportType
  /// The departure date; nil if the request has no date.
  public var expectedDepartureDate: Date?
  /// The arrival date; nil if the request has no date.
  public var expectedArrivalDate: Date?
  package var weight: Weight
  /// The milliseconds of waiting, and the weight of the best trip in free flow; nil if the request has no date.
  package var waiting: UInt32?
  package var freeFlow: Weight?

  /// The distance in metres.
  public var distance: Double { weight.metres }
  /// The travel time in seconds.
  public var expectedTravelTime: Double { weight.seconds }
  /// The waiting time in seconds, included in the expected travel time; nil if the request has no date.
  public var waitingTime: Double? { waiting.map { Double($0) / 1000 } }
  /// The time of the best trip in free flow, as without a date, in seconds; nil if the request has no date.
  public var staticTravelTime: Double? { freeFlow?.seconds }
}

extension Weight {
  package var metres: Double { Double(centimetres) / 100 }
  package var seconds: Double { Double(milliseconds) / 1000 }
}
