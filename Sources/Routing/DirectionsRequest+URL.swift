import Foundation
import Geography
import StreetNetwork

/// Links of Maps, in and out.
///
///     maps://?saddr=41.15,-8.61&daddr=41.16,-8.63&dirflg=d
///     https://maps.apple.com/directions?source=41.15,-8.61&destination=41.16,-8.63&mode=walking
extension DirectionsRequest {
  /// Whether a link asks for directions, whether or not its ends are coordinates.
  public static func isDirectionsRequest(_ url: URL) -> Bool {
    guard isMaps(url) else { return false }
    let items = LinkItems(url)
    return items["daddr", "destination"] != nil || items["saddr", "source"] != nil
  }

  /// The request of a link.
  ///
  /// - Throws: `LinkError` where the link does not ask for directions, or has an address instead of coordinates.
  public init(url: URL) throws(LinkError) {
    guard DirectionsRequest.isMaps(url) else {
      throw LinkError("not a link to Maps, expected maps:// or https://maps.apple.com")
    }
    let items = LinkItems(url)
    try self.init(
      source: DirectionsRequest.place(items["saddr", "source"], "source"),
      destination: DirectionsRequest.place(items["daddr", "destination"], "destination"))
    guard let mode = items["dirflg", "directionsMode", "mode"] else { return }
    guard let type = DirectionsRequest.types[mode.lowercased()] else {
      throw LinkError("the link asks for \"\(mode)\", expected d, w, b, driving, walking or cycling")
    }
    transportType = type
  }

  /// The link that opens this request in Maps.
  public var url: URL {
    let flag = transportType.map { type in
      switch type {
      case .automobile: "&dirflg=d"
      case .walking: "&dirflg=w"
      case .cycling: "&dirflg=b"
      }
    }
    let (from, to) = (source.coordinate, destination.coordinate)
    return URL(
      string: "https://maps.apple.com/?saddr=\(from.latitude),\(from.longitude)&daddr=\(to.latitude),\(to.longitude)"
        + (flag ?? ""))!
  }

  private static let types: [String: TransportType] = [
    "d": .automobile, "driving": .automobile, "automobile": .automobile, "car": .automobile, "w": .walking,
    "walking": .walking, "b": .cycling, "cycling": .cycling, "bicycling": .cycling, "bicycle": .cycling, "c": .cycling,
  ]

  private static func isMaps(_ url: URL) -> Bool {
    switch url.scheme?.lowercased() {
    case "maps": true
    case "http", "https": url.host?.lowercased() == "maps.apple.com"
    default: false
    }
  }

  private static func place(_ text: String?, _ end: String) throws(LinkError) -> Place {
    guard let text, !text.isEmpty else {
      throw LinkError("the link has no \(end), and the current location is unknown here")
    }
    do {
      return Place(coordinate: try Coordinate(parsing: text))
    } catch {
      switch error {
      case .notTwoNumbers: throw LinkError("the link's \(end) is \"\(text)\", expected latitude,longitude")
      case .outOfRange: throw LinkError("the link's \(end) \(text) is outside latitude -90…90, longitude -180…180")
      }
    }
  }
}

/// Why a link is not a request, as one sentence.
public struct LinkError: Error, CustomStringConvertible {
  /// The reason.
  public var description: String
  init(_ description: String) { self.description = description }
}

/// The query items of a link, by name.
private struct LinkItems {
  private let items: [URLQueryItem]

  init(_ url: URL) { items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? [] }

  /// The value of the first of these names that is present. A plus stands for a space.
  subscript(names: String...) -> String? {
    for name in names {
      if let value = items.first(where: { $0.name == name })?.value { return value.replacing("+", with: " ") }
    }
    return nil
  }
}
