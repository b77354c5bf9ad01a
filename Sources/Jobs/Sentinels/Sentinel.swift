import Geography
import Routing
import Settings
import StreetNetwork

/// A pair of places whose trip is known about: what it must take.
struct Sentinel: Sendable {
  var name: String
  var from: Coordinate
  var to: Coordinate
  /// When its trip starts; nil for when the job's do.
  var departure: Timestamp?
  var seconds: Allowed
  var metres: Allowed

  /// What a number may be.
  struct Allowed: Sendable, CustomStringConvertible {
    var least: Double?
    var most: Double?

    var isAny: Bool { least == nil && most == nil }
    func contains(_ number: Double) -> Bool { number >= least ?? -.infinity && number <= most ?? .infinity }

    /// "60 to 90", "at most 90".
    var description: String {
      func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
      switch (least, most) {
      case (let least?, let most?): return "\(text(least)) to \(text(most))"
      case (let least?, nil): return "at least \(text(least))"
      case (nil, let most?): return "at most \(text(most))"
      case (nil, nil): return "any"
      }
    }
  }
}
