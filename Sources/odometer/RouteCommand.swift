import Foundation
import Geography
import Routing

/// `odometer route FROM TO`.
enum RouteCommand: Command {
  static let name = "route"
  static let summary = "Finds the way between two places and tells it step by step."
  static let operands = ["FROM", "TO"]
  static let options = [
    Shared.map, Shared.by, Shared.profile, Shared.snapLimit,
    .init(name: "alternates", value: nil, help: "up to two other good routes, too"),
    Shared.depart, Shared.arrive, Shared.avoid, Shared.language,
    .init(name: "links", value: nil, help: "add the link that opens the trip in Maps"), Shared.cache,
    .init(name: "format", value: "FORMAT", help: "text (default), json or geojson"),
  ]
  static let details = """
    FROM and TO are latitude,longitude in degrees:

        odometer route 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf

    With --alternates the best route comes first; json has a line a route, geojson one collection of all.
    Exit codes: 0 found; 1 there is no such way, or no street near a place; 2 wrong usage; 3 bad map.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    var request = try Shared.request(arguments)
    request.requestsAlternateRoutes = arguments.has("alternates")
    let format = try arguments.choice("format", of: ["text", "json", "geojson"]) ?? "text"
    let directions = try Shared.directions(arguments)
    let routes: [Route]
    do {
      routes = try directions.calculate(request)
    } catch let error as DirectionsError {
      note(error.description)
      return .notAllOK
    }
    request.transportType = routes[0].transportType
    let link = arguments.has("links") ? request.url.absoluteString : nil
    switch format {
    case "json": print(routes.map { $0.json(link: link) }.joined(separator: "\n"))
    case "geojson": print(geoJSON(routes, link: link))
    default:
      let text = (routes.map(\.text) + [link].compactMap(\.self)).joined(separator: "\n\n")
      print(printable(text, atMost: .max))
    }
    return .finished
  }
}
