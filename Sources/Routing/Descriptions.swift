import Foundation
import Geography
import StreetNetwork

/// The formatting of values for people to read.
package enum MeasureText {
  /// Returns a number with at most the given number of decimals, independent of the locale.
  package static func decimal(_ value: Double, _ places: Int) -> String {
    var text = TextBuffer()
    text.append(value, places: places)
    return text.string()
  }

  package static func metres(_ value: Double) -> String {
    value < 9_999.5 ? "\(Int(value.rounded())) m" : "\(decimal(value / 1000, 1)) km"
  }

  package static func duration(_ seconds: Double) -> String {
    guard abs(seconds) < 1e12 else { return "\(seconds) s" }
    let whole = Int(seconds.rounded())
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min \(whole % 60) s"
    default: return "\(whole / 3600) h \(whole / 60 % 60) min"
    }
  }

  /// ", walking, departing 2026-11-23T08:30:00Z".
  static func terms(_ type: TransportType?, _ departure: Date?, _ arrival: Date?) -> String {
    let verb = departure == nil ? "arriving" : "departing"
    let date = (departure ?? arrival).map { ", \(verb) \($0.formatted(.iso8601))" } ?? ""
    return "\(type.map { ", \($0.rawValue)" } ?? "")\(date)"
  }

  static func trip(_ seconds: Double, _ metres: Double) -> String {
    "\(MeasureText.metres(metres)), \(duration(seconds))"
  }
}

extension Optional where Wrapped == TransportType {
  /// Any transport type: the fastest of several networks is used.
  public static var any: TransportType? { nil }
}

// One-line descriptions, for logs and lists.

extension Place: CustomStringConvertible, Identifiable {
  /// "Central Station", or its latitude and longitude.
  public var description: String {
    name?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? coordinate.decimals
  }
  /// The place itself.
  public var id: Place { self }
}

extension DirectionsRequest: CustomStringConvertible, Identifiable {
  /// "home to station, walking".
  public var description: String {
    "\(source) to \(destination)\(MeasureText.terms(transportType, departureDate, arrivalDate))"
  }
  /// The request itself.
  public var id: DirectionsRequest { self }
}

extension Route: CustomStringConvertible, Identifiable {
  /// "Yrjönkatu and Eerikinkatu: 950 m, 11 min 20 s".
  public var description: String { "\(name): \(MeasureText.trip(expectedTravelTime, distance))" }
  /// The route itself.
  public var id: Route { self }
}

extension RouteStep: CustomStringConvertible, Identifiable {
  /// "Turn left onto Yrjönkatu: 136 m, 1 min 38 s".
  public var description: String { "\(instructions): \(MeasureText.trip(expectedTravelTime, distance))" }
  /// The step itself.
  public var id: RouteStep { self }
}

extension ETA: CustomStringConvertible, Identifiable {
  /// "950 m, 11 min 20 s".
  public var description: String { MeasureText.trip(expectedTravelTime, distance) }
  /// The ETA itself.
  public var id: ETA { self }
}

extension Fix: CustomStringConvertible, Identifiable {
  /// "41.148,-8.611 at 2026-11-23T08:30:00Z".
  public var description: String {
    "\(coordinate.decimals)\(timestamp.map { " at \($0.formatted(.iso8601))" } ?? "")"
  }
  /// The fix itself.
  public var id: Fix { self }
}

extension MatrixRequest: CustomStringConvertible, Identifiable {
  /// "3 sources to 400 destinations, walking".
  public var description: String {
    "\(sources.count.counted("source")) to \(destinations.count.counted("destination"))"
      + MeasureText.terms(transportType, departureDate, arrivalDate)
  }
  /// The request itself.
  public var id: MatrixRequest { self }
}

extension NearestRequest: CustomStringConvertible, Identifiable {
  /// "3 sources to the nearest 2 of 400 destinations, walking".
  public var description: String {
    "\(sources.count.counted("source")) to the nearest \(count) of \(destinations.count.counted("destination"))"
      + MeasureText.terms(transportType, departureDate, arrivalDate)
  }
  /// The request itself.
  public var id: NearestRequest { self }
}

extension TransitMatrixRequest: CustomStringConvertible, Identifiable {
  /// "3 sources to 400 destinations at 60 departures".
  public var description: String {
    let times =
      departureDates.isEmpty ? arrivalDates.count.counted("arrival") : departureDates.count.counted("departure")
    return "\(sources.count.counted("source")) to \(destinations.count.counted("destination")) at \(times)"
  }
  /// The request itself.
  public var id: TransitMatrixRequest { self }
}

extension IsochroneRequest: CustomStringConvertible, Identifiable {
  /// "from Central Station within 5 min 0 s, 10 min 0 s, walking".
  public var description: String {
    let times = travelTimes.prefix(3).map(MeasureText.duration) + (travelTimes.count > 3 ? ["…"] : [])
    return "\(direction == .fromPlace ? "from" : "to") \(place)"
      + (times.isEmpty ? "" : " within \(times.joined(separator: ", "))")
      + MeasureText.terms(transportType, departureDate, arrivalDate)
  }
  /// The request itself.
  public var id: IsochroneRequest { self }
}

extension Isochrone: CustomStringConvertible, Identifiable {
  /// "within 5 min 0 s: 0.21 km²".
  public var description: String {
    "within \(MeasureText.duration(travelTime)): \(MeasureText.decimal(area / 1e6, 2)) km²"
  }
  /// The isochrone itself.
  public var id: Isochrone { self }
}

extension NearestPlace: CustomStringConvertible, Identifiable {
  /// "destination 3: 950 m, 11 min 20 s".
  public var description: String { "destination \(destination): \(MeasureText.trip(expectedTravelTime, distance))" }
  /// The destination's index, which is unique among the nearest places of an origin.
  public var id: Int { destination }
}

extension ETAMatrix: CustomStringConvertible {
  /// "3 × 400 trips".
  public var description: String { "\(rows) × \(columns) trips" }
}

extension Match: CustomStringConvertible, Identifiable {
  /// The match itself.
  public var id: Match { self }
  /// "ok: 1020 m, 12 min 6 s in 2 parts".
  public var description: String {
    "\(status.rawValue): \(MeasureText.trip(expectedTravelTime, distance)) in \(parts.count.counted("part"))"
  }
}
