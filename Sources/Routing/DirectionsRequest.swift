import Foundation
import Geography
import StreetNetwork

/// A request for directions: source, destination and time.
///
///     var request = DirectionsRequest(source: home, destination: station)
///     request.departureDate = .now
public struct DirectionsRequest: Hashable, Sendable, Codable {
  /// The start of the trip.
  public var source: Place
  /// The end of the trip.
  public var destination: Place
  /// The transport type, which selects one of the networks; `.any` uses all of them. A type without a network is
  /// rejected. A request by `.transit` without dates departs now.
  public var transportType: TransportType?
  /// The departure date. Closures and speeds apply at the time when each street is reached. If this and `arrivalDate`
  /// are nil, conditional restrictions are ignored, and results have no dates.
  public var departureDate: Date?
  /// The arrival date; ignored if `departureDate` is given.
  public var arrivalDate: Date?
  /// The local time zone along the route; nil for the map's.
  public var timeZone: TimeZone?
  /// Whether to find up to two alternates to the best route.
  public var requestsAlternateRoutes = false
  /// Whether toll roads are used like other roads.
  public var tollPreference = RoutePreference.any
  /// Whether highways are used like other roads.
  public var highwayPreference = RoutePreference.any

  /// A request without dates or preferences.
  public init(source: Place, destination: Place) {
    self.source = source
    self.destination = destination
  }

  /// Returns the departure or arrival in the local time zone. *Throws*: `DirectionsError.invalidValue`.
  func tripTime(on network: StreetNetwork) throws -> TripTime? {
    try TripTime(departure: departureDate, arrival: arrivalDate, timeZone, on: network)
  }

  var avoids: Profile.Avoidance { Profile.Avoidance(tolls: tollPreference, highways: highwayPreference) }
}

/// Whether a kind of road is used like other roads, or only to reach places that cannot be reached otherwise.
public enum RoutePreference: String, Hashable, Sendable, CaseIterable, Codable {
  /// Like other roads.
  case any
  /// Only to reach places that cannot be reached otherwise.
  case avoid
}

extension Timestamp {
  /// A date in a time zone, by default the map's.
  init(_ date: Date, _ timeZone: TimeZone?, on network: StreetNetwork) {
    let zone = timeZone ?? TimeZone(identifier: network.timeZone)
    self.init(date, secondsFromGMT: zone?.secondsFromGMT(for: date) ?? 0)
  }
}

extension TripTime {
  /// The departure of a request, or else its arrival, in a time zone (by default the map's); nil if both are nil.
  ///
  /// - Throws: `DirectionsError.invalidValue`.
  init?(departure: Date?, arrival: Date?, _ timeZone: TimeZone?, on network: StreetNetwork) throws {
    guard let date = departure ?? arrival else { return nil }
    try date.check()
    self.init(Timestamp(date, timeZone, on: network), isArrival: departure == nil)
  }
}

extension Date {
  /// Checks that the instant is plausible for a trip. *Throws*: `DirectionsError.invalidValue`.
  package func check() throws {
    guard abs(timeIntervalSince1970) < 1e11 else {
      throw DirectionsError.invalidValue(
        "the date is \(timeIntervalSince1970) s from 1970, expected a plausible date for a trip")
    }
  }
}

extension Profile.Avoidance {
  package init(tolls: RoutePreference, highways: RoutePreference) {
    self = []
    if tolls == .avoid { insert(.tolls) }
    if highways == .avoid { insert(.highways) }
  }
}

/// Conversion from and to Maps links.
///
///     maps://?saddr=41.15,-8.61&daddr=41.16,-8.63&dirflg=d
///     https://maps.apple.com/directions?source=41.15,-8.61&destination=41.16,-8.63&mode=walking&avoid=tolls
extension DirectionsRequest {
  /// Returns whether a link asks for directions, even if its ends are not coordinates.
  public static func isDirectionsRequest(_ url: URL) -> Bool {
    guard isMaps(url) else { return false }
    let items = LinkItems(url)
    return !items["daddr", "destination", "saddr", "source"].isEmpty
  }

  /// The request described by a link without waypoints.
  ///
  ///     let request = try DirectionsRequest(url: url, currentLocation: Place(latitude: 41.15, longitude: -8.61))
  ///
  /// - Parameter currentLocation: The place to use for a missing source and for "Current Location".
  /// - Throws: `OdometerError` if the link does not ask for directions, has waypoints, has an address instead of
  ///   coordinates, or asks for something that requests do not support.
  public init(url: URL, currentLocation: Place? = nil) throws(OdometerError) {
    let stops = try DirectionsRequest.legs(url: url, currentLocation: currentLocation)
    guard stops.count == 1 else {
      throw .usage(
        "the link has \((stops.count - 1).counted("waypoint")), expected none: "
          + "legs(url:) returns a request for each leg")
    }
    self = stops[0]
  }

