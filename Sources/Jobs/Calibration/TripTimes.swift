import Hierarchy
import StreetNetwork

/// What a trip's way takes in free flow, by the class of its streets: what a slowness of each class multiplies.
struct TripTimes: Sendable {
  /// Seconds on the streets of each class, without turns; by `RoadClass`'s raw value.
  private(set) var streets = [Double](repeating: 0, count: TripTimes.classCount)
  /// Seconds of turns and crossings, by the class of the street behind them.
  private(set) var delays = [Double](repeating: 0, count: TripTimes.classCount)
  /// Seconds that are the same at all hours: ferries, and straight lines between places and streets.
  private(set) var fixed = 0.0
  /// Metres.
  private(set) var length = 0.0

  static let classCount = Int(RoadClass.other.rawValue) + 1

  /// Seconds in free flow.
  var freeFlow: Double { streets.reduce(fixed, +) + delays.reduce(0, +) }

  /// Adds a part of a street, and the turn before it: `weight` is both, `street` the street's part of it.
  mutating func add(_ weight: Weight, ofStreet street: UInt32, _ roadClass: RoadClass) {
    let milliseconds = weight.milliseconds
    length += Double(weight.centimetres) / 100
    guard roadClass != .other else { return fixed += Double(milliseconds) / 1000 }
    streets[Int(roadClass.rawValue)] += Double(street) / 1000
    delays[Int(roadClass.rawValue)] += Double(milliseconds - street) / 1000
  }

  /// Adds the straight line between a place and its street.
  mutating func add(leg: Weight) {
    fixed += Double(leg.milliseconds) / 1000
    length += Double(leg.centimetres) / 100
  }

  /// Seconds where each class has a slowness.
  func seconds(_ slowness: (RoadClass) -> Double) -> Double {
    var seconds = fixed
    for raw in 0..<TripTimes.classCount where streets[raw] + delays[raw] > 0 {
      seconds += slowness(RoadClass(rawValue: UInt8(raw))!) * (streets[raw] + delays[raw])
    }
    return seconds
  }
}
