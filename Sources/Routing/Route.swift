import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// A route from a source to a destination, with its steps.
///
/// The steps' distances, times and shapes add up to the route's, exactly.
public struct Route: Hashable, Sendable, Codable {
  /// The streets that make up most of it ("Mannerheimintie and Runeberginkatu").
  public var name: String
  /// The name as tables and pages have it ("via Mannerheimintie and Runeberginkatu").
  package var title: String
  /// Sentences about what to know before setting out ("This route has steps.").
  public var advisoryNotices: [String]
  /// How it is travelled.
  public var transportType: TransportType
  /// Its shape.
  public var polyline: Polyline
  /// The first departs, the last arrives; never empty.
  public var steps: [RouteStep]
  /// Whether it uses toll roads.
  public var hasTolls: Bool
  /// Whether it uses highways.
  public var hasHighways: Bool
  /// When it starts; nil where the request has no date.
  public var expectedDepartureDate: Date?
  /// When it ends; nil where the request has no date.
  public var expectedArrivalDate: Date?
  /// Time and length as the engine counts them.
  package var weight: Weight
  /// Milliseconds of waiting, and the best trip in free flow; nil where the request has no date.
  package var waiting: UInt32?
  package var freeFlow: Weight?
  /// Centimetres; nil where the network does not know how high streets lie.
  package var climb: Climb?
  /// Centimetres above the sea of each point of the polyline, the least number where that is not known; empty where the
  /// network was built without heights of the ground.
  package var heights: [Int32] = []
  /// In the order of travel, the first and the last in part.
  package var streets: [DirectedStreet] = []

  /// Metres.
  public var distance: Double { weight.metres }
  /// Metres that it leads up; nil where the network was built without heights of the ground.
  public var ascent: Double? { climb.map { Double($0.ascent) / 100 } }
  /// Metres that it leads down; nil likewise.
  public var descent: Double? { climb.map { Double($0.descent) / 100 } }
  /// Seconds.
  public var expectedTravelTime: Double { weight.seconds }
  /// Seconds of the expected travel time that are spent waiting, where something is closed and for ferries and trains
  /// to leave; nil where the request has no date.
  public var waitingTime: Double? { waiting.map { Double($0) / 1000 } }
  /// Seconds that the best route takes in free flow, as where no date is given; nil where the request has none.
  public var staticTravelTime: Double? { freeFlow?.seconds }
}

/// A part of a route between two maneuvers.
public struct RouteStep: Hashable, Sendable, Codable {
  /// What to do at its start ("Turn left onto Mannerheimintie").
  public var instructions: String
  /// What is special about it ("Ferry"), if anything.
  public var notice: String?
  /// What to do at its start, as a value.
  public var maneuver: Maneuver
  /// The name of its street, or the description of an unnamed one ("footway").
  public var street: String
  /// How it is travelled.
  public var transportType: TransportType
  /// Its shape.
  public var polyline: Polyline
  package var weight: Weight
  /// Centimetres; nil where the network does not know how high streets lie.
  package var climb: Climb?
  /// Equal for steps of one router that read the same.
  package var phrase: Int

  /// Metres.
  public var distance: Double { weight.metres }
  /// Metres that it leads up; nil where the network was built without heights of the ground.
  public var ascent: Double? { climb.map { Double($0.ascent) / 100 } }
  /// Metres that it leads down; nil likewise.
  public var descent: Double? { climb.map { Double($0.descent) / 100 } }
  /// Seconds.
  public var expectedTravelTime: Double { weight.seconds }
}

/// How long a trip takes, without its shape and steps: many times faster to compute than a `Route`.
public struct ETA: Hashable, Sendable, Codable {
  /// How it is travelled.
  public var transportType: TransportType
  /// When it starts; nil where the request has no date.
  public var expectedDepartureDate: Date?
  /// When it ends; nil where the request has no date.
  public var expectedArrivalDate: Date?
  package var weight: Weight
  /// Milliseconds of waiting, and the best trip in free flow; nil where the request has no date.
  package var waiting: UInt32?
  package var freeFlow: Weight?

  /// Metres.
  public var distance: Double { weight.metres }
  /// Seconds.
  public var expectedTravelTime: Double { weight.seconds }
  /// Seconds of the expected travel time that are spent waiting; nil where the request has no date.
  public var waitingTime: Double? { waiting.map { Double($0) / 1000 } }
  /// Seconds that the best trip takes in free flow, as where no date is given; nil where the request has none.
  public var staticTravelTime: Double? { freeFlow?.seconds }
}

extension Weight {
  package var metres: Double { Double(centimetres) / 100 }
  package var seconds: Double { Double(milliseconds) / 1000 }
}