  /// Returns the requests of a link that may have waypoints: from the source to the first waypoint, to the next one,
  /// and so on to the destination.
  ///
  ///     https://maps.apple.com/directions?source=41.15,-8.61&waypoint=41.155,-8.62&destination=41.16,-8.63&avoid=tolls
  ///
  /// - Parameter currentLocation: The place to use for a missing source and for "Current Location".
  /// - Throws: `OdometerError` if the link does not ask for directions, has an address instead of coordinates, or asks
  ///   for something that requests do not support.
  public static func legs(url: URL, currentLocation: Place? = nil) throws(OdometerError) -> [DirectionsRequest] {
    guard isMaps(url) else { throw .usage("not a link to Maps, expected maps:// or https://maps.apple.com") }
    let items = LinkItems(url)
    if let other = items.other(than: known) { throw unsupported(other.name, other.value) }
    let stops = try places(of: items, currentLocation)
    let mode = try items.single("dirflg", "directionsmode", "mode")
    let type = try mode.map { mode throws(OdometerError) in
      guard let type = types[mode.lowercased()] else { throw unsupported(mode: mode) }
      return type
    }
    let avoids = try items["avoid"].flatMap { $0.split { ",| ".contains($0) } }.map { word throws(OdometerError) in
      guard ["tolls", "highways"].contains(word.lowercased()) else {
        throw .usage("the link avoids \(word), expected tolls or highways")
      }
      return word.lowercased()
    }
    return zip(stops, stops.dropFirst()).map { source, destination in
      var request = DirectionsRequest(source: source, destination: destination)
      request.transportType = type
      if avoids.contains("tolls") { request.tollPreference = .avoid }
      if avoids.contains("highways") { request.highwayPreference = .avoid }
      return request
    }
  }

  /// The names of the supported items of a link.
  private static let known: Set<String> = [
    "saddr", "source", "daddr", "destination", "waypoint", "dirflg", "directionsmode", "mode", "avoid",
  ]

  /// Returns the places from the source via all waypoints to the destination. Older links have one `daddr` per stop, or
  /// several stops after "to:".
  private static func places(of items: LinkItems, _ here: Place?) throws(OdometerError) -> [Place] {
    let start = try items.single("saddr", "source") ?? ""
    let source = try place(start.isEmpty ? currentLocation : start, "source", here)
    let destination = try items.single("destination")
    let older = items["daddr"].flatMap { $0.components(separatedBy: " to:") }
    if let destination, older != [destination], !older.isEmpty {
      throw .usage("the link has both daddr=\(older[0]) and destination=\(destination)")
    }
    guard older.count < 2 || items["waypoint"].isEmpty else {
      throw .usage("the link has both waypoints and \(older.count) stops in daddr, expected one of them")
    }
    guard !items["waypoint"].contains(where: \.isEmpty) else {
      throw .usage("the link has an empty waypoint, expected latitude,longitude")
    }
    let stops = items["waypoint"] + (destination.map { [$0] } ?? older)
    guard let last = stops.last, !(destination == nil && older.isEmpty) else {
      throw .usage("the link has no destination, expected destination=latitude,longitude")
    }
    return try [source]
      + stops.dropLast().map { text throws(OdometerError) in try place(text, "waypoint", here) }
      + [place(last, "destination", here)]
  }

  /// Returns the error for a link with an unsupported item.
  private static func unsupported(_ name: String, _ value: String) -> OdometerError {
    if name.hasSuffix("place-id") {
      return .usage("the link has \(name)=\(value), a place that only Maps knows; expected latitude,longitude")
    }
    if ["time", "date", "arriv", "depart", "ttype"].contains(where: name.contains) {
      return .usage(
        "the link asks for a time (\(name)=\(value)); give it as departureDate or arrivalDate, as --depart or "
          + "--arrive, or as departure_time of a row")
    }
    if name.hasPrefix("transit") || ["sort", "noexp"].contains(name) {
      return .usage("the link has \(name)=\(value), an option of public transport that Odometer does not support")
    }
    return .usage(
      "the link has \(name)=\(value), which may change the route; expected source, destination, waypoint, mode and avoid"
    )
  }

