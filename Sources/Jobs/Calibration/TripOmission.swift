/// Why an observed trip says nothing of how slow streets are.
enum TripOmission: Int, CaseIterable, Sendable {
  case short, long, offStreets, unreachable, standing, detour, shortcut, outsideBands

  var reason: String {
    switch self {
    case .short: "shorter than 90 s"
    case .long: "longer than 1 h"
    case .offStreets: "an end more than 150 m from the streets"
    case .unreachable: "no route"
    case .standing: "a fastest way of less than 10 s"
    case .detour: "longer than 1.5 times the fastest way and 300 m"
    case .shortcut: "shorter than 0.7 times the fastest way"
    case .outsideBands: "outside the hours of --bands"
    }
  }

  /// Metres.
  static let snapLimit = 150.0

  /// Of what the table says alone.
  init?(_ trip: ObservedTrip) {
    switch trip.duration {
    case ..<90: self = .short
    case ...3600: return nil
    default: self = .long
    }
  }

  /// Of the fastest way between its ends.
  init?(_ trip: ObservedTrip, _ way: TripTimes) {
    guard way.freeFlow >= 10 else {
      self = .standing
      return
    }
    switch trip.length {
    case let length? where length > 1.5 * way.length + 300: self = .detour
    case let length? where length < 0.7 * way.length: self = .shortcut
    default: return nil
    }
  }
}