  private static func unsupported(mode: String) -> OdometerError {
    .usage("the link asks for \"\(mode)\", expected d, w, b, r, driving, walking, cycling or transit")
  }

  /// The Maps link of this request.
  public var url: URL {
    let (from, to) = (source.coordinate.decimals, destination.coordinate.decimals)
    let type = transportType
    let avoided = [(tollPreference, "tolls"), (highwayPreference, "highways")].filter { $0.0 == .avoid }.map(\.1)
    guard avoided.isEmpty else {
      let mode = type.map { "&mode=\($0 == .automobile ? "driving" : $0.rawValue)" } ?? ""
      return URL(
        string: "https://maps.apple.com/directions?source=\(from)&destination=\(to)\(mode)"
          + "&avoid=\(avoided.joined(separator: ","))")!
    }
    let flag = type.map { type in
      switch type {
      case .automobile: "&dirflg=d"
      case .walking: "&dirflg=w"
      case .cycling: "&dirflg=b"
      case .transit: "&dirflg=r"
      }
    }
    return URL(string: "https://maps.apple.com/?saddr=\(from)&daddr=\(to)\(flag ?? "")")!
  }

  private static let types: [String: TransportType] = [
    "d": .automobile, "driving": .automobile, "automobile": .automobile, "car": .automobile, "w": .walking,
    "walking": .walking, "b": .cycling, "cycling": .cycling, "bicycling": .cycling, "bicycle": .cycling, "c": .cycling,
    "r": .transit, "transit": .transit,
  ]

  private static func isMaps(_ url: URL) -> Bool {
    switch url.scheme?.lowercased() {
    case "maps": true
    case "http", "https": url.host?.lowercased() == "maps.apple.com"
    default: false
    }
  }

  private static let currentLocation = "current location"

  private static func place(_ text: String, _ end: String, _ here: Place?) throws(OdometerError) -> Place {
    if [currentLocation, "my location"].contains(text.lowercased()) {
      guard let here else {
        throw .usage(
          "the link has no \(end), and no current location was given (--here, currentLocation); "
            + "expected \(end)=latitude,longitude")
      }
      return here
    }
    do {
      return Place(coordinate: try Coordinate(parsing: text))
    } catch {
      switch error {
      case .notTwoNumbers: throw .usage("the link's \(end) is \"\(text)\", expected latitude,longitude")
      case .outOfRange: throw .usage("the link's \(end) \(text) is outside latitude -90…90, longitude -180…180")
      }
    }
  }
}

extension BoundingBox {
  /// The Maps link that shows this region, by its centre and span.
  public var url: URL {
    let (south, north, middle) = (southWest, northEast, centre.coordinate)
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    let span = Coordinate(
      latitude: rounded(north.latitude - south.latitude), longitude: rounded(north.longitude - south.longitude))
    return URL(string: "https://maps.apple.com/?ll=\(middle.decimals)&spn=\(span.decimals)")!
  }
}

/// The query items of a link, by name, without items that do not affect directions.
struct LinkItems {
  private let items: [(name: String, value: String)]

  /// Items of the map view, not of the route.
  private static let display: Set<String> = [
    "t", "z", "ll", "sll", "spn", "sspn", "map", "heading", "distance", "start", "q", "near", "hnear", "lang", "hl",
  ]

  init(_ url: URL) {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    // In a query, a plus sign encodes a space.
    self.items = items.compactMap { item in
      let name = item.name.lowercased()
      guard !LinkItems.display.contains(name), !name.hasPrefix("utm_"), !name.hasPrefix("_") else { return nil }
      return (name, (item.value ?? "").replacing("+", with: " ").trimmingCharacters(in: .whitespaces))
    }
  }

  /// All values with one of these names, in order.
  subscript(names: String...) -> [String] { items.filter { names.contains($0.name) }.map(\.value) }

  /// Returns the value with one of these names, if any.
  ///
  /// - Throws: `OdometerError` if there are several different values.
  func single(_ names: String...) throws(OdometerError) -> String? {
    let matches = items.filter { names.contains($0.name) }
    for item in matches.dropFirst() where item.value != matches[0].value {
      throw .usage("the link has both \(matches[0].name)=\(matches[0].value) and \(item.name)=\(item.value)")
    }
    return matches.first?.value
  }

  /// Returns the first item with an unknown name.
  func other(than names: Set<String>) -> (name: String, value: String)? { items.first { !names.contains($0.name) } }
}
